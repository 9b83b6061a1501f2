package com.clawseed.inspector.companion;

import static org.robolectric.Shadows.shadowOf;

import android.os.Bundle;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;

/**
 * The companion in the loop: not a test of its own, but a process that {@code test/companion-loop} starts with JUnit's
 * {@code JUnitCore}. It takes a command a line and answers each with one line, and lives as long as its input. The
 * companion's socket is a Unix socket with the path that {@code start} tells.
 */
@RunWith(RobolectricTestRunner.class)
public final class CompanionLoop {
    /** Robolectric writes to the same output. */
    private static final String MARK = "@loop ";
    private static final String END = "\u0000end";
    private static final int PUMP_MS = 2;

    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    private final SamplePhone phone = new SamplePhone();
    private UnixSockets sockets;
    private BridgeServer server;
    private int runs;

    @Test
    public void serve() throws Exception {
        Threads.create("loop-input", this::readCommands).start();
        phone.warmUp();
        say("ready");
        for (;;) {
            String command = commands.poll(PUMP_MS, TimeUnit.MILLISECONDS);
            phone.pump();
            if (END.equals(command)) {
                break;
            }
            if (command != null) {
                say(answer(command));
            }
        }
        end();
    }

    private void readCommands() {
        try (BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                commands.add(line);
            }
        } catch (IOException e) {
            // As its end.
        }
        commands.add(END);
    }

    private String answer(String line) {
        int space = line.indexOf(' ');
        String word = space < 0 ? line : line.substring(0, space);
        String rest = space < 0 ? "" : line.substring(space + 1);
        try {
            return "ok " + run(word, rest);
        } catch (Exception | AssertionError e) {
            return "error " + e;
        }
    }

    private String run(String word, String rest) throws IOException {
        switch (word) {
            case "install":
                String[] uidAndCertificate = rest.split(" ");
                phone.installSample(Integer.parseInt(uidAndCertificate[0]),
                        Base64.getDecoder().decode(uidAndCertificate[1]));
                return "";
            case "remove":
                phone.removeSample();
                return "";
            case "grant":
                if (rest.equals("yes")) {
                    shadowOf(phone.app).grantPermissions(Bridge.ACCESS_TOOLS);
                } else {
                    shadowOf(phone.app).denyPermissions(Bridge.ACCESS_TOOLS);
                }
                return "";
            case "peer":
                sockets.peerUid = Integer.parseInt(rest);
                return "";
            case "start":
                return start();
            case "kill":
                end();
                return "";
            case "screen":
                StringBuilder text = new StringBuilder();
                Json.writeString(text, phone.screenText());
                return text.toString();
            case "tap":
                return String.valueOf(phone.tap(rest));
            default:
                throw new IllegalArgumentException("Unknown command " + word);
        }
    }

    /** A companion process as {@code am instrument} starts one; an earlier one has ended by then. */
    private String start() throws IOException {
        end();
        sockets = new UnixSockets();
        server = new BridgeServer(new Bridge(phone.app, new PatientTimers()), sockets).start();
        int number = ++runs;
        BridgeServer started = server;
        Threads.create("loop-end", () -> {
            try {
                started.awaitEnd();
                say("ended " + number);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }).start();
        StringBuilder out = new StringBuilder("{\"run\":" + number);
        Bundle announcement = server.announcement();
        for (String key : new TreeSet<>(announcement.keySet())) {
            out.append(",\"").append(key).append("\":");
            Json.writeString(out, announcement.getString(key));
        }
        return out.append('}').toString();
    }

    private void end() {
        if (server != null) {
            server.end();
            server = null;
        }
    }

    /** On a busy machine Robolectric is slower than any device: what the companion waits for may take longer. */
    private static final class PatientTimers implements Timers {
        private static final int FACTOR = 5;
        private final Timers inner = new Timers.System();

        @Override
        public long elapsedMs() {
            return inner.elapsedMs();
        }

        @Override
        public long wallClockMs() {
            return inner.wallClockMs();
        }

        @Override
        public Task after(long delayMs, Runnable task) {
            return inner.after(delayMs * FACTOR, task);
        }

        @Override
        public void stop() {
            inner.stop();
        }
    }

    private static synchronized void say(String line) {
        System.out.println(MARK + line);
        System.out.flush();
    }
}
