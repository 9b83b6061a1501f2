package com.clawseed.inspector.companion;

import android.content.Context;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** State of this process that its connections share. */
final class Bridge {
    static final int PROTOCOL = 1;
    static final String ACCESS_TOOLS = "com.clawseed.permission.ACCESS_TOOLS";

    final Context context;
    final Timers timers;
    final Handles handles = new Handles();
    final Triggers triggers;
    final Launches launches;
    /** A thread for each request that may wait; abandoned ones keep theirs. */
    final ExecutorService workers = Executors.newCachedThreadPool(Threads.named("cetp-worker"));
    /** Calls that were given up and still hold a thread. */
    final AtomicInteger abandoned = new AtomicInteger();

    Bridge(Context context, Timers timers) {
        this.context = context;
        this.timers = timers;
        this.triggers = new Triggers(this);
        this.launches = new Launches(this);
    }

    String version() {
        try {
            return context.getPackageManager().getPackageInfo(context.getPackageName(), 0).versionName;
        } catch (android.content.pm.PackageManager.NameNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
