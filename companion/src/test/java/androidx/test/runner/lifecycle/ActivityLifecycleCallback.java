package androidx.test.runner.lifecycle;

import android.app.Activity;

/** Stands in for the class of the same name, as far as Robolectric uses it. */
public interface ActivityLifecycleCallback {
    void onActivityLifecycleChanged(Activity activity, Stage stage);
}
