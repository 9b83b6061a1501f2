package com.clawseed.inspector.companion;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/** One connection as the desktop holds it. What it waits for, it waits for while the phone goes on. */
final class Wire {
    private static final long LIMIT_MS = 20_000;

    private final Phone phone;
    private final SocketChannel socket;
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
    private boolean ended;
    private long sent;

    Wire(Phone phone, UnixSockets sockets) throws IOException {
        this.phone = phone;
        socket = SocketChannel.open(UnixDomainSocketAddress.of(sockets.path));
        InputStream input = UnixSockets.inputOf(socket);
        Threads.create("wire", () -> {
            byte[] chunk = new byte[65536];
            try {
                for (int count = input.read(chunk, 0, chunk.length); count >= 0;
                        count = input.read(chunk, 0, chunk.length)) {
                    synchronized (buffer) {
                        buffer.write(chunk, 0, count);
                    }
                }
            } catch (IOException e) {
                // The other end is gone, which the test asks about.
            }
            synchronized (buffer) {
                ended = true;
            }
        }).start();
    }

    void sendLine(String line) throws IOException {
        send((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void send(byte[] bytes) throws IOException {
        sent += bytes.length;
        try {
            UnixSockets.write(socket, bytes, 0, bytes.length);
        } catch (IOException e) {
            // Refused half way, as a line that is too long is: the answer is still to be read.
        }
    }

    long sent() {
        return sent;
    }

    int unread() {
        synchronized (buffer) {
            return buffer.size();
        }
    }

    String line() {
        int[] end = {-1};
        await("a line", () -> {
            end[0] = indexOfNewline();
            return end[0] >= 0 || ended;
        });
        if (end[0] < 0) {
            throw new AssertionError("The connection closed; unread: " + unread());
        }
        return new String(take(end[0] + 1), 0, end[0], StandardCharsets.UTF_8);
    }

    byte[] take(int count) {
        await(count + " bytes", () -> unread() >= count || ended);
        synchronized (buffer) {
            byte[] all = buffer.toByteArray();
            if (all.length < count) {
                throw new AssertionError("The connection closed after " + all.length + " of " + count + " bytes");
            }
            buffer.reset();
            buffer.write(all, count, all.length - count);
            return Arrays.copyOf(all, count);
        }
    }

    void awaitClosed() {
        await("the end", () -> ended);
        if (unread() > 0) {
            throw new AssertionError("bytes came before the end");
        }
    }

    void close() throws IOException {
        socket.close();
    }

    interface Condition {
        boolean holds();
    }

    void await(String what, Condition condition) {
        await(phone, what, condition);
    }

    static void await(Phone phone, String what, Condition condition) {
        long end = System.nanoTime() + LIMIT_MS * 1_000_000;
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Waited in vain for " + what);
            }
            phone.pump();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private int indexOfNewline() {
        synchronized (buffer) {
            byte[] all = buffer.toByteArray();
            for (int i = 0; i < all.length; i++) {
                if (all[i] == '\n') {
                    return i;
                }
            }
            return -1;
        }
    }
}
