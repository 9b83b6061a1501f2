package com.clawseed.inspector.companion;

import android.app.PendingIntent;
import android.os.ParcelFileDescriptor;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The PendingIntents and descriptors that the desktop may name, for all connections of this process. */
final class Handles {
    /** Handles that one connection may hold (section 3). */
    static final int MAX_OWNED = 256;

    /** Who received handles: they end with it. */
    static final class Owner {
        private boolean gone;
        private int count;
    }

    /** The objects of one reply, which become handles together or not at all. */
    final class Batch {
        private final Map<String, Object> objects = new LinkedHashMap<String, Object>();

        String add(Object object) {
            String handle = "h-" + randomHex(12);
            objects.put(handle, object);
            return handle;
        }

        int mark() {
            return objects.size();
        }

        /** Closes and forgets what was added since the mark. */
        void rollback(int mark) {
            List<String> added = new ArrayList<String>(objects.keySet());
            for (String handle : added.subList(mark, added.size())) {
                Descriptors.close(objects.remove(handle));
            }
        }

        void closeAll() {
            rollback(0);
        }

        /** Throws TOO_MANY_HANDLES and closes every descriptor, where the owner would hold too many. */
        List<String> commit(Owner owner) throws ProtocolException {
            synchronized (Handles.this) {
                boolean fits = objects.isEmpty() || owner.count + objects.size() <= MAX_OWNED;
                if (fits && !owner.gone) {
                    for (Map.Entry<String, Object> item : objects.entrySet()) {
                        held.put(item.getKey(), new Held(item.getValue(), owner));
                        owner.count++;
                    }
                    return new ArrayList<String>(objects.keySet());
                }
                if (fits) {
                    closeAll();
                    return new ArrayList<String>();
                }
            }
            closeAll();
            throw new ProtocolException("TOO_MANY_HANDLES", "A connection holds at most " + MAX_OWNED + " handles");
        }
    }

    private static final class Held {
        final Object object;
        final Owner owner;

        Held(Object object, Owner owner) {
            this.object = object;
            this.owner = owner;
        }
    }

    private static final SecureRandom RANDOM = new SecureRandom();
    private final Map<String, Held> held = new HashMap<String, Held>();

    Batch newBatch() {
        return new Batch();
    }

    synchronized PendingIntent pendingIntent(String handle) throws ProtocolException {
        Object object = get(handle);
        if (object instanceof PendingIntent) {
            return (PendingIntent) object;
        }
        throw ProtocolException.badParams("The handle is not a PendingIntent");
    }

    /** Hands a descriptor out for reading, which consumes the handle; the caller closes it. */
    synchronized ParcelFileDescriptor takeDescriptor(String handle) throws ProtocolException {
        Object object = get(handle);
        if (!(object instanceof ParcelFileDescriptor)) {
            throw ProtocolException.badParams("The handle is not a descriptor");
        }
        remove(handle);
        return (ParcelFileDescriptor) object;
    }

    /** Unknown handles are ignored. */
    synchronized void release(List<String> handles) {
        for (String handle : handles) {
            if (held.containsKey(handle)) {
                Descriptors.close(remove(handle));
            }
        }
    }

    /** After this the owner gets no handle any more. */
    synchronized void releaseAllOf(Owner owner) {
        owner.gone = true;
        for (Map.Entry<String, Held> item : new ArrayList<Map.Entry<String, Held>>(held.entrySet())) {
            if (item.getValue().owner == owner) {
                Descriptors.close(remove(item.getKey()));
            }
        }
    }

    synchronized int size() {
        return held.size();
    }

    static String randomHex(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return PackageFacts.hex(random);
    }

    private Object get(String handle) throws ProtocolException {
        Held item = held.get(handle);
        if (item == null) {
            throw new ProtocolException("STALE_HANDLE", "No such handle");
        }
        return item.object;
    }

    private Object remove(String handle) {
        Held item = held.remove(handle);
        item.owner.count--;
        return item.object;
    }
}
