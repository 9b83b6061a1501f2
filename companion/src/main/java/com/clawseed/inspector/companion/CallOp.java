package com.clawseed.inspector.companion;

import android.content.ContentProviderClient;
import android.content.Context;
import android.os.Bundle;
import android.os.DeadObjectException;
import android.os.RemoteException;
import android.os.TransactionTooLargeException;
import java.util.List;

/**
 * {@code call}: through an unstable client, so that a Provider that dies does not take this process with it. Neither
 * acquiring nor calling can be interrupted: a thread whose request was given up is abandoned, and what it brings late
 * is closed.
 */
final class CallOp implements Runnable {
    /** Threads that abandoned calls may hold before {@code call} is refused (section 5). */
    static final int MAX_ABANDONED = 32;

    private final Bridge bridge;
    private final Request request;
    private final String authority;
    private final String method;
    private final String arg;
    private final Bundle extras;

    private CallOp(Bridge bridge, Request request, Params params) throws ProtocolException {
        this.bridge = bridge;
        this.request = request;
        this.authority = params.string("authority");
        this.method = params.string("method");
        this.arg = params.optionalString("arg");
        this.extras = params.optionalBundle("extras");
    }

    static void start(final Bridge bridge, Params params, Request request) throws ProtocolException {
        CallOp call = new CallOp(bridge, request, params);
        int timeoutMs = params.timeoutMs();
        if (bridge.abandoned.get() >= MAX_ABANDONED) {
            throw new ProtocolException("BUSY", MAX_ABANDONED + " abandoned calls still hold their threads");
        }
        request.onGiveUp(new Runnable() {
            @Override
            public void run() {
                bridge.abandoned.incrementAndGet();
            }
        });
        request.limit(bridge.timers, timeoutMs);
        bridge.workers.execute(call);
    }

    @Override
    public void run() {
        long startedAt = bridge.timers.elapsedMs();
        Bundle result = null;
        ProtocolException failure = null;
        try {
            result = call();
        } catch (ProtocolException e) {
            failure = e;
        } catch (Throwable e) {
            failure = new ProtocolException("INTERNAL", e.toString());
        }
        if (!request.take()) {
            Descriptors.close(result);
            bridge.abandoned.decrementAndGet();
        } else if (failure != null) {
            request.fail(failure);
        } else {
            answer(result, bridge.timers.elapsedMs() - startedAt);
        }
    }

    private Bundle call() throws ProtocolException {
        ContentProviderClient client;
        try {
            client = bridge.context.getContentResolver().acquireUnstableContentProviderClient(authority);
        } catch (SecurityException e) {
            throw new ProtocolException("SECURITY", e.getMessage());
        }
        if (client == null) {
            throw new ProtocolException("UNKNOWN_AUTHORITY", "Unknown authority " + authority,
                    "{\"resolved\":" + isKnown(bridge.context, authority) + "}");
        }
        try {
            return client.call(method, arg, extras);
        } catch (DeadObjectException e) {
            throw new ProtocolException("DEAD_PROVIDER", wordsOf(e));
        } catch (TransactionTooLargeException e) {
            throw new ProtocolException("REQUEST_TOO_LARGE", wordsOf(e));
        } catch (RemoteException e) {
            throw ProtocolException.ofProvider(e);
        } catch (RuntimeException e) {
            throw ProtocolException.ofProvider(e);
        } finally {
            client.close();
        }
    }

    /** Whether the system knows the authority all the same: then it did not start. */
    private static boolean isKnown(Context context, String authority) {
        return context.getPackageManager().resolveContentProvider(authority, 0) != null;
    }

    private static String wordsOf(Exception e) {
        return e.getMessage() == null ? e.getClass().getName() : e.getMessage();
    }

    private void answer(Bundle result, long elapsedMs) {
        Handles.Batch batch = bridge.handles.newBatch();
        List<String> handles;
        StringBuilder out = new StringBuilder("{\"result\":");
        try {
            BundleWriter writer = new BundleWriter(out, batch);
            if (result == null) {
                out.append("null");
            } else {
                writer.writeBundle(result);
            }
            out.append(",\"elapsedMs\":").append(elapsedMs);
            if (writer.nullKeys() > 0) {
                out.append(",\"nullKeys\":").append(writer.nullKeys());
            }
            out.append('}');
            handles = batch.commit(request.owner());
        } catch (ProtocolException e) {
            request.fail(e);
            return;
        } catch (RuntimeException e) {
            batch.closeAll();
            Descriptors.close(result);
            request.fail(ProtocolException.ofProvider(e));
            return;
        } catch (Error e) {
            batch.closeAll();
            request.fail(new ProtocolException("INTERNAL", e.toString()));
            return;
        }
        request.reply(out.toString(), handles);
    }
}
