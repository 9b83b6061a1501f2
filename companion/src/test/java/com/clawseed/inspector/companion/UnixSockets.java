package com.clawseed.inspector.companion;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Where the app has {@link LocalSockets}: sockets of the same kind, with a peer UID that the test chooses. */
final class UnixSockets implements Channel.Source {
    /** UID of the peer of the next connection. */
    volatile int peerUid = 2000;
    /** The server's ends, in the order of the connections. */
    final List<Accepted> accepted = new CopyOnWriteArrayList<>();
    private final Path folder;
    final Path path;
    private final ServerSocketChannel server;

    UnixSockets() throws IOException {
        folder = Files.createTempDirectory("cetp");
        path = folder.resolve("s");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
    }

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public Channel accept() throws IOException {
        Accepted channel = new Accepted(server.accept(), peerUid);
        accepted.add(channel);
        return channel;
    }

    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(path);
        Files.deleteIfExists(folder);
    }

    static InputStream inputOf(SocketChannel socket) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                return socket.read(ByteBuffer.wrap(bytes, from, length));
            }
        };
    }

    static void write(SocketChannel socket, byte[] bytes, int from, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, from, length);
        while (buffer.hasRemaining()) {
            socket.write(buffer);
        }
    }

    static final class Accepted implements Channel {
        private final SocketChannel socket;
        private final int uid;
        private long consumed;
        private boolean reading;
        volatile boolean closed;

        Accepted(SocketChannel socket, int uid) {
            this.socket = socket;
            this.uid = uid;
        }

        /** Whether the server has served that many bytes and waits for more. */
        synchronized boolean hasServed(long bytes) {
            return closed || (reading && consumed >= bytes);
        }

        @Override
        public int peerUid() {
            return uid;
        }

        @Override
        public InputStream input() {
            InputStream inner = inputOf(socket);
            return new InputStream() {
                @Override
                public int read() throws IOException {
                    throw new IOException("not used");
                }

                @Override
                public int read(byte[] bytes, int from, int length) throws IOException {
                    synchronized (Accepted.this) {
                        reading = true;
                    }
                    int count = inner.read(bytes, from, length);
                    synchronized (Accepted.this) {
                        reading = false;
                        consumed += Math.max(0, count);
                    }
                    return count;
                }
            };
        }

        @Override
        public OutputStream output() {
            return new OutputStream() {
                @Override
                public void write(int value) throws IOException {
                    write(new byte[] {(byte) value}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    UnixSockets.write(socket, bytes, from, length);
                }
            };
        }

        @Override
        public void close() throws IOException {
            closed = true;
            socket.close();
        }
    }
}
