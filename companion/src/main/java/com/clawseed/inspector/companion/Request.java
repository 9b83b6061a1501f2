package com.clawseed.inspector.companion;

import java.util.List;

/** One request in flight. It ends once: by its answer, its time-out, a cancel, or with its connection. */
final class Request {
    final long id;
    private final Connection connection;
    private boolean open = true;
    private Runnable onGiveUp;
    private Timers.Task limit;

    Request(Connection connection, long id) {
        this.connection = connection;
        this.id = id;
    }

    Handles.Owner owner() {
        return connection.owner;
    }

    /** The end that comes first counts: true for it alone. */
    synchronized boolean take() {
        if (!open) {
            return false;
        }
        open = false;
        if (limit != null) {
            limit.cancel();
        }
        return true;
    }

    /** What to do when the request ends without its answer; runs before that is told, or now where it has ended. */
    void onGiveUp(Runnable task) {
        synchronized (this) {
            if (open) {
                onGiveUp = task;
                return;
            }
        }
        task.run();
    }

    /** Gives up with TIMEOUT after so many ms. */
    synchronized void limit(Timers timers, final int timeoutMs) {
        if (open) {
            limit = timers.after(timeoutMs, new Runnable() {
                @Override
                public void run() {
                    giveUp(new ProtocolException("TIMEOUT", "No answer within " + timeoutMs + " ms"));
                }
            });
        }
    }

    /** False where it had ended already. */
    boolean giveUp(ProtocolException reason) {
        if (!take()) {
            return false;
        }
        Runnable task;
        synchronized (this) {
            task = onGiveUp;
        }
        if (task != null) {
            task.run();
        }
        connection.fail(this, reason);
        return true;
    }

    /** Answers a request that was taken. */
    void reply(String okText, List<String> handles) {
        connection.reply(this, okText, handles);
    }

    /** Refuses a request that was taken. */
    void fail(ProtocolException reason) {
        connection.fail(this, reason);
    }
}
