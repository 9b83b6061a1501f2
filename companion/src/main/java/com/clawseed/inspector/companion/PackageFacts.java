package com.clawseed.inspector.companion;

import android.content.Context;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PermissionInfo;
import android.content.pm.Signature;
import android.content.pm.SigningInfo;
import android.os.Build;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What the package manager knows of one installed package; null where it knows none. */
final class PackageFacts {
    final PackageInfo info;
    /** Lower-case hex SHA-256 of the current signers' certificates. */
    final List<String> signers;
    /** The same of certificates that a key rotation left behind. */
    final List<String> pastSigners;

    private PackageFacts(PackageInfo info, List<String> signers, List<String> pastSigners) {
        this.info = info;
        this.signers = signers;
        this.pastSigners = pastSigners;
    }

    static PackageFacts of(Context context, String packageName) {
        int flags = PackageManager.GET_PERMISSIONS | PackageManager.MATCH_DISABLED_COMPONENTS;
        try {
            return read(context.getPackageManager().getPackageInfo(packageName, flags | signatureFlag()));
        } catch (PackageManager.NameNotFoundException e) {
            return null;
        }
    }

    List<String> definedPermissions() {
        List<String> names = new ArrayList<String>();
        if (info.permissions != null) {
            for (PermissionInfo permission : info.permissions) {
                names.add(permission.name);
            }
        }
        return names;
    }

    @SuppressWarnings("deprecation") // The field is what API 26 and 27 have.
    String versionCode() {
        return String.valueOf(Build.VERSION.SDK_INT >= 28 ? info.getLongVersionCode() : info.versionCode);
    }

    @SuppressWarnings("deprecation")
    private static int signatureFlag() {
        return Build.VERSION.SDK_INT >= 28
                ? PackageManager.GET_SIGNING_CERTIFICATES
                : PackageManager.GET_SIGNATURES;
    }

    @SuppressWarnings("deprecation")
    private static PackageFacts read(PackageInfo info) {
        if (Build.VERSION.SDK_INT < 28) {
            return new PackageFacts(info, digests(info.signatures), Collections.<String>emptyList());
        }
        SigningInfo signing = info.signingInfo;
        List<String> current = digests(signing == null ? null : signing.getApkContentsSigners());
        List<String> past = new ArrayList<String>();
        if (signing != null && !signing.hasMultipleSigners()) {
            past.addAll(digests(signing.getSigningCertificateHistory()));
            past.removeAll(current);
        }
        return new PackageFacts(info, current, past);
    }

    private static List<String> digests(Signature[] signatures) {
        List<String> digests = new ArrayList<String>();
        if (signatures != null) {
            for (Signature signature : signatures) {
                digests.add(hex(sha256(signature.toByteArray())));
            }
        }
        return digests;
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String hex(byte[] bytes) {
        StringBuilder out = new StringBuilder(bytes.length * 2);
        for (byte item : bytes) {
            out.append(Character.forDigit(item >> 4 & 0xf, 16)).append(Character.forDigit(item & 0xf, 16));
        }
        return out.toString();
    }
}
