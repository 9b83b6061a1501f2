package com.clawseed.inspector.companion;

import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.PendingIntent;
import android.content.ComponentName;
import android.content.ContentProvider;
import android.content.Context;
import android.content.ContextWrapper;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PermissionInfo;
import android.content.pm.ProviderInfo;
import android.content.pm.ServiceInfo;
import android.os.Bundle;
import android.os.Process;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import com.clawseed.inspector.sample.AlertsProvider;
import com.clawseed.inspector.sample.ConfirmActivity;
import com.clawseed.inspector.sample.NotesProvider;
import java.util.function.Consumer;
import org.robolectric.Robolectric;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.shadows.ShadowBinder;
import org.robolectric.shadows.ShadowPendingIntent;

/** A device on which the app of {@code sample-provider/} can be installed, whose own code then answers. */
final class SamplePhone extends Phone {
    static final String PACKAGE = "com.clawseed.inspector.sample";

    /** The sample's screen in front, the own activity behind it, and the code that it was started with. */
    private Activity screen;
    private ResultActivity behind;
    private int requestCode;

    SamplePhone() {
        super(SamplePhone.class);
        // What a Provider in another process sees of the companion.
        ShadowBinder.setCallingUid(Process.myUid());
    }

    /** Loads what the first activity needs, which takes Robolectric longer than the companion waits for its own. */
    void warmUp() {
        Robolectric.buildActivity(ResultActivity.class, new Intent()).setup().destroy();
        Robolectric.buildActivity(ConfirmActivity.class, new Intent()).setup().destroy();
    }

    /** Installs what the sample's manifest says, under this UID and signed with this certificate (DER). */
    void installSample(int uid, byte[] certificate) {
        boolean again = providers.containsKey(PACKAGE + ".notes");
        PackageInfo info = packageOf(PACKAGE, "CETP Sample Provider", "1.0.0", 1);
        info.applicationInfo.uid = uid;
        sign(info, certificate);
        PermissionInfo accessTools = new PermissionInfo();
        accessTools.name = Bridge.ACCESS_TOOLS;
        accessTools.packageName = PACKAGE;
        info.permissions = new PermissionInfo[] {accessTools};
        packages().addPermissionInfo(accessTools);
        undefined.clear();
        packages().installPackage(info);
        service(info, "Notes", metaData -> metaData.putInt("com.clawseed.tools.version", 1));
        service(info, "Alerts", metaData -> {
            metaData.putInt("com.clawseed.tools.version", 2);
            metaData.putString("com.clawseed.tools.versions", "2");
        });
        provider(info, "Notes", new NotesProvider());
        provider(info, "Alerts", new AlertsProvider());
        packages().addOrUpdateActivity(component(new ActivityInfo(), info, PACKAGE + ".ConfirmActivity"));
        announce(Intent.ACTION_PACKAGE_ADDED, again);
    }

    void removeSample() {
        providers.clear();
        packages().removePackage(PACKAGE);
        undefined.add(Bridge.ACCESS_TOOLS);
        announce(Intent.ACTION_PACKAGE_REMOVED, false);
    }

    private void announce(String action, boolean replacing) {
        broadcast(action, PACKAGE, replacing);
        if (replacing) {
            broadcast(Intent.ACTION_PACKAGE_REPLACED, PACKAGE, true);
        }
    }

    private void service(PackageInfo info, String name, Consumer<Bundle> versions) {
        ServiceInfo service = component(new ServiceInfo(), info, PACKAGE + "." + name + "Service");
        service.exported = true;
        service.metaData = new Bundle();
        service.metaData.putString("com.clawseed.tools.authority", PACKAGE + "." + name.toLowerCase());
        versions.accept(service.metaData);
        packages().addOrUpdateService(service);
        filter(service, "com.clawseed.action.TOOL_PROVIDER");
    }

    private void provider(PackageInfo info, String name, ContentProvider code) {
        ProviderInfo provider = component(new ProviderInfo(), info, PACKAGE + "." + name + "Provider");
        provider.authority = PACKAGE + "." + name.toLowerCase();
        provider.exported = true;
        provider.readPermission = Bridge.ACCESS_TOOLS;
        provider.writePermission = Bridge.ACCESS_TOOLS;
        provider.initOrder = 100;
        packages().addOrUpdateProvider(provider);
        code.attachInfo(new SampleContext(app), provider);
        providers.put(provider.authority, new InOwnProcess(code, info.applicationInfo.uid));
    }

    /** What {@code Context} is to the sample's code. */
    private static final class SampleContext extends ContextWrapper {
        SampleContext(Context base) {
            super(base);
        }

        @Override
        public String getPackageName() {
            return PACKAGE;
        }

        @Override
        public Context getApplicationContext() {
            return this;
        }
    }

    /** The sample's Provider as its own process would run it: its PendingIntents are its own app's. */
    private static final class InOwnProcess extends EchoProvider {
        private final ContentProvider code;
        private final int uid;

        InOwnProcess(ContentProvider code, int uid) {
            this.code = code;
            this.uid = uid;
        }

        @Override
        public Bundle call(String method, String arg, Bundle extras) {
            Bundle answer = code.call(method, arg, extras);
            for (String key : answer.keySet()) {
                if (answer.get(key) instanceof PendingIntent) {
                    ShadowPendingIntent made = Shadow.extract(answer.get(key));
                    made.setCreatorPackage(SamplePhone.PACKAGE);
                    made.setCreatorUid(uid);
                }
            }
            return answer;
        }
    }

    @Override
    void send(ResultActivity from, PendingIntent target, int code, Bundle options) {
        lastOptions = options;
        Intent intent = shadowOf(target).getSavedIntent();
        if (!new ComponentName(PACKAGE, ConfirmActivity.class.getName()).equals(intent.getComponent())) {
            throw new AssertionError("Not the sample's: " + intent);
        }
        behind = from;
        requestCode = code;
        screen = Robolectric.buildActivity(ConfirmActivity.class, intent).setup().get();
        giveBackWhereFinished();
    }

    /** What the sample's screen shows, a line for each text; null where it is not in front. */
    String screenText() {
        if (screen == null) {
            return null;
        }
        StringBuilder all = new StringBuilder();
        visit(screen.findViewById(android.R.id.content), text -> all.append(text.getText()).append('\n'));
        return all.toString().trim();
    }

    /** Presses the button, or the device's own Back. Answers whether there was something to press. */
    boolean tap(String label) {
        if (screen == null) {
            return false;
        }
        boolean[] found = {false};
        if (label.equals("Back")) {
            screen.finish();
            found[0] = true;
        } else {
            visit(screen.findViewById(android.R.id.content), text -> {
                if (text.isClickable() && label.contentEquals(text.getText())) {
                    found[0] = text.performClick();
                }
            });
        }
        giveBackWhereFinished();
        return found[0];
    }

    private void giveBackWhereFinished() {
        if (screen.isFinishing()) {
            ShadowActivity shadow = shadowOf(screen);
            screen = null;
            finish(behind, requestCode, shadow.getResultCode(), shadow.getResultIntent());
        }
    }

    private static void visit(View view, Consumer<TextView> visitor) {
        if (view instanceof TextView) {
            visitor.accept((TextView) view);
        } else if (view instanceof ViewGroup) {
            for (int i = 0; i < ((ViewGroup) view).getChildCount(); i++) {
                visit(((ViewGroup) view).getChildAt(i), visitor);
            }
        }
    }
}
