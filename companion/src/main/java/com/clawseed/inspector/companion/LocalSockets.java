package com.clawseed.inspector.companion;

import android.net.LocalServerSocket;
import android.net.LocalSocket;
import android.net.LocalSocketAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A socket in the abstract namespace. Its random name keeps other apps from binding it first; what they could reach
 * under another name asks no token.
 */
final class LocalSockets implements Channel.Source {
    private final String name;
    private final LocalServerSocket server;
    private volatile boolean closed;

    LocalSockets(String name) throws IOException {
        this.name = name;
        this.server = new LocalServerSocket(name);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Channel accept() throws IOException {
        LocalSocket socket = server.accept();
        if (closed) {
            socket.close();
            throw new IOException("closed");
        }
        return new Local(socket);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        // Closing the descriptor does not wake a thread in accept(): a connection of our own does.
        LocalSocket waker = new LocalSocket();
        try {
            waker.connect(new LocalSocketAddress(name));
        } finally {
            waker.close();
            server.close();
        }
    }

    private static final class Local implements Channel {
        private final LocalSocket socket;

        Local(LocalSocket socket) {
            this.socket = socket;
        }

        @Override
        public int peerUid() throws IOException {
            return socket.getPeerCredentials().getUid();
        }

        @Override
        public InputStream input() throws IOException {
            return socket.getInputStream();
        }

        @Override
        public OutputStream output() throws IOException {
            return socket.getOutputStream();
        }

        @Override
        public void close() throws IOException {
            try {
                socket.shutdownInput();
                socket.shutdownOutput();
            } catch (IOException e) {
                // The other end has gone already.
            } finally {
                socket.close();
            }
        }
    }
}
