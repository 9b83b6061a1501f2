package com.clawseed.inspector.companion;

import android.os.ParcelFileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One connection: framing, authentication, and the requests in flight. Its reader is the thread that calls run(). */
final class Connection {
    private static final int MAX_IN_FLIGHT = 16;
    private static final int HELLO_LIMIT_MS = 10000;
    /** How long the last lines may take to a desktop that does not read. */
    private static final int FINISH_LIMIT_MS = 5000;
    private static final List<String> NO_HANDLES = Collections.emptyList();
    private static final Params NO_PARAMS = new Params(Collections.emptyMap());

    /** Those who are told when this connection becomes of use, and when it ends. */
    interface Listener {
        void onAuthenticated(Connection connection);

        void onClosed(Connection connection);
    }

    private enum State { NEW, READY, STREAMING, CLOSED }

    final Handles.Owner owner = new Handles.Owner();
    final int peerUid;
    volatile boolean watchesPackages;
    volatile boolean watchesTriggers;
    private final Bridge bridge;
    private final Channel channel;
    private final String token;
    private final Listener listener;
    private final Outbox outbox;
    private final Timers.Task helloTimer;
    private final Map<Long, Request> inFlight = new HashMap<Long, Request>();
    private State state = State.NEW;

    Connection(Bridge bridge, Channel channel, int peerUid, String token, Listener listener) {
        this.bridge = bridge;
        this.channel = channel;
        this.peerUid = peerUid;
        this.token = token;
        this.listener = listener;
        this.outbox = new Outbox(channel, "cetp-writer");
        this.helloTimer = bridge.timers.after(HELLO_LIMIT_MS, new Runnable() {
            @Override
            public void run() {
                if (state() == State.NEW) {
                    close(true);
                }
            }
        });
    }

    /** Serves the connection to its end. */
    void run() {
        boolean orderly = false;
        try {
            LineReader reader = new LineReader(channel.input());
            for (Map<?, ?> frame = reader.next(); frame != null; frame = reader.next()) {
                if (!accept(frame)) {
                    orderly = true;
                    break;
                }
                if (state() == State.STREAMING) {
                    drain(channel.input());
                    break;
                }
            }
        } catch (ProtocolException e) {
            refuse("null", e);
            orderly = true;
        } catch (IOException e) {
            // The desktop has gone.
        } catch (RuntimeException | Error e) {
            // The bridge has ended under us, no memory for a hostile line, or a bug: it costs this connection only.
        } finally {
            close(orderly);
        }
    }

    /** Ends it: what it asked for is abandoned, what it held is closed. {@code orderly}: what waits is written. */
    void close(boolean orderly) {
        List<Request> open;
        synchronized (this) {
            if (state == State.CLOSED) {
                return;
            }
            state = State.CLOSED;
            open = new ArrayList<Request>(inFlight.values());
        }
        helloTimer.cancel();
        for (Request request : open) {
            request.giveUp(new ProtocolException("CANCELLED", "The connection closed"));
        }
        bridge.handles.releaseAllOf(owner);
        if (orderly) {
            outbox.finish();
            bridge.timers.after(FINISH_LIMIT_MS, new Runnable() {
                @Override
                public void run() {
                    outbox.cut();
                }
            });
        } else {
            outbox.cut();
        }
        listener.onClosed(this);
    }

    void sendEvent(String event, String dataText) {
        if (state() == State.READY) {
            outbox.send(bytes("{\"event\":\"" + event + "\",\"data\":" + dataText + "}\n"));
        }
    }

    /** False when the connection is to close. */
    private boolean accept(Map<?, ?> frame) {
        Object id = frame.get("id");
        if (!Params.isId(id)) {
            refuse("null", ProtocolException.badParams("id must be an integer from 0 to 2^53-1"));
            return true;
        }
        long number = ((Double) id).longValue();
        synchronized (this) {
            if (inFlight.containsKey(number)) {
                refuse("null", ProtocolException.badParams("id " + number + " is in flight already"));
                return true;
            }
        }
        Object op = frame.get("op");
        if ("hello".equals(op) == (state() == State.READY)) {
            refuse(String.valueOf(number),
                    new ProtocolException("UNAUTHENTICATED", "hello must be the first request, once"));
            return false;
        }
        Object params = frame.get("params");
        try {
            if (params != null && !(params instanceof Map)) {
                throw ProtocolException.badParams("params must be an object");
            }
            serve(number, op instanceof String ? (String) op : "",
                    params == null ? NO_PARAMS : new Params((Map<?, ?>) params));
        } catch (ProtocolException e) {
            refuse(String.valueOf(number), e);
            return !e.code.equals("UNAUTHENTICATED");
        }
        return true;
    }

