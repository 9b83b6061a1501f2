package com.clawseed.inspector.companion;

import android.os.ParcelFileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Writes to one connection from a thread of its own, so that a desktop that does not read holds up nobody else: lines
 * keep their order, and a connection that lets too much pile up is cut.
 */
final class Outbox {
    private static final long MAX_WAITING_BYTES = 64L * 1024 * 1024;
    /** The largest chunk of a {@code read} (section 6). */
    private static final int MAX_CHUNK_BYTES = 64 * 1024;

    private final Channel channel;
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<byte[]>();
    private long waitingBytes;
    private ParcelFileDescriptor stream;
    private boolean finishing;
    private boolean cut;

    Outbox(Channel channel, String name) {
        this.channel = channel;
        Threads.create(name, new Runnable() {
            @Override
            public void run() {
                write();
            }
        }).start();
    }

    void send(byte[] bytes) {
        synchronized (this) {
            if (finishing || stream != null) {
                return;
            }
            waiting.add(bytes);
            waitingBytes += bytes.length;
            notifyAll();
            if (waitingBytes <= MAX_WAITING_BYTES) {
                return;
            }
        }
        cut();
    }

    /** After the lines that wait: the descriptor's bytes in counted chunks, and the end of the connection. */
    synchronized void stream(ParcelFileDescriptor descriptor) {
        if (finishing || stream != null) {
            Descriptors.close(descriptor);
            return;
        }
        stream = descriptor;
        notifyAll();
    }

    /** Closes the channel once all that waits has been written. */
    synchronized void finish() {
        finishing = true;
        notifyAll();
    }

    /** Closes the channel and what is being streamed, now. */
    void cut() {
        ParcelFileDescriptor streaming;
        synchronized (this) {
            cut = true;
            finishing = true;
            waiting.clear();
            streaming = stream;
            notifyAll();
        }
        Descriptors.close(streaming);
        Descriptors.close(channel);
    }

    private void write() {
        try {
            OutputStream output = channel.output();
            for (byte[] line = next(); line != null; line = next()) {
                output.write(line);
            }
            ParcelFileDescriptor descriptor = stream;
            if (descriptor != null && !cut) {
                copy(descriptor, output);
            }
            output.flush();
        } catch (IOException | RuntimeException e) {
            // The desktop has gone, or the descriptor was closed under the stream because it has.
        } finally {
            cut();
        }
    }

    private synchronized byte[] next() throws IOException {
        while (waiting.isEmpty() && stream == null && !finishing) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        byte[] line = waiting.poll();
        waitingBytes -= line == null ? 0 : line.length;
        return line;
    }

    private static void copy(ParcelFileDescriptor descriptor, OutputStream output) throws IOException {
        byte[] chunk = new byte[4 + MAX_CHUNK_BYTES];
        InputStream input = new ParcelFileDescriptor.AutoCloseInputStream(descriptor);
        try {
            for (;;) {
                int count;
                try {
                    count = input.read(chunk, 4, MAX_CHUNK_BYTES);
                    if (count < 0 && descriptor.canDetectErrors()) {
                        // A reliable pipe tells only here that its writer failed.
                        descriptor.checkError();
                    }
                } catch (IOException | RuntimeException e) {
                    output.write(header(-1));
                    String line = "{\"error\":" + ProtocolException.ofProvider(e).toWire() + "}\n";
                    output.write(line.getBytes(StandardCharsets.UTF_8));
                    return;
                }
                if (count < 0) {
                    output.write(header(0));
                    return;
                }
                System.arraycopy(header(count), 0, chunk, 0, 4);
                output.write(chunk, 0, 4 + count);
            }
        } finally {
            Arrays.fill(chunk, (byte) 0);
            input.close();
        }
    }

    private static byte[] header(int value) {
        return new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value};
    }
}
