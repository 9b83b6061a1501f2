package com.clawseed.inspector.companion;

import static org.junit.Assert.assertEquals;

import android.os.Bundle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/** Runs the steps of one case of companion/vectors, as companion/vectors/README.md says. */
final class VectorRunner {
    private static final Pattern HEX64 = Pattern.compile("[0-9a-f]{64}");

    private final Desk desk;
    private final Map<String, String> bound = new HashMap<>();
    private final AtomicReference<String> triggerAnswer = new AtomicReference<>();

    VectorRunner() throws IOException {
        desk = new Desk();
        bound.put("$TOKEN", desk.token());
    }

    void run(List<?> steps) throws Exception {
        try {
            int number = 0;
            for (Object step : steps) {
                number++;
                try {
                    step((Map<?, ?>) step);
                } catch (Throwable e) {
                    String text = TestJson.write(step);
                    throw new AssertionError("step " + number + " "
                            + text.substring(0, Math.min(300, text.length())) + ": " + e.getMessage(), e);
                }
            }
            desk.settle();
            assertEquals(List.of(), desk.unread());
        } finally {
            desk.end();
        }
    }

    private void step(Map<?, ?> step) throws Exception {
        if (step.containsKey("connect")) {
            desk.connect((String) step.get("connect"));
        } else if (step.containsKey("open")) {
            desk.open((String) step.get("open"));
        } else if (step.containsKey("close")) {
            desk.close((String) step.get("close"));
        } else if (step.containsKey("advanceMs")) {
            desk.settle();
            desk.timers.advance(((Double) step.get("advanceMs")).longValue());
            desk.phone.pump();
        } else if (step.containsKey("device")) {
            desk.settle();
            device((Map<?, ?>) step.get("device"));
        } else {
            onWire(desk.wire((String) step.get("on")), step);
        }
    }

    private void onWire(Wire wire, Map<?, ?> step) throws Exception {
        if (step.containsKey("send")) {
            wire.sendLine(TestJson.write(fill(step.get("send"))));
        } else if (step.containsKey("sendText")) {
            wire.sendLine((String) step.get("sendText"));
        } else if (step.containsKey("sendBase64")) {
            wire.send(Base64.getDecoder().decode((String) step.get("sendBase64")));
        } else if (step.containsKey("sendRepeated")) {
            Map<?, ?> repeated = (Map<?, ?>) step.get("sendRepeated");
            byte[] bytes = new byte[((Double) repeated.get("count")).intValue()];
            Arrays.fill(bytes, ((Double) repeated.get("byte")).byteValue());
            wire.send(bytes);
        } else if (step.containsKey("sendPadded")) {
            sendPadded(wire, (Map<?, ?>) step.get("sendPadded"));
        } else if (step.containsKey("expect")) {
            match(Json.parse(wire.line()), step.get("expect"), "");
        } else if (step.containsKey("expectAnyOrder")) {
            anyOrder(wire, (List<?>) step.get("expectAnyOrder"));
        } else if (step.containsKey("expectStream")) {
            stream(wire, (Map<?, ?>) step.get("expectStream"));
        } else if (step.containsKey("expectClosed")) {
            wire.awaitClosed();
        } else {
            throw new AssertionError("Unknown step");
        }
    }

    private void sendPadded(Wire wire, Map<?, ?> padded) throws IOException {
        String text = TestJson.write(padded.get("request"));
        if (!text.contains("$PAD")) {
            text = text.substring(0, text.length() - 1) + ",\"pad\":\"$PAD\"}";
        }
        int rest = ((Double) padded.get("lineBytes")).intValue() - 1
                - (text.getBytes(StandardCharsets.UTF_8).length - "$PAD".length());
        wire.sendLine(text.replace("$PAD", "x".repeat(rest)));
    }

    private void anyOrder(Wire wire, List<?> expected) throws Exception {
        List<Object> left = new ArrayList<>(expected);
        while (!left.isEmpty()) {
            String line = wire.line();
            boolean found = false;
            for (Object item : left) {
                try {
                    match(Json.parse(line), item, "");
                } catch (AssertionError e) {
                    continue;
                }
                left.remove(item);
                found = true;
                break;
            }
            if (!found) {
                throw new AssertionError("unexpected " + line);
            }
        }
    }

