package com.clawseed.inspector.companion;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A phone with the companion's server on it, and a desktop with connections to it. */
final class Desk {
    final Phone phone = new Phone();
    final ManualTimers timers = new ManualTimers();
    final UnixSockets sockets;
    final Bridge bridge;
    final BridgeServer server;
    private final Map<String, Wire> wires = new HashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private int connections;

    Desk() throws IOException {
        sockets = new UnixSockets();
        bridge = new Bridge(phone.app, timers);
        server = new BridgeServer(bridge, sockets).start();
    }

    String token() {
        return server.announcement().getString("cetp.token");
    }

    Wire connect(String name) throws IOException {
        Wire wire = new Wire(phone, sockets);
        numbers.put(name, connections++);
        wires.put(name, wire);
        int number = numbers.get(name);
        Wire.await(phone, "the connection", () -> sockets.accepted.size() > number);
        return wire;
    }

    /** A connection that has said hello. */
    Wire open(String name) throws IOException {
        Wire wire = connect(name);
        wire.sendLine("{\"id\":0,\"op\":\"hello\",\"params\":{\"protocol\":1,\"token\":\"" + token() + "\"}}");
        String answer = wire.line();
        if (!answer.startsWith("{\"id\":0,\"ok\":")) {
            throw new AssertionError(answer);
        }
        return wire;
    }

    Wire wire(String name) {
        return wires.get(name);
    }

    /** Until the server has taken in all that was sent, and the main thread has nothing to do. */
    void settle() {
        for (Map.Entry<String, Wire> item : wires.entrySet()) {
            UnixSockets.Accepted accepted = sockets.accepted.get(numbers.get(item.getKey()));
            long sent = item.getValue().sent();
            Wire.await(phone, "the server", () -> accepted.hasServed(sent));
        }
        phone.pump();
    }

    /** Closes the desktop's end, and waits until the companion has taken note. */
    void close(String name) throws IOException {
        UnixSockets.Accepted accepted = sockets.accepted.get(numbers.get(name));
        int left = accepted.closed ? server.connectionCount() : server.connectionCount() - 1;
        wire(name).close();
        Wire.await(phone, "the close", () -> accepted.closed && server.connectionCount() <= left);
        wires.remove(name);
    }

    List<String> unread() {
        List<String> left = new ArrayList<>();
        wires.forEach((name, wire) -> {
            if (wire.unread() > 0) {
                left.add(wire.unread() + " bytes on " + name);
            }
        });
        return left;
    }

    void end() {
        server.end();
    }

    /** A request with an answer, as JSON text. */
    String ask(Wire wire, String request) throws IOException {
        wire.sendLine(request);
        return wire.line();
    }

    static String call(int id, String method, String extras) {
        return call(id, Phone.AUTHORITY, method, extras, 5000);
    }

    static String call(int id, String authority, String method, String extras, int timeoutMs) {
        return "{\"id\":" + id + ",\"op\":\"call\",\"params\":{\"authority\":\"" + authority + "\",\"method\":\"" + method
                + "\",\"arg\":null,\"extras\":" + extras + ",\"timeoutMs\":" + timeoutMs + "}}";
    }
}
