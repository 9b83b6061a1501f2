package com.clawseed.inspector.companion;

import android.app.Activity;
import android.content.Context;
import android.content.Intent;
import android.os.Handler;
import android.os.Looper;
import java.util.List;

/**
 * One start of another app's activity: first the own activity comes to the front and resumes, then it starts the other
 * one for its result. After a time-out or a cancel the own activity finishes, and a later result is dropped.
 */
abstract class Launch {
    /** How long the own activity may take to come to the front (section 5). */
    private static final int FRONT_LIMIT_MS = 3000;

    final String key = Handles.randomHex(8);
    private final Request request;
    private Bridge bridge;
    private long startedAt;
    private Timers.Task frontTimer;
    private Activity activity;
    private boolean started;
    private boolean over;

    Launch(Request request) {
        this.request = request;
    }

    /** Starts the other activity. Runs on the main thread. */
    abstract void start(Activity from, int requestCode) throws ProtocolException;

    /** Further members of the answer, each with a comma before it. */
    String extraMembers() {
        return "";
    }

    void begin(Bridge bridge, int timeoutMs) {
        this.bridge = bridge;
        startedAt = bridge.timers.elapsedMs();
        request.onGiveUp(new Runnable() {
            @Override
            public void run() {
                end();
            }
        });
        request.limit(bridge.timers, timeoutMs);
        frontTimer = bridge.timers.after(FRONT_LIMIT_MS, new Runnable() {
            @Override
            public void run() {
                if (!hasStarted()) {
                    blocked("The companion did not come to the front in " + FRONT_LIMIT_MS + " ms");
                }
            }
        });
        synchronized (this) {
            if (over) {
                return;
            }
        }
        Context context = bridge.context;
        Intent intent = new Intent(context, ResultActivity.class)
                .putExtra(ResultActivity.EXTRA_KEY, key)
                .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK | Intent.FLAG_ACTIVITY_MULTIPLE_TASK
                        | Intent.FLAG_ACTIVITY_EXCLUDE_FROM_RECENTS | Intent.FLAG_ACTIVITY_NO_ANIMATION);
        try {
            context.startActivity(intent);
        } catch (RuntimeException e) {
            blocked(e.toString());
        }
    }

    /** The own activity was created, perhaps anew after a change of the configuration. */
    synchronized void onActivity(Activity own) {
        activity = own;
    }

    /** The own activity is in front. */
    void onFront(Activity own, int requestCode) {
        synchronized (this) {
            if (over || started) {
                return;
            }
            started = true;
        }
        frontTimer.cancel();
        try {
            start(own, requestCode);
        } catch (ProtocolException e) {
            request.giveUp(e);
        } catch (RuntimeException e) {
            request.giveUp(new ProtocolException("INTERNAL", e.toString()));
        }
    }

    /** The other activity has finished. */
    void onResult(final int resultCode, final Intent data) {
        if (!request.take()) {
            return;
        }
        final long elapsedMs = bridge.timers.elapsedMs() - startedAt;
        end();
        bridge.workers.execute(new Runnable() {
            @Override
            public void run() {
                answer(resultCode, data, elapsedMs);
            }
        });
    }

    private void answer(int resultCode, Intent data, long elapsedMs) {
        Handles.Batch batch = bridge.handles.newBatch();
        StringBuilder out = new StringBuilder("{\"resultCode\":").append(resultCode).append(",\"data\":");
        List<String> handles;
        try {
            BundleWriter writer = new BundleWriter(out, batch);
            writer.writeIntent(data);
            out.append(",\"elapsedMs\":").append(elapsedMs).append(extraMembers());
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
            request.fail(ProtocolException.ofProvider(e));
            return;
        } catch (Error e) {
            batch.closeAll();
            request.fail(new ProtocolException("INTERNAL", e.toString()));
            return;
        }
        request.reply(out.toString(), handles);
    }

    private void blocked(String message) {
        request.giveUp(new ProtocolException("LAUNCH_BLOCKED", message));
    }

    private synchronized boolean hasStarted() {
        return started;
    }

    /** Lets the next launch begin, and takes the own activity away. */
    private void end() {
        final Activity own;
        synchronized (this) {
            over = true;
            own = activity;
        }
        if (frontTimer != null) {
            frontTimer.cancel();
        }
        bridge.launches.end(this);
        if (own != null) {
            new Handler(Looper.getMainLooper()).post(new Runnable() {
                @Override
                public void run() {
                    own.finish();
                }
            });
        }
    }
}
