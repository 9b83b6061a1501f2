package com.clawseed.inspector.companion;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.Service;
import android.content.Intent;
import android.os.Bundle;
import android.os.IBinder;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * The fallback where a vendor refuses instrumentation: {@code am start-foreground-service -n PKG/.BridgeService}, then
 * {@code dumpsys activity service PKG/.BridgeService --announce}, which prints what instrumentation would have
 * reported. Both need the permission DUMP, which the shell holds and no app can get.
 */
public final class BridgeService extends Service {
    /** Without it nothing secret is printed: bug reports dump every service. */
    private static final String ANNOUNCE = "--announce";
    private static final String CHANNEL = "bridge";
    private static final int NOTIFICATION = 1;

    private BridgeServer server;
    private String failure = "not started";

    @Override
    public int onStartCommand(Intent intent, int flags, int startId) {
        startForeground(NOTIFICATION, notification());
        if (BridgeServer.current() == null) {
            open();
        }
        return START_NOT_STICKY;
    }

    @Override
    protected void dump(FileDescriptor fd, PrintWriter out, String[] args) {
        if (server == null || BridgeServer.current() != server) {
            out.println("cetp.error=" + failure);
            return;
        }
        if (!Arrays.asList(args == null ? new String[0] : args).contains(ANNOUNCE)) {
            out.println("cetp.connected=" + server.connectedUids().size());
            return;
        }
        Bundle announcement = server.announcement();
        for (String key : new TreeSet<String>(announcement.keySet())) {
            out.println(key + "=" + announcement.getString(key));
        }
    }

    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }

    @Override
    public void onDestroy() {
        if (server != null) {
            server.end();
        }
        super.onDestroy();
    }

    private void open() {
        try {
            adopt(BridgeServer.open(getApplicationContext()));
        } catch (IOException e) {
            failure = "The socket could not be opened: " + e.getMessage();
            stopSelf();
        }
    }

    /** Lives as long as the server does. */
    void adopt(final BridgeServer opened) {
        server = opened;
        failure = "ended";
        Threads.create("cetp-service", new Runnable() {
            @Override
            public void run() {
                try {
                    opened.awaitEnd();
                } catch (InterruptedException e) {
                    // The process is ending.
                }
                stopSelf();
            }
        }).start();
    }

    private Notification notification() {
        NotificationManager manager = getSystemService(NotificationManager.class);
        manager.createNotificationChannel(new NotificationChannel(
                CHANNEL, getText(R.string.channel), NotificationManager.IMPORTANCE_LOW));
        return new Notification.Builder(this, CHANNEL)
                .setSmallIcon(R.drawable.ic_notification)
                .setContentTitle(getText(R.string.app_name))
                .setContentText(getText(R.string.notification))
                .setOngoing(true)
                .build();
    }
}