    /** Runs on the reader's thread; what may wait goes to a worker. Throws what it answers at once. */
    private void serve(long id, String op, Params params) throws ProtocolException {
        switch (op) {
            case "hello":
                String facts = HelloOp.run(bridge, params, token);
                // First of use, then told so: who reads the answer finds it in force.
                ready();
                answer(id, facts);
                break;
            case "ping":
                answer(id, "{\"elapsedRealtimeMs\":" + bridge.timers.elapsedMs()
                        + ",\"wallClockMs\":" + bridge.timers.wallClockMs() + "}");
                break;
            case "release":
                bridge.handles.release(params.strings("handles"));
                answer(id, "{}");
                break;
            case "cancel":
                answer(id, "{\"cancelled\":" + cancel(params.id("id")) + "}");
                break;
            default:
                checkRoom();
                serveCounted(id, op, params);
        }
    }

    private void serveCounted(long id, String op, Params params) throws ProtocolException {
        switch (op) {
            case "discover":
            case "call":
            case "launch":
            case "startForResult":
                begin(id, op, params);
                break;
            case "read":
                read(id, params);
                break;
            case "watch":
                Boolean packages = params.optionalBoolean("packages");
                Boolean triggers = params.optionalBoolean("triggers");
                watchesPackages = packages == null ? watchesPackages : packages;
                watchesTriggers = triggers == null ? watchesTriggers : triggers;
                answer(id, "{}");
                break;
            case "triggerAck":
                bridge.triggers.settle(params.string("id"),
                        params.oneOf("status", "accepted", "queued", "rejected", "error"));
                answer(id, "{}");
                break;
            default:
                throw new ProtocolException("UNKNOWN_OP", "No such operation");
        }
    }

    private void ready() {
        synchronized (this) {
            if (state != State.NEW) {
                return;
            }
            state = State.READY;
        }
        helloTimer.cancel();
        listener.onAuthenticated(this);
    }

    private synchronized void checkRoom() throws ProtocolException {
        if (inFlight.size() >= MAX_IN_FLIGHT) {
            throw new ProtocolException("BUSY", MAX_IN_FLIGHT + " requests are in flight");
        }
    }

    /** Starts what is answered later. */
    private void begin(long id, String op, Params params) {
        Request request = new Request(this, id);
        synchronized (this) {
            inFlight.put(id, request);
        }
        try {
            if (op.equals("discover")) {
                DiscoverOp.start(bridge, params, request);
            } else if (op.equals("call")) {
                CallOp.start(bridge, params, request);
            } else if (op.equals("launch")) {
                LaunchOps.launch(bridge, params, request);
            } else {
                LaunchOps.startForResult(bridge, params, request);
            }
        } catch (ProtocolException e) {
            if (request.take()) {
                fail(request, e);
            }
        }
    }

    private boolean cancel(long id) {
        Request request;
        synchronized (this) {
            request = inFlight.get(id);
        }
        return request != null && request.giveUp(new ProtocolException("CANCELLED", "The request was cancelled"));
    }

    private void read(long id, Params params) throws ProtocolException {
        String handle = params.string("handle");
        synchronized (this) {
            if (!inFlight.isEmpty()) {
                throw new ProtocolException("BUSY", "read needs a connection with nothing else in flight");
            }
            ParcelFileDescriptor descriptor = bridge.handles.takeDescriptor(handle);
            answer(id, "{\"size\":" + descriptor.getStatSize() + "}");
            if (state == State.READY) {
                state = State.STREAMING;
            }
            outbox.stream(descriptor);
        }
    }

    /** Waits until the desktop goes, or the stream has ended and closed the channel. */
    private static void drain(InputStream input) throws IOException {
        byte[] ignored = new byte[4096];
        while (input.read(ignored) >= 0) {
            continue;
        }
    }

    private void answer(long id, String okText) {
        outbox.send(bytes(okLine(id, okText)));
    }

    void reply(Request request, String okText, List<String> handles) {
        byte[] line = bytes(okLine(request.id, okText));
        if (line.length > LineReader.MAX_LINE_BYTES) {
            bridge.handles.release(handles);
            fail(request, new ProtocolException("REPLY_TOO_LARGE",
                    "The reply has " + line.length + " bytes, more than " + LineReader.MAX_LINE_BYTES));
            return;
        }
        forget(request);
        outbox.send(line);
    }

    void fail(Request request, ProtocolException reason) {
        forget(request);
        refuse(String.valueOf(request.id), reason);
    }

    /** Before the answer is written, so that the desktop may use the id again once it has read it. */
    private synchronized void forget(Request request) {
        inFlight.remove(request.id);
    }

    private void refuse(String idText, ProtocolException reason) {
        String line = "{\"id\":" + idText + ",\"error\":" + reason.toWire() + "}\n";
        byte[] bytes = bytes(line);
        if (bytes.length > LineReader.MAX_LINE_BYTES) {
            // Only a Provider's own message can be so long.
            bytes = bytes("{\"id\":" + idText + ",\"error\":" + new ProtocolException("REPLY_TOO_LARGE",
                    "The error has " + bytes.length + " bytes: " + reason.code).toWire() + "}\n");
        }
        outbox.send(bytes);
    }

    private synchronized State state() {
        return state;
    }

    private static String okLine(long id, String okText) {
        return "{\"id\":" + id + ",\"ok\":" + okText + "}\n";
    }

    private static byte[] bytes(String line) {
        return line.getBytes(StandardCharsets.UTF_8);
    }
}
