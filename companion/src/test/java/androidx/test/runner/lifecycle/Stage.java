package androidx.test.runner.lifecycle;

/** Stands in for the class of the same name, as far as Robolectric uses it. */
public enum Stage {
    PRE_ON_CREATE, CREATED, STARTED, RESUMED, PAUSED, STOPPED, RESTARTED, DESTROYED
}
