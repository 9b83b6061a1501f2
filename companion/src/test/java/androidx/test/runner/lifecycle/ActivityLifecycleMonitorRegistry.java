package androidx.test.runner.lifecycle;

/** Stands in for the class of the same name, as far as Robolectric uses it. */
public final class ActivityLifecycleMonitorRegistry {
    private static ActivityLifecycleMonitor monitor;

    private ActivityLifecycleMonitorRegistry() {}

    public static void registerInstance(ActivityLifecycleMonitor instance) {
        monitor = instance;
    }

    public static ActivityLifecycleMonitor getInstance() {
        return monitor;
    }
}
