package com.clawseed.inspector.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.content.ContentProvider;
import android.os.Bundle;
import android.os.ParcelFileDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;

/** How calls end: what the vectors cannot say because only Java can count or throw it. */
@RunWith(RobolectricTestRunner.class)
public final class CallTest {
    /** Does what the test says. */
    public static final class Scripted extends EchoProvider {
        volatile CountDownLatch gate = new CountDownLatch(0);
        volatile CountDownLatch arrived = new CountDownLatch(1);
        volatile Bundle answer;
        volatile RuntimeException thrown;

        @Override
        public Bundle call(String method, String arg, Bundle extras) {
            if (!method.equals("scripted")) {
                return super.call(method, arg, extras);
            }
            arrived.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (thrown != null) {
                throw thrown;
            }
            return answer;
        }
    }

    private Desk desk;
    private Wire wire;
    private Scripted provider;

    @Before
    public void setUp() throws Exception {
        desk = new Desk();
        provider = Robolectric.buildContentProvider(Scripted.class).create(Phone.AUTHORITY).get();
        desk.phone.providers.put(Phone.AUTHORITY, (ContentProvider) provider);
        wire = desk.open("a");
    }

    @After
    public void tearDown() {
        desk.end();
    }

    private Map<?, ?> ask(String request) throws Exception {
        return (Map<?, ?>) Json.parse(desk.ask(wire, request));
    }

    private static String codeOf(Map<?, ?> reply) {
        return (String) ((Map<?, ?>) reply.get("error")).get("code");
    }

