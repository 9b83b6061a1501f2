package com.clawseed.inspector.companion;

import android.app.PendingIntent;
import android.content.Intent;
import android.os.Build;
import android.os.Bundle;
import android.os.ParcelFileDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Prints Bundles as section 4 says, key by key, so that one value that cannot be unparcelled costs only itself. Objects
 * become handles of the batch; values that have no form on the wire are closed once their text is taken.
 */
final class BundleWriter {
    private static final int MAX_OPAQUE_TEXT = 256;
    /** A Bundle of 1 MB can nest thousands deep; the desktop's own parser ends at 200 JSON levels. */
    private static final int MAX_DEPTH = 64;

    private final StringBuilder out;
    private final Handles.Batch batch;
    private int nullKeys;

    BundleWriter(StringBuilder out, Handles.Batch batch) {
        this.out = out;
        this.batch = batch;
    }

    /** Entries under the null key, which JSON has no place for; nested Bundles counted. */
    int nullKeys() {
        return nullKeys;
    }

    /**
     * Throws what unparcelling the outermost Bundle throws: before API 33 a foreign Parcelable among its values does
     * that (section 6).
     */
    void writeBundle(Bundle bundle) {
        writeBundle(bundle, 1);
    }

    /** An Intent of section 3, or null. */
    void writeIntent(Intent intent) {
        if (intent == null) {
            out.append("null");
            return;
        }
        member("{\"action\":", intent.getAction());
        member(",\"data\":", intent.getDataString());
        member(",\"type\":", intent.getType());
        member(",\"package\":", intent.getPackage());
        member(",\"component\":", intent.getComponent() == null ? null : intent.getComponent().flattenToString());
        out.append(",\"categories\":");
        List<String> categories = new ArrayList<String>();
        if (intent.getCategories() != null) {
            categories.addAll(intent.getCategories());
        }
        Json.writeStrings(out, categories);
        out.append(",\"flags\":").append(intent.getFlags()).append(",\"extras\":");
        Bundle extras = intent.getExtras();
        if (extras == null) {
            out.append("null");
        } else {
            writeBundle(extras, 1);
        }
        out.append('}');
    }

    private void writeBundle(Bundle bundle, int depth) {
        // Unparcels the frame; nothing is printed before that has worked.
        List<String> keys = new ArrayList<String>(bundle.keySet());
        out.append('{');
        String comma = "";
        for (String key : keys) {
            if (key == null) {
                nullKeys++;
                closeQuietly(bundle);
                continue;
            }
            out.append(comma);
            Json.writeString(out, key);
            out.append(':');
            writeEntry(bundle, key, depth);
            comma = ",";
        }
        out.append('}');
    }

    private void writeEntry(Bundle bundle, String key, int depth) {
        Object value;
        try {
            value = bundle.get(key);
        } catch (RuntimeException e) {
            writeUnreadable(e.getClass().getName(), e.getMessage());
            return;
        }
        int start = out.length();
        int mark = batch.mark();
        int nullKeysBefore = nullKeys;
        try {
            writeValue(value, depth);
        } catch (RuntimeException e) {
            out.setLength(start);
            batch.rollback(mark);
            nullKeys = nullKeysBefore;
            Descriptors.close(value);
            writeUnreadable(e.getClass().getName(), e.getMessage());
        }
    }

    private void writeValue(Object value, int depth) {
        if (value == null) {
            out.append("{\"t\":\"null\"}");
        } else if (value instanceof String) {
            begin("string");
            Json.writeString(out, (String) value);
            out.append('}');
        } else if (value instanceof Integer) {
            begin("int").append(value).append('}');
        } else if (value instanceof Long) {
            begin("long").append('"').append(value).append("\"}");
        } else if (value instanceof Boolean) {
            begin("boolean").append(value).append('}');
        } else if (value instanceof Float) {
            begin("float");
            Json.writeFloat(out, (Float) value);
            out.append('}');
        } else if (value instanceof Double) {
            begin("double");
            Json.writeDouble(out, (Double) value);
            out.append('}');
        } else if (value instanceof byte[]) {
            begin("bytes").append('"').append(Base64.getEncoder().encodeToString((byte[]) value)).append("\"}");
        } else if (value instanceof Bundle) {
            writeNested((Bundle) value, depth);
        } else if (value instanceof PendingIntent) {
            writePendingIntent((PendingIntent) value);
        } else if (value instanceof ParcelFileDescriptor) {
            ParcelFileDescriptor descriptor = (ParcelFileDescriptor) value;
            begin("fd").append("{\"handle\":\"").append(batch.add(descriptor)).append("\",\"size\":")
                    .append(descriptor.getStatSize()).append("}}");
        } else if (!writeList(value, depth)) {
            writeOpaque(value);
        }
    }

