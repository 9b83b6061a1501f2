package com.clawseed.inspector.companion;

import android.content.Context;
import android.os.Bundle;
import android.os.SystemClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** The socket's server, from its start to its idle end. */
final class BridgeServer implements Connection.Listener, Triggers.Watchers {
    /** Without an authenticated connection the companion ends after this long (section 1). */
    private static final int IDLE_LIMIT_MS = 120000;
    /** Connections at once, good or not: a peer may open any number. */
    private static final int MAX_CONNECTIONS = 64;
    private static final int MAX_ACCEPT_FAILURES = 50;
    private static final int ACCEPT_RETRY_MS = 100;
    private static final int ROOT_UID = 0;
    private static final int SHELL_UID = 2000;

    private static volatile BridgeServer current;

    final Bridge bridge;
    private final Channel.Source source;
    private final String token = Handles.randomHex(32);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Set<Connection> connections = new HashSet<Connection>();
    private final Set<Connection> authenticated = new HashSet<Connection>();
    private Timers.Task idle;
    private boolean open = true;
    private final PackageWatch packageWatch = new PackageWatch() {
        @Override
        void onPackage(String action, String packageName) {
            tellPackage(action, packageName);
        }
    };

    BridgeServer(Bridge bridge, Channel.Source source) {
        this.bridge = bridge;
        this.source = source;
    }

    /** A server on a socket of the abstract namespace, or throws that it cannot be bound. */
    static BridgeServer open(Context context) throws IOException {
        Channel.Source source = new LocalSockets("cetp-inspector-" + Handles.randomHex(8));
        return new BridgeServer(new Bridge(context, new Timers.System()), source).start();
    }

    /** The server of this process; null where none is open. */
    static BridgeServer current() {
        return current;
    }

    BridgeServer start() {
        current = this;
        bridge.triggers.setWatchers(this);
        packageWatch.register(bridge.context);
        synchronized (this) {
            startIdle();
        }
        Threads.create("cetp-accept", new Runnable() {
            @Override
            public void run() {
                accept();
            }
        }).start();
        return this;
    }

    /** What the desktop needs to connect (section 1). The token is secret. */
    Bundle announcement() {
        Bundle status = new Bundle();
        status.putString("cetp.protocol", String.valueOf(Bridge.PROTOCOL));
        status.putString("cetp.socket", source.name());
        status.putString("cetp.token", token);
        status.putString("cetp.version", bridge.version());
        return status;
    }

    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** UIDs of those who are connected, for the launcher's screen. */
    synchronized List<Integer> connectedUids() {
        List<Integer> uids = new ArrayList<Integer>();
        for (Connection connection : authenticated) {
            uids.add(connection.peerUid);
        }
        return uids;
    }

    /** Those without a hello included. */
    synchronized int connectionCount() {
        return connections.size();
    }

    void end() {
        List<Connection> left;
        synchronized (this) {
            if (!open) {
                return;
            }
            open = false;
            idle.cancel();
            left = new ArrayList<Connection>(connections);
        }
        bridge.context.unregisterReceiver(packageWatch);
        bridge.triggers.setWatchers(null);
        for (Connection connection : left) {
            connection.close(false);
        }
        Descriptors.close(source);
        current = null;
        ended.countDown();
        bridge.workers.shutdown();
        bridge.timers.stop();
    }

    private void accept() {
        for (int failures = 0; failures < MAX_ACCEPT_FAILURES && isOpen();) {
            try {
                serve(source.accept());
                failures = 0;
            } catch (IOException e) {
                // Closed; or too many open files, which may pass when a Provider's descriptors are read or released.
                failures++;
                SystemClock.sleep(ACCEPT_RETRY_MS);
            }
        }
        end();
    }

    private synchronized boolean isOpen() {
        return open;
    }

    /** Only adb's shell and root are served. */
    private void serve(Channel channel) {
        int uid;
        try {
            uid = channel.peerUid();
        } catch (IOException e) {
            uid = -1;
        }
        synchronized (this) {
            if (open && (uid == SHELL_UID || uid == ROOT_UID) && connections.size() < MAX_CONNECTIONS) {
                final Connection connection = new Connection(bridge, channel, uid, token, this);
                connections.add(connection);
                Threads.create("cetp-reader", new Runnable() {
                    @Override
                    public void run() {
                        connection.run();
                    }
                }).start();
                return;
            }
        }
        Descriptors.close(channel);
    }

    @Override
    public synchronized void onAuthenticated(Connection connection) {
        if (connections.contains(connection)) {
            authenticated.add(connection);
            idle.cancel();
        }
    }

    @Override
    public synchronized void onClosed(Connection connection) {
        connections.remove(connection);
        if (authenticated.remove(connection) && authenticated.isEmpty() && open) {
            startIdle();
        }
    }

    private void startIdle() {
        if (idle != null) {
            idle.cancel();
        }
        idle = bridge.timers.after(IDLE_LIMIT_MS, new Runnable() {
            @Override
            public void run() {
                if (connectedUids().isEmpty()) {
                    end();
                }
            }
        });
    }

    private void tellPackage(String action, String packageName) {
        StringBuilder data = new StringBuilder("{\"action\":\"").append(action).append("\",\"package\":");
        Json.writeString(data, packageName);
        data.append('}');
        for (Connection connection : ready()) {
            if (connection.watchesPackages) {
                connection.sendEvent("package", data.toString());
            }
        }
    }

    @Override
    public void onTrigger(String head, Bundle extras) {
        for (Connection connection : ready()) {
            if (connection.watchesTriggers) {
                Handles.Batch batch = bridge.handles.newBatch();
                StringBuilder data = new StringBuilder(head).append(",\"extras\":");
                try {
                    new BundleWriter(data, batch).writeBundle(extras);
                    batch.commit(connection.owner);
                } catch (ProtocolException e) {
                    continue;
                } catch (RuntimeException e) {
                    batch.closeAll();
                    continue;
                }
                connection.sendEvent("trigger", data.append('}').toString());
            }
        }
    }

    private synchronized List<Connection> ready() {
        return new ArrayList<Connection>(authenticated);
    }
}
