package com.clawseed.inspector.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.content.ContentProvider;
import android.os.Build;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

/** What is different before Android 12 and 13, and that nothing newer is called there. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {26, 30})
public final class OlderAndroidTest {
    private Desk desk;
    private Wire wire;

    @Before
    public void setUp() throws Exception {
        desk = new Desk();
        wire = desk.connect("a");
    }

    @After
    public void tearDown() {
        desk.end();
    }

    private Map<?, ?> ask(String request) throws Exception {
        return (Map<?, ?>) Json.parse(desk.ask(wire, request));
    }

    private Map<?, ?> hello() throws Exception {
        return ask("{\"id\":0,\"op\":\"hello\",\"params\":{\"protocol\":1,\"token\":\"" + desk.token() + "\"}}");
    }

    @Test
    public void saysHello() throws Exception {
        Map<?, ?> facts = (Map<?, ?>) hello().get("ok");
        assertEquals((double) Build.VERSION.SDK_INT, facts.get("sdk"));
        assertEquals(true, facts.get("queryAllPackages"));
        assertEquals(1, ((List<?>) facts.get("signingCertSha256")).size());
    }

    @Test
    public void discovers() throws Exception {
        hello();
        Map<?, ?> page = (Map<?, ?>) ask("{\"id\":1,\"op\":\"discover\",\"params\":{\"kind\":\"cetp\"}}").get("ok");
        assertEquals(5, ((List<?>) page.get("candidates")).size());
        Map<?, ?> echo = (Map<?, ?>) ((List<?>) page.get("candidates")).get(0);
        assertEquals("1", echo.get("versionCode"));
        assertEquals(1, ((List<?>) echo.get("signingCertSha256")).size());
    }

    @Test
    public void calls() throws Exception {
        hello();
        String extras = "{\"l\":{\"t\":\"long\",\"v\":\"-9223372036854775808\"},\"i\":{\"t\":\"int[]\",\"v\":[2,1]}}";
        Map<?, ?> answer = (Map<?, ?>) ask(Desk.call(1, "echo", extras)).get("ok");
        assertEquals(Json.parse(extras), answer.get("result"));
        assertTrue(desk.ask(wire, Desk.call(2, "throw", "null")).contains("java.lang.IllegalStateException"));
        assertTrue(desk.ask(wire, Desk.call(3, "die", "null")).contains("DEAD_PROVIDER"));
    }

    @Test
    public void aForeignParcelableSpoilsTheWholeBundle() throws Exception {
        CallTest.Scripted provider = Robolectric.buildContentProvider(CallTest.Scripted.class)
                .create(Phone.AUTHORITY).get();
        provider.answer = BundleTest.withForeign("icon", "good");
        desk.phone.providers.put(Phone.AUTHORITY, (ContentProvider) provider);
        desk.phone.direct = true;
        hello();
        Map<?, ?> error = (Map<?, ?>) ask(Desk.call(1, "scripted", "null")).get("error");
        assertEquals("PROVIDER_EXCEPTION", error.get("code"));
        assertEquals(Map.of("class", "android.os.BadParcelableException"), error.get("detail"));
    }

    @Test
    public void aPendingIntentHidesItsKindAndIsStartedAllTheSame() throws Exception {
        hello();
        String reply = desk.ask(wire, Desk.call(1, "intent_ok", "null"));
        assertTrue(reply, reply.contains("\"immutable\":null,\"kind\":null"));
        String handle = reply.replaceAll(".*\"handle\":\"(h-[0-9a-f]+)\".*", "$1");
        String launched = desk.ask(wire, "{\"id\":2,\"op\":\"launch\",\"params\":{\"handle\":\"" + handle
                + "\",\"timeoutMs\":5000}}");
        assertTrue(launched, launched.contains("\"resultCode\":-1"));
        assertEquals(null, desk.phone.lastOptions);
        assertFalse(Build.VERSION.SDK_INT >= 31);
    }
}
