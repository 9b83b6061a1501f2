package com.clawseed.inspector.companion;

import android.os.Bundle;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Makes a Bundle of what the desktop sends (section 4); every fault is BAD_PARAMS with its path. */
final class BundleReader {
    /** How deep Bundles nest at most (section 6). */
    private static final int MAX_DEPTH = 32;
    private static final Pattern LONG = Pattern.compile("0|-?[1-9][0-9]{0,18}");

    private BundleReader() {}

    static Bundle read(Object json, String path) throws ProtocolException {
        return bundle(json, path, 1);
    }

    private static Bundle bundle(Object json, String path, int depth) throws ProtocolException {
        if (depth > MAX_DEPTH) {
            throw bad(path, "nests deeper than " + MAX_DEPTH);
        }
        if (!(json instanceof Map)) {
            throw bad(path, "is not a Bundle object");
        }
        Bundle bundle = new Bundle();
        for (Map.Entry<?, ?> member : ((Map<?, ?>) json).entrySet()) {
            String key = (String) member.getKey();
            put(bundle, key, member.getValue(), path + "." + key, depth);
        }
        return bundle;
    }

    private static void put(Bundle bundle, String key, Object typed, String path, int depth) throws ProtocolException {
        if (!(typed instanceof Map)) {
            throw bad(path, "is not a typed value");
        }
        Object type = ((Map<?, ?>) typed).get("t");
        Object value = ((Map<?, ?>) typed).get("v");
        if (!(type instanceof String)) {
            throw bad(path, "has no known type");
        }
        switch ((String) type) {
            case "string":
                bundle.putString(key, string(value, path));
                break;
            case "int":
                bundle.putInt(key, integer(value, path));
                break;
            case "long":
                bundle.putLong(key, longOf(value, path));
                break;
            case "boolean":
                bundle.putBoolean(key, bool(value, path));
                break;
            case "float":
                bundle.putFloat(key, (float) number(value, path));
                break;
            case "double":
                bundle.putDouble(key, number(value, path));
                break;
            case "null":
                bundle.putString(key, null);
                break;
            case "bytes":
                bundle.putByteArray(key, bytes(value, path));
                break;
            case "bundle":
                bundle.putBundle(key, bundle(value, path, depth + 1));
                break;
            case "pendingIntent":
            case "fd":
            case "opaque":
            case "unreadable":
                throw bad(path, "has the type " + type + ", which only the device sends");
            default:
                putList(bundle, key, (String) type, value, path, depth);
        }
    }

    private static void putList(Bundle bundle, String key, String type, Object value, String path, int depth)
            throws ProtocolException {
        if (!type.equals("strings") && !type.endsWith("[]")) {
            throw bad(path, "has no known type");
        }
        List<?> items = value instanceof List ? (List<?>) value : null;
        int size = items == null ? 0 : items.size();
        switch (type) {
            case "int[]":
                int[] ints = new int[size];
                for (int i = 0; i < size; i++) {
                    ints[i] = integer(items.get(i), at(path, i));
                }
                bundle.putIntArray(key, ints);
                break;
            case "long[]":
                long[] longs = new long[size];
                for (int i = 0; i < size; i++) {
                    longs[i] = longOf(items.get(i), at(path, i));
                }
                bundle.putLongArray(key, longs);
                break;
            case "boolean[]":
                boolean[] booleans = new boolean[size];
                for (int i = 0; i < size; i++) {
                    booleans[i] = bool(items.get(i), at(path, i));
                }
                bundle.putBooleanArray(key, booleans);
                break;
            case "double[]":
                double[] doubles = new double[size];
                for (int i = 0; i < size; i++) {
                    doubles[i] = number(items.get(i), at(path, i));
                }
                bundle.putDoubleArray(key, doubles);
                break;
            case "string[]":
            case "strings":
                ArrayList<String> strings = new ArrayList<String>(size);
                for (int i = 0; i < size; i++) {
                    Object item = items.get(i);
                    strings.add(item == null ? null : string(item, at(path, i)));
                }
                if (type.equals("strings")) {
                    bundle.putStringArrayList(key, strings);
                } else {
                    bundle.putStringArray(key, strings.toArray(new String[0]));
                }
                break;
            case "bundle[]":
                Bundle[] bundles = new Bundle[size];
                for (int i = 0; i < size; i++) {
                    bundles[i] = bundle(items.get(i), at(path, i), depth + 1);
                }
                bundle.putParcelableArray(key, bundles);
                break;
            default:
                throw bad(path, "has no known type");
        }
        if (items == null) {
            throw bad(path, "is not an array");
        }
    }

    private static String at(String path, int index) {
        return path + "[" + index + "]";
    }

    private static String string(Object value, String path) throws ProtocolException {
        if (value instanceof String) {
            return (String) value;
        }
        throw bad(path, "is not a string");
    }

    private static int integer(Object value, String path) throws ProtocolException {
        if (value instanceof Double) {
            double number = (Double) value;
            if (number == (int) number) {
                return (int) number;
            }
        }
        throw bad(path, "is not a 32-bit integer");
    }

    private static long longOf(Object value, String path) throws ProtocolException {
        if (!(value instanceof String) || !LONG.matcher((String) value).matches()) {
            throw bad(path, "is not a decimal string");
        }
        try {
            return Long.parseLong((String) value);
        } catch (NumberFormatException e) {
            throw bad(path, "does not fit 64 bits");
        }
    }

    private static boolean bool(Object value, String path) throws ProtocolException {
        if (value instanceof Boolean) {
            return (Boolean) value;
        }
        throw bad(path, "is not a boolean");
    }

    private static double number(Object value, String path) throws ProtocolException {
        if (value instanceof Double && !Double.isInfinite((Double) value)) {
            return (Double) value;
        }
        if ("NaN".equals(value)) {
            return Double.NaN;
        }
        if ("Infinity".equals(value)) {
            return Double.POSITIVE_INFINITY;
        }
        if ("-Infinity".equals(value)) {
            return Double.NEGATIVE_INFINITY;
        }
        throw bad(path, "is not a number");
    }

    private static byte[] bytes(Object value, String path) throws ProtocolException {
        String text = string(value, path);
        try {
            // Java's decoder would let padding be left out.
            if (text.length() % 4 == 0) {
                return Base64.getDecoder().decode(text);
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw bad(path, "is not base64");
    }

    private static ProtocolException bad(String path, String what) {
        return ProtocolException.badParams(path + " " + what);
    }
}
