package com.clawseed.inspector.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.ActivityOptions;
import android.content.Intent;
import android.os.Bundle;
import android.os.Looper;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.android.controller.ActivityController;

/** The own activity, its results and its end. */
@RunWith(RobolectricTestRunner.class)
public final class LaunchTest {
    private Desk desk;
    private Wire wire;

    @Before
    public void setUp() throws Exception {
        desk = new Desk();
        wire = desk.open("a");
    }

    @After
    public void tearDown() {
        desk.end();
    }

    private String handleOf(String method) throws Exception {
        return desk.ask(wire, Desk.call(1, method, "null")).replaceAll(".*\"handle\":\"(h-[0-9a-f]+)\".*", "$1");
    }

    private static String launch(int id, String handle, int timeoutMs) {
        return "{\"id\":" + id + ",\"op\":\"launch\",\"params\":{\"handle\":\"" + handle + "\",\"timeoutMs\":" + timeoutMs
                + "}}";
    }

    private static String codeOf(String reply) throws Exception {
        return (String) ((Map<?, ?>) ((Map<?, ?>) Json.parse(reply)).get("error")).get("code");
    }

    @Test
    public void lendsItsRightToStartActivities() throws Exception {
        desk.ask(wire, launch(2, handleOf("intent_ok"), 5000));
        ActivityOptions options = ActivityOptions.fromBundle(desk.phone.lastOptions);
        assertEquals(ActivityOptions.MODE_BACKGROUND_ACTIVITY_START_ALLOWED,
                options.getPendingIntentBackgroundActivityStartMode());
    }

    /** Starts a launch, and gives the own activity that came to the front for it. */
    private ActivityController<ResultActivity> front(int id, String method, int timeoutMs) throws Exception {
        String handle = handleOf(method);
        desk.phone.blockActivities = true;
        wire.sendLine(launch(id, handle, timeoutMs));
        wire.await("the own activity", () -> desk.phone.lastBlocked != null);
        Intent intent = desk.phone.lastBlocked;
        assertEquals(Intent.FLAG_ACTIVITY_NEW_TASK, intent.getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK);
        return Robolectric.buildActivity(ResultActivity.class, intent);
    }

    @Test
    public void afterATimeOutTheOwnActivityIsGoneAndALateResultDropped() throws Exception {
        ActivityController<ResultActivity> own = front(2, "intent_open", 1000);
        own.setup();
        desk.timers.advance(1000);
        assertEquals("TIMEOUT", codeOf(wire.line()));
        shadowOf(Looper.getMainLooper()).idle();
        assertTrue(own.get().isFinishing());
        own.get().onActivityResult(1, Activity.RESULT_OK, new Intent());
        desk.settle();
        assertEquals(0, wire.unread());
    }

    @Test
    public void anActivityThatComesTooLateStartsNothing() throws Exception {
        ActivityController<ResultActivity> own = front(2, "intent_ok", 5000);
        desk.timers.advance(3000);
        assertEquals("LAUNCH_BLOCKED", codeOf(wire.line()));
        own.setup();
        assertTrue(own.get().isFinishing());
        assertEquals(null, desk.phone.lastOptions);
    }

    @Test
    public void aConnectionThatClosesFreesTheFront() throws Exception {
        ActivityController<ResultActivity> own = front(2, "intent_open", 60_000);
        own.setup();
        desk.close("a");
        shadowOf(Looper.getMainLooper()).idle();
        assertTrue(own.get().isFinishing());
        desk.phone.blockActivities = false;
        wire = desk.open("b");
        assertTrue(desk.ask(wire, launch(2, handleOf("intent_ok"), 5000)).contains("\"resultCode\":-1"));
    }

    @Test
    public void aRecreatedActivityDoesNotStartItTwice() throws Exception {
        ActivityController<ResultActivity> own = front(2, "intent_open", 60_000);
        own.setup();
        desk.phone.lastOptions = null;
        own.recreate();
        assertEquals(null, desk.phone.lastOptions);
        own.get().onActivityResult(1, 7, null);
        assertTrue(wire.line().contains("\"resultCode\":7"));
    }

    @Test
    public void aStrangersIntentForTheOwnActivityStartsNothing() {
        for (Intent intent : new Intent[] {new Intent(), new Intent().putExtra(ResultActivity.EXTRA_KEY, "guess")}) {
            ActivityController<ResultActivity> own = Robolectric.buildActivity(ResultActivity.class, intent).setup();
            assertTrue(own.get().isFinishing());
        }
    }

    @Test
    public void handlesOfAResultAreUsable() throws Exception {
        ActivityController<ResultActivity> own = front(2, "intent_open", 60_000);
        own.setup();
        Bundle extras = new Bundle();
        extras.putParcelable("fd", EchoProvider.descriptor("hello\n"));
        extras.putString(null, "x");
        own.get().onActivityResult(1, Activity.RESULT_OK, new Intent().putExtras(extras));
        String reply = wire.line();
        assertTrue(reply, reply.contains("\"nullKeys\":1"));
        String handle = reply.replaceAll(".*\"handle\":\"(h-[0-9a-f]+)\".*", "$1");
        assertEquals("{\"id\":3,\"ok\":{\"size\":6}}",
                desk.ask(wire, "{\"id\":3,\"op\":\"read\",\"params\":{\"handle\":\"" + handle + "\"}}"));
    }
}
