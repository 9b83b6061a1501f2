package com.clawseed.inspector.companion;

import android.os.Bundle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Typed reading of a request's {@code params}; every fault is BAD_PARAMS with the name of the parameter. */
final class Params {
    static final double MAX_SAFE_INTEGER = 9007199254740991.0;
    private static final int MIN_TIMEOUT_MS = 100;
    private static final int MAX_TIMEOUT_MS = 600000;

    private final Map<?, ?> members;

    Params(Map<?, ?> members) {
        this.members = members;
    }

    Object raw(String name) {
        return members.get(name);
    }

    String string(String name) throws ProtocolException {
        Object value = members.get(name);
        if (value instanceof String) {
            return (String) value;
        }
        throw bad(name, "a string");
    }

    /** Null where absent or null. */
    String optionalString(String name) throws ProtocolException {
        return members.get(name) == null ? null : string(name);
    }

    /** Null where absent or null. */
    Boolean optionalBoolean(String name) throws ProtocolException {
        Object value = members.get(name);
        if (value == null || value instanceof Boolean) {
            return (Boolean) value;
        }
        throw bad(name, "a boolean");
    }

    /** A positive whole number; {@code absent} where there is none. */
    int optionalCount(String name, int absent) throws ProtocolException {
        Object value = members.get(name);
        if (value == null) {
            return absent;
        }
        if (!isWhole(value) || (Double) value < 1) {
            throw bad(name, "a positive integer");
        }
        return (int) Math.min((Double) value, Integer.MAX_VALUE);
    }

    String oneOf(String name, String... values) throws ProtocolException {
        Object value = members.get(name);
        StringBuilder known = new StringBuilder();
        for (String item : values) {
            if (item.equals(value)) {
                return item;
            }
            known.append(known.length() == 0 ? "" : ", ").append(item);
        }
        throw bad(name, "one of " + known);
    }

    List<String> strings(String name) throws ProtocolException {
        Object value = members.get(name);
        if (!(value instanceof List)) {
            throw bad(name, "strings");
        }
        List<String> strings = new ArrayList<String>();
        for (Object item : (List<?>) value) {
            if (!(item instanceof String)) {
                throw bad(name, "strings");
            }
            strings.add((String) item);
        }
        return strings;
    }

    long id(String name) throws ProtocolException {
        Object value = members.get(name);
        if (!isId(value)) {
            throw bad(name, "a request id");
        }
        return ((Double) value).longValue();
    }

    /** In ms; 100 to 600 000 (section 5). */
    int timeoutMs() throws ProtocolException {
        Object value = members.get("timeoutMs");
        if (!isWhole(value) || (Double) value < MIN_TIMEOUT_MS || (Double) value > MAX_TIMEOUT_MS) {
            throw bad("timeoutMs", "an integer from " + MIN_TIMEOUT_MS + " to " + MAX_TIMEOUT_MS);
        }
        return ((Double) value).intValue();
    }

    /** Null where absent or null, which is not the same as empty. */
    Bundle optionalBundle(String name) throws ProtocolException {
        Object value = members.get(name);
        return value == null ? null : BundleReader.read(value, name);
    }

    /** An integer from 0 to 2^53-1. */
    static boolean isId(Object value) {
        if (!isWhole(value)) {
            return false;
        }
        double number = (Double) value;
        boolean negativeZero = number == 0 && 1 / number < 0;
        return number >= 0 && number <= MAX_SAFE_INTEGER && !negativeZero;
    }

    private static boolean isWhole(Object value) {
        return value instanceof Double && (Double) value == Math.rint((Double) value)
                && !Double.isInfinite((Double) value);
    }

    private static ProtocolException bad(String name, String wanted) {
        return ProtocolException.badParams(name + " must be " + wanted);
    }
}