    /** Descriptors of this process on files that the test has made. */
    private static Set<String> openFiles() throws Exception {
        try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
            Set<String> open = new HashSet<>();
            for (Path link : links.collect(Collectors.toList())) {
                try {
                    String target = Files.readSymbolicLink(link).toString();
                    if (target.contains("/echo")) {
                        open.add(link + " " + target);
                    }
                } catch (java.io.IOException e) {
                    // Closed since.
                }
            }
            return open;
        }
    }

    @Test
    public void exceptionsThatAParcelDoesNotCarryArriveAsAnEmptyBundle() throws Exception {
        provider.thrown = new ArrayIndexOutOfBoundsException("5");
        assertEquals(Map.of(), ((Map<?, ?>) ask(Desk.call(1, "scripted", "null")).get("ok")).get("result"));
    }

    @Test
    public void exceptionsThatItCarriesAreToldWordForWord() throws Exception {
        provider.thrown = new UnsupportedOperationException("line\n\u202e\"quoted\"");
        Map<?, ?> error = (Map<?, ?>) ask(Desk.call(1, "scripted", "null")).get("error");
        assertEquals("PROVIDER_EXCEPTION", error.get("code"));
        assertEquals("line\n\u202e\"quoted\"", error.get("message"));
        assertEquals(Map.of("class", "java.lang.UnsupportedOperationException"), error.get("detail"));
        provider.thrown = new NullPointerException();
        assertEquals("", ((Map<?, ?>) ask(Desk.call(2, "scripted", "null")).get("error")).get("message"));
    }

    @Test
    public void sixteenAtOnceAreEachAnswered() throws Exception {
        provider.gate = new CountDownLatch(1);
        provider.answer = new Bundle();
        for (int id = 1; id <= 16; id++) {
            wire.sendLine(Desk.call(id, "scripted", "null"));
        }
        desk.settle();
        wire.sendLine(Desk.call(17, "scripted", "null"));
        assertEquals("BUSY", codeOf((Map<?, ?>) Json.parse(wire.line())));
        provider.gate.countDown();
        Set<Object> answered = new HashSet<>();
        for (int i = 0; i < 16; i++) {
            Map<?, ?> reply = (Map<?, ?>) Json.parse(wire.line());
            assertTrue(reply.toString(), reply.containsKey("ok"));
            answered.add(reply.get("id"));
        }
        assertEquals(16, answered.size());
    }

    @Test
    public void eachAnswerBelongsToItsCall() throws Exception {
        for (int round = 0; round < 8; round++) {
            for (int id = 0; id < 16; id++) {
                wire.sendLine(Desk.call(id, "echo", "{\"n\":{\"t\":\"int\",\"v\":" + (round * 16 + id) + "}}"));
            }
            for (int i = 0; i < 16; i++) {
                Map<?, ?> reply = (Map<?, ?>) Json.parse(wire.line());
                Map<?, ?> result = (Map<?, ?>) ((Map<?, ?>) reply.get("ok")).get("result");
                assertEquals(Map.of("t", "int", "v", round * 16 + (Double) reply.get("id")), result.get("n"));
            }
        }
    }

    @Test
    public void aLateBundleIsClosedAndItsThreadCounted() throws Exception {
        provider.gate = new CountDownLatch(1);
        ParcelFileDescriptor late = EchoProvider.descriptor("late");
        Bundle bundle = new Bundle();
        Bundle nested = new Bundle();
        nested.putParcelable("fd", late);
        bundle.putBundle("nested", nested);
        bundle.putParcelable("x", new EchoProvider.BrokenDescriptor(EchoProvider.descriptor("late too")));
        provider.answer = bundle;
        wire.sendLine(Desk.call(1, Phone.AUTHORITY, "scripted", "null", 100));
        provider.arrived.await();
        desk.settle();
        desk.timers.advance(100);
        assertEquals("TIMEOUT", codeOf((Map<?, ?>) Json.parse(wire.line())));
        assertEquals(1, desk.bridge.abandoned.get());
        assertEquals(2, openFiles().size());
        provider.gate.countDown();
        Wire.await(desk.phone, "the late close", () -> desk.bridge.abandoned.get() == 0);
        assertEquals(Set.of(), openFiles());
        assertEquals(0, desk.bridge.handles.size());
    }

    @Test
    public void noDescriptorIsLeftOpen() throws Exception {
        assertEquals(Set.of(), openFiles());
        ask(Desk.call(1, "two_files", "null"));
        assertEquals(2, desk.bridge.handles.size());
        Map<?, ?> tooMany = ask(Desk.call(2, "files_200", "null"));
        assertTrue(tooMany.containsKey("ok"));
        assertEquals("TOO_MANY_HANDLES", codeOf(ask(Desk.call(3, "files_200", "null"))));
        assertEquals(202, desk.bridge.handles.size());
        desk.close("a");
        assertEquals(0, desk.bridge.handles.size());
        // What the Parcel of the tests had in transit is closed with it; what the companion held is closed by it.
        Wire.await(desk.phone, "no open file", () -> {
            try {
                return openFiles().isEmpty();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    public void aReplyAboveTheLineLimitIsRefusedAndItsHandlesClosed() throws Exception {
        // 900,000 bytes in the Parcel, and six characters on the wire for each of its 450,000.
        Bundle bundle = new Bundle();
        bundle.putString("a", "\u0001".repeat(250_000));
        bundle.putString("b", "\u0001".repeat(250_000));
        bundle.putString("c", "\u0001".repeat(250_000));
        bundle.putParcelable("fd", new EchoProvider.BrokenDescriptor(EchoProvider.descriptor("x")));
        provider.answer = bundle;
        assertEquals("REPLY_TOO_LARGE", codeOf(ask(Desk.call(1, "scripted", "null"))));
        assertEquals(0, desk.bridge.handles.size());
        assertEquals(Set.of(), openFiles());
    }

    @Test
    public void closingTheConnectionAbandonsItsCalls() throws Exception {
        provider.gate = new CountDownLatch(1);
        wire.sendLine(Desk.call(1, "scripted", "null"));
        provider.arrived.await();
        desk.close("a");
        assertEquals(1, desk.bridge.abandoned.get());
        provider.gate.countDown();
        Wire.await(desk.phone, "the thread", () -> desk.bridge.abandoned.get() == 0);
    }

    @Test
    public void aStreamIsCutWhenTheDesktopGoesInTheMiddle() throws Exception {
        Bundle bundle = new Bundle();
        bundle.putParcelable("fd", EchoProvider.descriptor("z".repeat(32 * 1024 * 1024)));
        provider.answer = bundle;
        String text = desk.ask(wire, Desk.call(1, "scripted", "null"));
        String handle = text.replaceAll(".*\"handle\":\"(h-[0-9a-f]+)\".*", "$1");
        Wire reader = desk.open("b");
        reader.sendLine("{\"id\":1,\"op\":\"read\",\"params\":{\"handle\":\"" + handle + "\"}}");
        assertEquals("{\"id\":1,\"ok\":{\"size\":33554432}}", reader.line());
        reader.take(100_000);
        desk.close("b");
        Wire.await(desk.phone, "the close of the file", () -> {
            try {
                return openFiles().isEmpty();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    public void anUnreadableKeyIsNamedAndTheRestKept() throws Exception {
        provider.answer = BundleTest.withForeign("icon", "good");
        desk.phone.direct = true;
        Map<?, ?> result = (Map<?, ?>) ((Map<?, ?>) ask(Desk.call(1, "scripted", "null")).get("ok")).get("result");
        assertEquals(Map.of("t", "string", "v", "still here"), result.get("good"));
        assertEquals("unreadable", ((Map<?, ?>) result.get("icon")).get("t"));
    }

    @Test
    public void theGrantIsAskedAtEveryCall() throws Exception {
        org.robolectric.Shadows.shadowOf(desk.phone.app).denyPermissions(Bridge.ACCESS_TOOLS);
        Map<?, ?> error = (Map<?, ?>) ask(Desk.call(1, "null", "null")).get("error");
        assertEquals("SECURITY", error.get("code"));
        assertTrue(error.toString(), ((String) error.get("message")).contains("requires " + Bridge.ACCESS_TOOLS));
    }

    @Test
    public void aKnownAuthorityWhoseProviderDoesNotStart() throws Exception {
        Map<?, ?> error = (Map<?, ?>) ask(Desk.call(1, "org.example.notes.clawseed.tools", "null", "null", 5000))
                .get("error");
        assertEquals(List.of("UNKNOWN_AUTHORITY", Map.of("resolved", true)),
                List.of(error.get("code"), error.get("detail")));
    }
}
