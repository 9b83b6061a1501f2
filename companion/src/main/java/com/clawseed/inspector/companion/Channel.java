package com.clawseed.inspector.companion;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** One accepted connection, and where connections come from. On a device these are local sockets. */
interface Channel extends Closeable {
    /** UID of the process at the other end. */
    int peerUid() throws IOException;

    InputStream input() throws IOException;

    OutputStream output() throws IOException;

    /** Ends reads and writes that wait in other threads. */
    @Override
    void close() throws IOException;

    interface Source extends Closeable {
        /** The name that the desktop is told. */
        String name();

        /** Waits for the next connection; throws once the source is closed. */
        Channel accept() throws IOException;
    }
}
