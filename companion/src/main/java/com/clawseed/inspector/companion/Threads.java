package com.clawseed.inspector.companion;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads with names that a thread dump can be read by. */
final class Threads {
    private Threads() {}

    static ThreadFactory named(final String name) {
        final AtomicInteger count = new AtomicInteger();
        return new ThreadFactory() {
            @Override
            public Thread newThread(Runnable task) {
                return create(name + "-" + count.incrementAndGet(), task);
            }
        };
    }

    static Thread create(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