    /** Whether the value is one of the lists that section 4 names. */
    private boolean writeList(Object value, int depth) {
        if (value instanceof int[]) {
            begin("int[]").append(Arrays.toString((int[]) value).replace(" ", "")).append('}');
        } else if (value instanceof boolean[]) {
            begin("boolean[]").append(Arrays.toString((boolean[]) value).replace(" ", "")).append('}');
        } else if (value instanceof long[]) {
            begin("long[]").append('[');
            for (int i = 0; i < ((long[]) value).length; i++) {
                out.append(i == 0 ? "\"" : ",\"").append(((long[]) value)[i]).append('"');
            }
            out.append("]}");
        } else if (value instanceof double[]) {
            begin("double[]").append('[');
            for (int i = 0; i < ((double[]) value).length; i++) {
                out.append(i == 0 ? "" : ",");
                Json.writeDouble(out, ((double[]) value)[i]);
            }
            out.append("]}");
        } else if (value instanceof String[]) {
            begin("string[]");
            Json.writeStrings(out, Arrays.asList((String[]) value));
            out.append('}');
        } else if (value instanceof ArrayList && holdsOnly((ArrayList<?>) value, String.class, true)) {
            begin("strings");
            List<String> strings = new ArrayList<String>();
            for (Object item : (ArrayList<?>) value) {
                strings.add((String) item);
            }
            Json.writeStrings(out, strings);
            out.append('}');
        } else if (value instanceof Object[] && holdsOnly(Arrays.asList((Object[]) value), Bundle.class, false)) {
            writeBundles((Object[]) value, depth);
        } else {
            return false;
        }
        return true;
    }

    private static boolean holdsOnly(List<?> items, Class<?> type, boolean orNull) {
        for (Object item : items) {
            if (item == null ? !orNull : !type.isInstance(item)) {
                return false;
            }
        }
        return true;
    }

    /** A Bundle[] comes out of a Parcel as a Parcelable[]. */
    private void writeBundles(Object[] bundles, int depth) {
        checkDepth(depth);
        begin("bundle[]").append('[');
        for (int i = 0; i < bundles.length; i++) {
            out.append(i == 0 ? "" : ",");
            writeBundle((Bundle) bundles[i], depth + 1);
        }
        out.append("]}");
    }

    private void writeNested(Bundle bundle, int depth) {
        checkDepth(depth);
        begin("bundle");
        writeBundle(bundle, depth + 1);
        out.append('}');
    }

    private static void checkDepth(int depth) {
        if (depth >= MAX_DEPTH) {
            throw new IllegalStateException("The Bundle nests deeper than " + MAX_DEPTH);
        }
    }

    /** {@code isActivity()} and its like are public from API 31. */
    private void writePendingIntent(PendingIntent intent) {
        String creatorPackage = intent.getCreatorPackage();
        int creatorUid = intent.getCreatorUid();
        String immutable = "null";
        String kind = null;
        if (Build.VERSION.SDK_INT >= 31) {
            immutable = String.valueOf(intent.isImmutable());
            kind = kindOf(intent);
        }
        begin("pendingIntent").append("{\"handle\":\"").append(batch.add(intent)).append('"');
        member(",\"creatorPackage\":", creatorPackage);
        out.append(",\"creatorUid\":").append(creatorUid).append(",\"immutable\":").append(immutable);
        member(",\"kind\":", kind);
        out.append("}}");
    }

    /** On API 31 and later. */
    static String kindOf(PendingIntent intent) {
        if (intent.isActivity()) {
            return "activity";
        }
        if (intent.isBroadcast()) {
            return "broadcast";
        }
        if (intent.isForegroundService()) {
            return "foregroundService";
        }
        return intent.isService() ? "service" : null;
    }

    private void writeOpaque(Object value) {
        String text;
        try {
            text = String.valueOf(value);
        } catch (RuntimeException e) {
            text = "toString() threw " + e.getClass().getName();
        }
        begin("opaque");
        member("{\"class\":", value.getClass().getName());
        member(",\"text\":", text.length() > MAX_OPAQUE_TEXT ? text.substring(0, MAX_OPAQUE_TEXT) : text);
        out.append("}}");
        Descriptors.close(value);
    }

    private void writeUnreadable(String className, String error) {
        begin("unreadable");
        member("{\"class\":", className);
        member(",\"error\":", error == null ? "" : error);
        out.append("}}");
    }

    private StringBuilder begin(String type) {
        return out.append("{\"t\":\"").append(type).append("\",\"v\":");
    }

    private void member(String before, String value) {
        out.append(before);
        Json.writeString(out, value);
    }

    private static void closeQuietly(Bundle bundle) {
        try {
            Descriptors.close(bundle.get(null));
        } catch (RuntimeException e) {
            // It could not be unparcelled, so there is nothing open.
        }
    }
}
