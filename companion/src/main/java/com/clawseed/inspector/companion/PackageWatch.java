package com.clawseed.inspector.companion;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.net.Uri;

/** Tells of packages that come, change and go while the bridge is open. */
abstract class PackageWatch extends BroadcastReceiver {
    /** {@code action}: added, replaced or removed. */
    abstract void onPackage(String action, String packageName);

    void register(Context context) {
        IntentFilter filter = new IntentFilter();
        filter.addAction(Intent.ACTION_PACKAGE_ADDED);
        filter.addAction(Intent.ACTION_PACKAGE_REPLACED);
        filter.addAction(Intent.ACTION_PACKAGE_REMOVED);
        filter.addDataScheme("package");
        // All three are protected: only the system can send them, so no flag is needed on API 34.
        context.registerReceiver(this, filter);
    }

    @Override
    public void onReceive(Context context, Intent intent) {
        Uri data = intent.getData();
        String action = intent.getAction();
        if (data == null || data.getSchemeSpecificPart() == null || action == null) {
            return;
        }
        // An update is told three times: as removed, as added, and as replaced.
        boolean replacing = intent.getBooleanExtra(Intent.EXTRA_REPLACING, false);
        if (action.equals(Intent.ACTION_PACKAGE_REPLACED)) {
            onPackage("replaced", data.getSchemeSpecificPart());
        } else if (!replacing) {
            onPackage(action.equals(Intent.ACTION_PACKAGE_ADDED) ? "added" : "removed", data.getSchemeSpecificPart());
        }
    }
}
