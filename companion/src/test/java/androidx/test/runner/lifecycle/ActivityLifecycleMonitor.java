package androidx.test.runner.lifecycle;

import android.app.Activity;

/** Stands in for the class of the same name, as far as Robolectric uses it. */
public interface ActivityLifecycleMonitor {
    void addLifecycleCallback(ActivityLifecycleCallback callback);

    void removeLifecycleCallback(ActivityLifecycleCallback callback);

    Stage getLifecycleStageOf(Activity activity);
}
