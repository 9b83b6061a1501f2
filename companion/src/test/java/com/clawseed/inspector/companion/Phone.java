package com.clawseed.inspector.companion;

import static org.robolectric.Shadows.shadowOf;

import android.Manifest;
import android.app.Activity;
import android.app.Application;
import android.app.PendingIntent;
import android.content.ActivityNotFoundException;
import android.content.ComponentName;
import android.content.ContentProvider;
import android.content.IContentProvider;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.IntentSender;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.ComponentInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PermissionInfo;
import android.content.pm.ProviderInfo;
import android.content.pm.ServiceInfo;
import android.content.pm.Signature;
import android.content.pm.SigningInfo;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.Process;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.shadows.ShadowSigningInfo;

/** The device around the companion: its packages, Providers and activities, those of the vectors unless said otherwise. */
class Phone {
    static final String AUTHORITY = "org.example.echo.clawseed.tools";
    private static final String NOBODY = "org.example.permission.NOBODY_DEFINES";

    static Phone current;

    final Application app = RuntimeEnvironment.getApplication();
    final Map<String, ContentProvider> providers = new HashMap<>();
    /** Permissions whose definer was removed. */
    final Set<String> undefined = ConcurrentHashMap.newKeySet();
    boolean blockActivities;
    /** Answers come without a Parcel, for what the Parcel of the tests cannot carry. */
    boolean direct;
    Bundle lastOptions;
    /** The own activity's Intent that a vendor's rule kept back. */
    Intent lastBlocked;
    /** UID of each installed package. */
    private final Map<String, Integer> uids = new HashMap<>();
    private final ShadowPackageManager packages = shadowOf(app.getPackageManager());

    /** With the packages of the vectors. */
    Phone() {
        this(Phone.class);
        PermissionInfo accessTools = new PermissionInfo();
        accessTools.name = Bridge.ACCESS_TOOLS;
        accessTools.packageName = "org.example.notes";
        packages.addPermissionInfo(accessTools);
        shadowOf(app).grantPermissions(Bridge.ACCESS_TOOLS);
        cetp("org.example.notes", "Field Notes", "4.2.1", 421, Bridge.ACCESS_TOOLS, true, true);
        packages.getInternalMutablePackageInfo("org.example.notes").permissions = new PermissionInfo[] {accessTools};
        cetp("org.example.echo", "Echo", "1.0", 1, Bridge.ACCESS_TOOLS, true, true);
        odd("hiddenprovider", Bridge.ACCESS_TOOLS, false, true);
        odd("sleepingprovider", Bridge.ACCESS_TOOLS, true, false);
        odd("nopermission", NOBODY, true, true);
        agent();
        providers.put(AUTHORITY, Robolectric.buildContentProvider(EchoProvider.class).create(AUTHORITY).get());
    }

    /** With nothing but the companion. */
    Phone(Class<? extends Phone> kind) {
        current = this;
        shadowOf(app).grantPermissions(Manifest.permission.QUERY_ALL_PACKAGES);
        sign(packages.getInternalMutablePackageInfo(app.getPackageName()), app.getPackageName().getBytes());
    }

    private void odd(String name, String permission, boolean exported, boolean enabled) {
        cetp("org.example.odd." + name, "Odd " + name, "1.0", 1, permission, exported, enabled);
    }

    /** A package with a Service of the action and the Provider that its meta-data names. */
    PackageInfo cetp(String name, String label, String version, int code, String permission, boolean exported,
            boolean enabled) {
        PackageInfo info = packageOf(name, label, version, code);
        ServiceInfo service = component(new ServiceInfo(), info, name + ".cetp.ToolProviderService");
        service.exported = true;
        service.metaData = new Bundle();
        service.metaData.putString("com.clawseed.tools.authority", name + ".clawseed.tools");
        service.metaData.putInt("com.clawseed.tools.version", 1);
        ProviderInfo provider = component(new ProviderInfo(), info, name + ".cetp.ToolProvider");
        provider.authority = name + ".clawseed.tools";
        provider.exported = exported;
        provider.enabled = enabled;
        provider.readPermission = permission;
        provider.writePermission = permission;
        provider.initOrder = 100;
        packages.installPackage(info);
        packages.addOrUpdateService(service);
        packages.addOrUpdateProvider(provider);
        filter(service, "com.clawseed.action.TOOL_PROVIDER");
        return info;
    }

