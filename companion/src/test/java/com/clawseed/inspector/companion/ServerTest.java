package com.clawseed.inspector.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import android.os.Bundle;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.Shadows;

/** Who is let in, what lines are taken, and how the server ends. */
@RunWith(RobolectricTestRunner.class)
public final class ServerTest {
    private Desk desk;

    @Before
    public void setUp() throws Exception {
        desk = new Desk();
    }

    @After
    public void tearDown() {
        desk.end();
    }

    @Test
    public void onlyTheShellAndRootAreServed() throws Exception {
        for (int uid : new int[] {1000, 10123, 2001, 1999, -1, 1002000}) {
            desk.sockets.peerUid = uid;
            Wire wire = desk.connect("refused " + uid);
            wire.awaitClosed();
        }
        assertEquals(0, desk.server.connectionCount());
        desk.sockets.peerUid = 0;
        desk.open("root");
        desk.sockets.peerUid = 2000;
        desk.open("shell");
        List<Integer> uids = new ArrayList<>(desk.server.connectedUids());
        uids.sort(null);
        assertEquals(List.of(0, 2000), uids);
    }

    @Test
    public void theAnnouncementIsWhatTheDesktopReads() throws Exception {
        Bundle status = desk.server.announcement();
        assertEquals("1", status.getString("cetp.protocol"));
        assertTrue(status.getString("cetp.token").matches("[0-9a-f]{64}"));
        assertEquals("1.0.0", status.getString("cetp.version"));
        assertEquals(desk.sockets.name(), status.getString("cetp.socket"));
        assertEquals(4, status.size());
        BridgeServer other = new BridgeServer(new Bridge(desk.phone.app, new ManualTimers()), new UnixSockets());
        assertNotEquals(desk.token(), other.announcement().getString("cetp.token"));
    }

    @Test
    public void aTokenThatIsNearlyRightIsWrong() throws Exception {
        String token = desk.token();
        String swapped = token.substring(0, 63) + (token.endsWith("0") ? "1" : "0");
        for (String wrong : new String[] {"", token.substring(1), token + "0", token.toUpperCase() + " ", swapped}) {
            Wire wire = desk.connect("wrong " + wrong);
            String reply = desk.ask(wire,
                    "{\"id\":1,\"op\":\"hello\",\"params\":{\"protocol\":1,\"token\":\"" + wrong + "\"}}");
            assertTrue(reply, reply.contains("UNAUTHENTICATED"));
            assertFalse(reply, reply.contains(token));
            wire.awaitClosed();
        }
    }

    @Test
    public void aPeerThatOpensManyConnectionsIsBounded() throws Exception {
        for (int i = 0; i < 70; i++) {
            desk.connect("c" + i);
        }
        Wire.await(desk.phone, "64 connections", () -> desk.server.connectionCount() == 64);
        desk.wire("c69").awaitClosed();
        desk.timers.advance(10_000);
        Wire.await(desk.phone, "their end", () -> desk.server.connectionCount() == 0);
        desk.open("later");
    }

    @Test
    public void permissionsAreToldAsTheyAreNow() throws Exception {
        assertTrue(hello("granted").contains(":\"granted\""));
        Shadows.shadowOf(desk.phone.app).denyPermissions(Bridge.ACCESS_TOOLS);
        assertTrue(hello("denied").contains(":\"denied\""));
    }

    private String hello(String name) throws Exception {
        return desk.ask(desk.connect(name),
                "{\"id\":1,\"op\":\"hello\",\"params\":{\"protocol\":1,\"token\":\"" + desk.token() + "\"}}");
    }

    @Test
    public void theEndClosesEverythingAndIsFinal() throws Exception {
        Wire open = desk.open("a");
        assertSame(desk.server, BridgeServer.current());
        desk.end();
        open.awaitClosed();
        desk.server.awaitEnd();
        assertNull(BridgeServer.current());
        assertEquals(0, desk.server.connectionCount());
        desk.end();
    }

    @Test
    public void anIdleTimeThatWasInterruptedStartsAnew() throws Exception {
        desk.timers.advance(119_999);
        desk.open("a");
        desk.timers.advance(500_000);
        desk.close("a");
        desk.timers.advance(119_999);
        assertSame(desk.server, BridgeServer.current());
        desk.timers.advance(1);
        desk.server.awaitEnd();
    }

    @Test
    public void linesInAnyPiecesAreTheSameLines() throws Exception {
        String text = "{\"a\":\"\u00e9\ud83d\ude00\"}\n{\"b\":[1,2,{\"c\":null}]}\n";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int size = 1; size < 20; size++) {
            int piece = size;
            LineReader reader = new LineReader(new ByteArrayInputStream(bytes) {
                @Override
                public synchronized int read(byte[] into, int from, int length) {
                    return super.read(into, from, Math.min(piece, length));
                }
            });
            assertEquals(Map.of("a", "\u00e9\ud83d\ude00"), reader.next());
            assertTrue(reader.next().containsKey("b"));
            assertNull(reader.next());
        }
    }

    @Test
    public void textThatLooksLikeJsonAndIsNot() throws Exception {
        for (String wrong : new String[] {"{'a':1}", "{a:1}", "{\"a\":1,}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":+1}",
                "{\"a\":.5}", "{\"a\":NaN}", "{\"a\":tru}", "{\"a\":\"\t\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u00g0\"}",
                "{\"a\":1}x", "/**/{\"a\":1}", "{\"a\":1;\"b\":2}", "{\"a\"=1}", "{\"a\":0x1}", "\"a", "{", "{\"a\":-}",
                "[".repeat(100_000), "{\"a\":" + "[".repeat(501) + "]".repeat(501) + "}"}) {
            try {
                Json.parse(wrong);
            } catch (Json.SyntaxException e) {
                assertEquals("not JSON", e.getMessage());
                continue;
            }
            throw new AssertionError("taken: " + wrong);
        }
        assertEquals(Map.of("a", "\u0001/\ud83d", "b", 0.015), Json.parse(" {\"a\":\"\\u0001\\/\\ud83d\" , \"b\":1.5E-2}"));
    }

    /** So that a green run of the vectors means something. */
    @Test
    public void theVectorRunnerCanFail() throws Exception {
        desk.end();
        String ping = "{\"on\":\"a\",\"send\":{\"id\":1,\"op\":\"ping\"}}";
        String open = "{\"open\":\"a\"}";
        for (String wrong : new String[] {
                "[" + open + "," + ping + ",{\"on\":\"a\",\"expect\":{\"id\":1,\"ok\":{}}}]",
                "[" + open + "," + ping + ",{\"on\":\"a\",\"expect\":{\"id\":2,\"ok\":\"$ANY\"}}]"}) {
            try {
                new VectorRunner().run((List<?>) Json.parse(wrong));
            } catch (AssertionError e) {
                assertTrue(e.getMessage(), e.getMessage().startsWith("step 3"));
                continue;
            }
            throw new AssertionError("passed: " + wrong);
        }
    }

    @Test
    public void aTriggerWithoutWatchersIsUnavailable() throws Exception {
        List<String> answers = new ArrayList<>();
        desk.bridge.triggers.submit(10123, List.of("p"), List.of(), new Bundle(), answers::add);
        desk.timers.advance(1_999);
        assertEquals(List.of(), answers);
        desk.timers.advance(1);
        assertEquals(List.of("host_unavailable"), answers);
    }
}
