package com.clawseed.inspector.companion;

import android.os.SystemClock;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Time that passes, and what happens when it has. Tests move it by hand. */
interface Timers {
    /** Ms since boot, sleep included. */
    long elapsedMs();

    /** Ms since 1970, as the device's own clock says. */
    long wallClockMs();

    /** Runs the task once, unless it is cancelled before; the task must not block. */
    Task after(long delayMs, Runnable task);

    void stop();

    interface Task {
        void cancel();
    }

    /** One daemon thread. */
    final class System implements Timers {
        private final ScheduledThreadPoolExecutor executor;

        System() {
            executor = new ScheduledThreadPoolExecutor(1, Threads.named("cetp-timer"));
            executor.setRemoveOnCancelPolicy(true);
        }

        @Override
        public long elapsedMs() {
            return SystemClock.elapsedRealtime();
        }

        @Override
        public long wallClockMs() {
            return java.lang.System.currentTimeMillis();
        }

        @Override
        public Task after(long delayMs, Runnable task) {
            final ScheduledFuture<?> future;
            try {
                future = executor.schedule(task, delayMs, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                // The bridge has ended, and with it all that could be late.
                return NOTHING;
            }
            return new Task() {
                @Override
                public void cancel() {
                    future.cancel(false);
                }
            };
        }

        @Override
        public void stop() {
            executor.shutdownNow();
        }

        private static final Task NOTHING = new Task() {
            @Override
            public void cancel() {}
        };
    }
}