    private void agent() {
        PackageInfo info = packageOf("org.example.agent", "Sample Agent", "2.0", 20);
        packages.installPackage(info);
        for (String name : new String[] {"Install", "Propose", "Silent", "Open", "Hidden", "Guarded"}) {
            ActivityInfo activity = component(new ActivityInfo(), info, "org.example.agent." + name);
            activity.exported = !name.equals("Hidden");
            activity.permission = name.equals("Guarded") ? NOBODY : null;
            packages.addOrUpdateActivity(activity);
            if (name.equals("Install")) {
                filter(activity, "agent.provider.action.INSTALL_AGENT");
            } else if (name.equals("Propose")) {
                filter(activity, "agent.provider.action.HANDLE_PROPOSAL");
            }
        }
    }

    PackageInfo packageOf(String name, String label, String version, int code) {
        PackageInfo info = new PackageInfo();
        info.packageName = name;
        info.versionName = version;
        setVersion(info, code);
        sign(info, name.getBytes());
        info.applicationInfo = new ApplicationInfo();
        info.applicationInfo.packageName = name;
        info.applicationInfo.processName = name;
        info.applicationInfo.nonLocalizedLabel = label;
        info.applicationInfo.enabled = true;
        info.applicationInfo.uid = 10200 + uids.size();
        uids.put(name, info.applicationInfo.uid);
        return info;
    }

    @SuppressWarnings("deprecation") // What API 26 and 27 have.
    private static void setVersion(PackageInfo info, int code) {
        info.versionCode = code;
    }

    @SuppressWarnings("deprecation")
    static void sign(PackageInfo info, byte[] certificate) {
        Signature[] signatures = {new Signature(certificate)};
        if (Build.VERSION.SDK_INT < 28) {
            info.signatures = signatures;
        } else {
            info.signingInfo = signedBy(signatures);
        }
    }

    static SigningInfo signedBy(String... signers) {
        Signature[] signatures = new Signature[signers.length];
        for (int i = 0; i < signers.length; i++) {
            signatures[i] = new Signature(signers[i].getBytes());
        }
        return signedBy(signatures);
    }

    private static SigningInfo signedBy(Signature[] signatures) {
        SigningInfo signing = new SigningInfo();
        ShadowSigningInfo shadow = Shadow.extract(signing);
        shadow.setSignatures(signatures);
        return signing;
    }

    <T extends ComponentInfo> T component(T component, PackageInfo info, String name) {
        component.packageName = info.packageName;
        component.name = name;
        component.processName = info.packageName;
        component.enabled = true;
        component.applicationInfo = info.applicationInfo;
        return component;
    }

    void filter(ComponentInfo component, String action) {
        ComponentName name = new ComponentName(component.packageName, component.name);
        if (component instanceof ServiceInfo) {
            packages.addIntentFilterForService(name, new IntentFilter(action));
        } else {
            packages.addIntentFilterForActivity(name, new IntentFilter(action));
        }
    }

    ShadowPackageManager packages() {
        return packages;
    }

    int uidOf(String packageName) {
        return uids.get(packageName);
    }

    // What the system does at a call.

