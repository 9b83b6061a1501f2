package com.clawseed.inspector.companion;

import android.app.Activity;
import android.app.PendingIntent;
import android.content.ContentProviderClient;
import android.content.ContentResolver;
import android.content.IContentProvider;
import android.content.Intent;
import android.content.IntentSender;
import android.content.pm.PackageManager;
import android.content.pm.PermissionInfo;
import android.content.pm.ProviderInfo;
import android.os.Build;
import android.os.Bundle;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.fakes.RoboIntentSender;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.shadows.ShadowApplicationPackageManager;
import org.robolectric.shadows.ShadowContentResolver;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Where Robolectric ends and the test's {@link Phone} answers instead of the system. */
final class PhoneShadows {
    private PhoneShadows() {}

    /** Acquires the phone's Providers under its rules of visibility and permission. */
    @Implements(ContentResolver.class)
    public static class Resolver extends ShadowContentResolver {
        @RealObject private ContentResolver resolver;

        @Override
        @Implementation
        protected ContentProviderClient acquireUnstableContentProviderClient(String name) {
            IContentProvider provider = Phone.current.acquire(name);
            if (provider == null) {
                return null;
            }
            // The authority came to the constructor with API 29.
            return Build.VERSION.SDK_INT >= 29
                    ? new ContentProviderClient(resolver, provider, name, false)
                    : ReflectionHelpers.callConstructor(ContentProviderClient.class,
                            ClassParameter.from(ContentResolver.class, resolver),
                            ClassParameter.from(IContentProvider.class, provider),
                            ClassParameter.from(boolean.class, false));
        }

        @Override
        @Implementation
        protected ContentProviderClient acquireContentProviderClient(String name) {
            throw new AssertionError("A stable client would die with its Provider");
        }
    }

    /** A disabled Provider is found only by who asks for disabled ones. */
    @Implements(className = "android.app.ApplicationPackageManager", isInAndroidSdk = false, looseSignatures = true)
    public static class Packages extends ShadowApplicationPackageManager {
        @Override
        @Implementation
        protected ProviderInfo resolveContentProvider(String name, int flags) {
            ProviderInfo found = super.resolveContentProvider(name, flags);
            boolean all = (flags & PackageManager.MATCH_DISABLED_COMPONENTS) != 0;
            return found == null || all || found.enabled ? found : null;
        }

        @Override
        @Implementation
        protected PermissionInfo getPermissionInfo(String name, int flags) throws PackageManager.NameNotFoundException {
            if (Phone.current != null && Phone.current.undefined.contains(name)) {
                throw new PackageManager.NameNotFoundException(name);
            }
            return super.getPermissionInfo(name, flags);
        }
    }

    /** Leaves the real client in place, which Robolectric would replace. */
    @Implements(ContentProviderClient.class)
    public static class Client {}

    /** Starts the phone's activities. */
    @Implements(Activity.class)
    public static class OwnActivity extends ShadowActivity {
        @Override
        @Implementation
        public void startIntentSenderForResult(IntentSender sender, int requestCode, Intent fillIn, int mask, int values,
                int extraFlags, Bundle options) throws IntentSender.SendIntentException {
            PendingIntent target = ((RoboIntentSender) sender).getPendingIntent();
            Phone.current.send((ResultActivity) realActivity, target, requestCode, options);
        }

        @Implementation
        protected void startActivityForResult(Intent intent, int requestCode) {
            Phone.current.start((ResultActivity) realActivity, intent, requestCode);
        }
    }
}
