package com.clawseed.inspector.companion;

import android.Manifest;
import android.content.Context;
import android.content.pm.PackageManager;
import android.os.Build;
import android.os.Process;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** {@code hello}: the token first, then the protocol number, then who we are and what we may. */
final class HelloOp {
    private HelloOp() {}

    static String run(Bridge bridge, Params params, String token) throws ProtocolException {
        Object given = params.raw("token");
        if (!sameText(given instanceof String ? (String) given : "", token)) {
            throw new ProtocolException("UNAUTHENTICATED", "Wrong token");
        }
        Object protocol = params.raw("protocol");
        if (!(protocol instanceof Double)) {
            throw ProtocolException.badParams("protocol must be a number");
        }
        if ((Double) protocol != Bridge.PROTOCOL) {
            throw new ProtocolException("UNSUPPORTED_PROTOCOL", "This protocol is not supported",
                    "{\"supported\":[" + Bridge.PROTOCOL + "]}");
        }
        return facts(bridge);
    }

    private static String facts(Bridge bridge) {
        Context context = bridge.context;
        PackageFacts self = PackageFacts.of(context, context.getPackageName());
        StringBuilder out = new StringBuilder("{\"protocol\":").append(Bridge.PROTOCOL);
        member(out, "version", bridge.version());
        member(out, "package", context.getPackageName());
        out.append(",\"uid\":").append(Process.myUid());
        out.append(",\"userId\":").append(Process.myUid() / 100000);
        out.append(",\"signingCertSha256\":");
        Json.writeStrings(out, self.signers);
        out.append(",\"sdk\":").append(Build.VERSION.SDK_INT);
        member(out, "release", Build.VERSION.RELEASE);
        member(out, "manufacturer", Build.MANUFACTURER);
        member(out, "model", Build.MODEL);
        boolean all = Build.VERSION.SDK_INT < 30 || isGranted(context, Manifest.permission.QUERY_ALL_PACKAGES);
        out.append(",\"queryAllPackages\":").append(all).append(",\"permissions\":{");
        Json.writeString(out, Bridge.ACCESS_TOOLS);
        out.append(":\"").append(stateOf(context, Bridge.ACCESS_TOOLS)).append("\"}}");
        return out.toString();
    }

    /** Asked at every connect: a grant goes with the app that defines the permission. */
    private static String stateOf(Context context, String permission) {
        try {
            context.getPackageManager().getPermissionInfo(permission, 0);
        } catch (PackageManager.NameNotFoundException e) {
            return "undefined";
        }
        return isGranted(context, permission) ? "granted" : "denied";
    }

    private static boolean isGranted(Context context, String permission) {
        return context.checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED;
    }

    /** In a time that tells nothing of how much agrees, or of the length. */
    private static boolean sameText(String one, String other) {
        return MessageDigest.isEqual(digest(one), digest(other));
    }

    private static byte[] digest(String text) {
        return PackageFacts.sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void member(StringBuilder out, String name, String value) {
        out.append(",\"").append(name).append("\":");
        Json.writeString(out, value == null ? "" : value);
    }
}