    IContentProvider acquire(String authority) {
        ProviderInfo info = app.getPackageManager().resolveContentProvider(authority, 0);
        if (info == null) {
            return null;
        }
        String permission = info.readPermission;
        if (!info.exported) {
            throw new SecurityException("Permission Denial: opening provider " + info.name + " from ProcessRecord{"
                    + Process.myUid() + "} that is not exported from UID " + info.applicationInfo.uid);
        }
        if (permission != null && app.checkSelfPermission(permission) != PackageManager.PERMISSION_GRANTED) {
            throw new SecurityException("Permission Denial: opening provider " + info.name + " from ProcessRecord{"
                    + Process.myUid() + "} requires " + permission + " or " + permission);
        }
        ContentProvider provider = providers.get(authority);
        return provider == null ? null : RemoteProvider.of(provider, direct);
    }

    // What the system does with activities.

    void send(ResultActivity from, PendingIntent target, int requestCode, Bundle options)
            throws IntentSender.SendIntentException {
        lastOptions = options;
        String action = shadowOf(target).getSavedIntent().getAction();
        if (action.equals("intent_dead")) {
            throw new IntentSender.SendIntentException();
        }
        if (!action.equals("intent_open")) {
            finish(from, requestCode, action.equals("intent_ok") ? Activity.RESULT_OK : Activity.RESULT_CANCELED, null);
        }
    }

    void start(ResultActivity from, Intent intent, int requestCode) {
        ActivityInfo info;
        try {
            info = app.getPackageManager().getActivityInfo(intent.getComponent(), 0);
        } catch (PackageManager.NameNotFoundException e) {
            throw new ActivityNotFoundException("Unable to find explicit activity class " + intent.getComponent());
        }
        if (!info.exported) {
            throw new SecurityException("Permission Denial: starting " + intent + " not exported");
        }
        if (info.permission != null) {
            throw new SecurityException("Permission Denial: starting " + intent + " requires " + info.permission);
        }
        if (info.name.endsWith(".Open")) {
            return;
        }
        Intent data = null;
        if (!info.name.endsWith(".Silent")) {
            data = new Intent("agent.provider.action.RESULT");
            data.putExtras(intent.getExtras() == null ? new Bundle() : intent.getExtras());
        }
        finish(from, requestCode, data == null ? Activity.RESULT_CANCELED : Activity.RESULT_OK, data);
    }

    void finish(ResultActivity from, int requestCode, int resultCode, Intent data) {
        new Handler(Looper.getMainLooper()).post(() -> from.onActivityResult(requestCode, resultCode, data));
    }

    // What happens on the phone.

    void remove(String packageName) {
        packages.removePackage(packageName);
        broadcast(Intent.ACTION_PACKAGE_REMOVED, packageName, false);
    }

    /** Installs the agent, or what is there already once more. */
    void install(String packageName) {
        boolean again = packages.getInternalMutablePackageInfo(packageName) != null;
        if (!again) {
            agent();
        } else {
            broadcast(Intent.ACTION_PACKAGE_REMOVED, packageName, true);
        }
        broadcast(Intent.ACTION_PACKAGE_ADDED, packageName, again);
        if (again) {
            broadcast(Intent.ACTION_PACKAGE_REPLACED, packageName, true);
        }
    }

    void broadcast(String action, String packageName, boolean replacing) {
        app.sendBroadcast(new Intent(action, Uri.fromParts("package", packageName, null))
                .putExtra(Intent.EXTRA_REPLACING, replacing));
        pump();
    }

    /** Runs what the main thread has to do, and brings started activities of the app to the front. */
    void pump() {
        shadowOf(Looper.getMainLooper()).idle();
        for (Intent started = shadowOf(app).getNextStartedActivity(); started != null;
                started = shadowOf(app).getNextStartedActivity()) {
            if (blockActivities) {
                lastBlocked = started;
            } else if (started.getComponent().getClassName().equals(ResultActivity.class.getName())) {
                ActivityController<ResultActivity> own = Robolectric.buildActivity(ResultActivity.class, started);
                own.setup();
                shadowOf(Looper.getMainLooper()).idle();
            }
        }
    }
}
