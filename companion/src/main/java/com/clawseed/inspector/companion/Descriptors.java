package com.clawseed.inspector.companion;

import android.os.Bundle;
import java.util.Collection;

/** Closes descriptors that nobody will read, wherever they are in a Bundle. */
final class Descriptors {
    private static final int MAX_DEPTH = 64;

    private Descriptors() {}

    static void close(Object value) {
        close(value, 0);
    }

    private static void close(Object value, int depth) {
        if (value == null || depth > MAX_DEPTH) {
            return;
        }
        if (value instanceof Bundle) {
            closeBundle((Bundle) value, depth);
        } else if (value instanceof Object[]) {
            for (Object item : (Object[]) value) {
                close(item, depth + 1);
            }
        } else if (value instanceof Collection) {
            for (Object item : (Collection<?>) value) {
                close(item, depth + 1);
            }
        } else if (value instanceof AutoCloseable) {
            // ParcelFileDescriptor, AssetFileDescriptor, SharedMemory and their like.
            try {
                ((AutoCloseable) value).close();
            } catch (Exception e) {
                // It is lost anyhow; a Provider may have broken it.
            }
        }
    }

    private static void closeBundle(Bundle bundle, int depth) {
        try {
            for (String key : bundle.keySet()) {
                try {
                    close(bundle.get(key), depth + 1);
                } catch (RuntimeException e) {
                    // A value that cannot be unparcelled is freed with its Parcel.
                }
            }
        } catch (RuntimeException e) {
            // The same for a whole Bundle.
        }
    }
}
