package androidx.test.internal.runner.lifecycle;

import android.app.Activity;
import androidx.test.runner.lifecycle.ActivityLifecycleCallback;
import androidx.test.runner.lifecycle.ActivityLifecycleMonitor;
import androidx.test.runner.lifecycle.Stage;
import java.util.Map;
import java.util.WeakHashMap;

/** Stands in for the class of the same name, as far as Robolectric uses it. */
public final class ActivityLifecycleMonitorImpl implements ActivityLifecycleMonitor {
    private final Map<Activity, Stage> stages = new WeakHashMap<>();

    public void signalLifecycleChange(Stage stage, Activity activity) {
        stages.put(activity, stage);
    }

    @Override
    public void addLifecycleCallback(ActivityLifecycleCallback callback) {}

    @Override
    public void removeLifecycleCallback(ActivityLifecycleCallback callback) {}

    @Override
    public Stage getLifecycleStageOf(Activity activity) {
        return stages.getOrDefault(activity, Stage.PRE_ON_CREATE);
    }
}
