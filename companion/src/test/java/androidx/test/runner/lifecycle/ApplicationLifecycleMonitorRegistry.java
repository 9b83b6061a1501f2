package androidx.test.runner.lifecycle;

/** Stands in for the class of the same name, as far as Robolectric uses it. */
public final class ApplicationLifecycleMonitorRegistry {
    private ApplicationLifecycleMonitorRegistry() {}

    public static void registerInstance(ApplicationLifecycleMonitor instance) {}
}
