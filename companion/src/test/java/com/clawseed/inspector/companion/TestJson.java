package com.clawseed.inspector.companion;

import java.util.List;
import java.util.Map;

/** Prints what {@link Json} has parsed. */
final class TestJson {
    private TestJson() {}

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, Object value) {
        if (value instanceof Map) {
            String comma = "{";
            for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
                out.append(comma);
                Json.writeString(out, (String) member.getKey());
                out.append(':');
                write(out, member.getValue());
                comma = ",";
            }
            out.append(comma.equals("{") ? "{}" : "}");
        } else if (value instanceof List) {
            out.append('[');
            String comma = "";
            for (Object item : (List<?>) value) {
                out.append(comma);
                write(out, item);
                comma = ",";
            }
            out.append(']');
        } else if (value instanceof String) {
            Json.writeString(out, (String) value);
        } else if (value instanceof Double && (Double) value == Math.rint((Double) value)) {
            out.append(((Double) value).longValue());
        } else {
            out.append(value);
        }
    }
}
