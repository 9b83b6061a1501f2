package androidx.test.runner.intent;

/** Stands in for the class of the same name, as far as Robolectric uses it. */
public final class IntentStubberRegistry {
    private IntentStubberRegistry() {}

    public static boolean isLoaded() {
        return false;
    }

    public static IntentStubber getInstance() {
        throw new IllegalStateException("No stubber");
    }
}