    private void stream(Wire wire, Map<?, ?> expected) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (;;) {
            int length = ByteBuffer.wrap(wire.take(4)).getInt();
            if (length == -1) {
                match(((Map<?, ?>) Json.parse(wire.line())).get("error"), expected.get("error"), "/error");
                break;
            }
            if (length == 0) {
                assertEquals(null, expected.get("error"));
                break;
            }
            if (length < 0 || length > 64 * 1024) {
                throw new AssertionError("a chunk of " + length + " bytes");
            }
            all.write(wire.take(length));
        }
        assertEquals(expected.get("base64"), Base64.getEncoder().encodeToString(all.toByteArray()));
    }

    private void device(Map<?, ?> step) throws Exception {
        Phone phone = desk.phone;
        if (step.containsKey("install")) {
            phone.install((String) step.get("install"));
        } else if (step.containsKey("remove")) {
            phone.remove((String) step.get("remove"));
        } else if (step.containsKey("blockActivities")) {
            phone.blockActivities = (Boolean) step.get("blockActivities");
        } else if (step.containsKey("trigger")) {
            Map<?, ?> trigger = (Map<?, ?>) step.get("trigger");
            String from = (String) trigger.get("from");
            Bundle extras = BundleReader.read(trigger.get("extras"), "extras");
            desk.bridge.triggers.submit(phone.uidOf(from), List.of(from), List.of("0".repeat(64)), extras,
                    triggerAnswer::set);
        } else if (step.containsKey("expectTriggerAnswer")) {
            Wire.await(phone, "the trigger's answer", () -> triggerAnswer.get() != null);
            assertEquals(step.get("expectTriggerAnswer"), triggerAnswer.get());
        } else if (step.containsKey("expectEnded")) {
            desk.server.awaitEnd();
        } else {
            throw new AssertionError("Unknown step");
        }
    }

    /** Puts remembered values in place. */
    private Object fill(Object value) {
        if (value instanceof String) {
            return bound.getOrDefault(value, (String) value);
        }
        if (value instanceof List) {
            List<Object> filled = new ArrayList<>();
            ((List<?>) value).forEach(item -> filled.add(fill(item)));
            return filled;
        }
        if (value instanceof Map) {
            Map<Object, Object> filled = new java.util.LinkedHashMap<>();
            ((Map<?, ?>) value).forEach((key, item) -> filled.put(key, fill(item)));
            return filled;
        }
        return value;
    }

    private void match(Object actual, Object expected, String path) {
        if (expected instanceof String && ((String) expected).startsWith("$")) {
            check(placeholder(actual, (String) expected), actual, expected, path);
        } else if (expected instanceof Map) {
            check(actual instanceof Map, actual, expected, path);
            assertEquals("members at " + path, ((Map<?, ?>) expected).keySet(), ((Map<?, ?>) actual).keySet());
            ((Map<?, ?>) expected).forEach(
                    (key, item) -> match(((Map<?, ?>) actual).get(key), item, path + "/" + key));
        } else if (expected instanceof List) {
            check(actual instanceof List && ((List<?>) actual).size() == ((List<?>) expected).size(),
                    actual, expected, path);
            for (int i = 0; i < ((List<?>) expected).size(); i++) {
                match(((List<?>) actual).get(i), ((List<?>) expected).get(i), path + "/" + i);
            }
        } else {
            check(expected == null ? actual == null : expected.equals(actual), actual, expected, path);
        }
    }

    private static void check(boolean good, Object actual, Object expected, String path) {
        if (!good) {
            throw new AssertionError("at " + path + ": " + TestJson.write(actual) + " is not " + TestJson.write(expected));
        }
    }

    private boolean placeholder(Object actual, String expected) {
        switch (expected) {
            case "$ANY":
                return true;
            case "$STRING":
                return actual instanceof String;
            case "$INT":
                return actual instanceof Double && (Double) actual == Math.rint((Double) actual);
            case "$TIME":
                return actual instanceof Double && (Double) actual >= 0;
            case "$HEX64":
                return actual instanceof String && HEX64.matcher((String) actual).matches();
            default:
                String known = bound.put(expected, (String) actual);
                return !((String) actual).isEmpty() && (known == null || known.equals(actual));
        }
    }
}
