package com.clawseed.inspector.companion;

import android.app.Activity;
import android.app.ActivityOptions;
import android.app.PendingIntent;
import android.content.ActivityNotFoundException;
import android.content.ComponentName;
import android.content.Intent;
import android.content.IntentSender;
import android.os.Build;
import android.os.Bundle;
import java.util.regex.Pattern;

/** The two ops that start another app's activity. */
final class LaunchOps {
    private static final Pattern COMPONENT = Pattern.compile("[^/]+/[^/]+");

    private LaunchOps() {}

    /** {@code launch}: sends a PendingIntent from the own activity. */
    static void launch(Bridge bridge, Params params, Request request) throws ProtocolException {
        String handle = params.string("handle");
        int timeoutMs = params.timeoutMs();
        final PendingIntent target = bridge.handles.pendingIntent(handle);
        if (Build.VERSION.SDK_INT >= 31 && !target.isActivity()) {
            throw new ProtocolException("NOT_ACTIVITY",
                    "The PendingIntent starts a " + BundleWriter.kindOf(target) + ", which gives no result");
        }
        bridge.launches.begin(new Launch(request) {
            @Override
            void start(Activity from, int requestCode) throws ProtocolException {
                try {
                    from.startIntentSenderForResult(target.getIntentSender(), requestCode, null, 0, 0, 0, options());
                } catch (IntentSender.SendIntentException e) {
                    throw new ProtocolException("INTENT_CANCELED", e.toString());
                } catch (SecurityException e) {
                    throw new ProtocolException("SECURITY", e.getMessage());
                }
            }
        }, timeoutMs);
    }

    /** {@code startForResult}: an explicit activity, whose identity is read before the start. */
    static void startForResult(Bridge bridge, Params params, Request request) throws ProtocolException {
        final String component = params.string("component");
        String action = params.optionalString("action");
        Bundle extras = params.optionalBundle("extras");
        int timeoutMs = params.timeoutMs();
        ComponentName name = COMPONENT.matcher(component).matches()
                ? ComponentName.unflattenFromString(component)
                : null;
        if (name == null) {
            throw ProtocolException.badParams("component must be package/class");
        }
        final Intent intent = new Intent(action).setComponent(name);
        if (extras != null) {
            intent.putExtras(extras);
        }
        PackageFacts facts = PackageFacts.of(bridge.context, name.getPackageName());
        if (facts == null) {
            throw notFound(component);
        }
        final String target = targetOf(facts);
        bridge.launches.begin(new Launch(request) {
            @Override
            void start(Activity from, int requestCode) throws ProtocolException {
                try {
                    from.startActivityForResult(intent, requestCode);
                } catch (ActivityNotFoundException e) {
                    throw notFound(component);
                } catch (SecurityException e) {
                    throw new ProtocolException("SECURITY", e.getMessage());
                }
            }

            @Override
            String extraMembers() {
                return ",\"target\":" + target;
            }
        }, timeoutMs);
    }

    /**
     * From API 34 on, an app that targets 34 no longer lends its right to start activities to a PendingIntent unless it
     * says so, not even from the front.
     */
    private static Bundle options() {
        if (Build.VERSION.SDK_INT < 34) {
            return null;
        }
        return ActivityOptions.makeBasic()
                .setPendingIntentBackgroundActivityStartMode(ActivityOptions.MODE_BACKGROUND_ACTIVITY_START_ALLOWED)
                .toBundle();
    }

    private static ProtocolException notFound(String component) {
        return new ProtocolException("ACTIVITY_NOT_FOUND", "No activity " + component);
    }

    private static String targetOf(PackageFacts facts) {
        StringBuilder out = new StringBuilder("{\"package\":");
        Json.writeString(out, facts.info.packageName);
        out.append(",\"uid\":").append(facts.info.applicationInfo.uid).append(",\"signingCertSha256\":");
        Json.writeStrings(out, facts.signers);
        return out.append('}').toString();
    }
}
