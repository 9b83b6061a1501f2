package androidx.test.runner.intent;

/** Stands in for the class of the same name, as far as Robolectric uses it. */
public interface IntentMonitor {}
