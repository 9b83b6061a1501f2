package androidx.test.runner.intent;

/** Stands in for the class of the same name, as far as Robolectric uses it. */
public final class IntentMonitorRegistry {
    private IntentMonitorRegistry() {}

    public static void registerInstance(IntentMonitor instance) {}
}
