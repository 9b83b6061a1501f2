package com.clawseed.inspector.companion;

import java.util.ArrayList;
import java.util.List;

/** Time that only a test moves; what is due runs on the test's thread, in order. */
final class ManualTimers implements Timers {
    private final List<Entry> entries = new ArrayList<>();
    private long now = 1_000_000;

    private final class Entry implements Task {
        final long due;
        final Runnable task;

        Entry(long due, Runnable task) {
            this.due = due;
            this.task = task;
        }

        @Override
        public void cancel() {
            synchronized (ManualTimers.this) {
                entries.remove(this);
            }
        }
    }

    @Override
    public synchronized long elapsedMs() {
        return now;
    }

    @Override
    public synchronized long wallClockMs() {
        return 1_790_000_000_000L + now;
    }

    @Override
    public synchronized Task after(long delayMs, Runnable task) {
        Entry entry = new Entry(now + delayMs, task);
        entries.add(entry);
        return entry;
    }

    @Override
    public synchronized void stop() {
        entries.clear();
    }

    void advance(long ms) {
        long end = elapsedMs() + ms;
        for (;;) {
            Entry next = null;
            synchronized (this) {
                for (Entry entry : entries) {
                    if (entry.due <= end && (next == null || entry.due < next.due)) {
                        next = entry;
                    }
                }
                if (next == null) {
                    now = end;
                    return;
                }
                now = Math.max(now, next.due);
                entries.remove(next);
            }
            next.task.run();
        }
    }
}
