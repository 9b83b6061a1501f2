package androidx.test.runner.intent;

import android.app.Instrumentation.ActivityResult;
import android.content.Intent;

/** Stands in for the class of the same name, as far as Robolectric uses it. */
public interface IntentStubber {
    ActivityResult getActivityResultForIntent(Intent intent);
}
