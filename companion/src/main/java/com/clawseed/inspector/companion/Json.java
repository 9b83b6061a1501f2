package com.clawseed.inspector.companion;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Strict JSON. Android's own parsers accept a byte order mark, comments and bare words, which section 2 refuses.
 *
 * <p>Values: {@code null}, {@link Boolean}, {@link Double}, {@link String}, {@link List}, {@link Map}. Every number is
 * a double: 64-bit values travel as strings. Of a repeated member the last counts.
 */
final class Json {
    /** Levels of arrays and objects; what nests deeper is refused before it can exhaust a thread's stack. */
    private static final int MAX_DEPTH = 500;

    static final class SyntaxException extends Exception {
        private static final long serialVersionUID = 1L;

        /** Quotes nothing of the text, which may hold a token. */
        SyntaxException() {
            super("not JSON", null, false, false);
        }
    }

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) throws SyntaxException {
        Json parser = new Json(text);
        Object value = parser.value(0);
        parser.space();
        if (parser.at != text.length()) {
            throw new SyntaxException();
        }
        return value;
    }

    private Object value(int depth) throws SyntaxException {
        space();
        if (depth > MAX_DEPTH) {
            throw new SyntaxException();
        }
        switch (peek()) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> object(int depth) throws SyntaxException {
        Map<String, Object> members = new LinkedHashMap<String, Object>();
        at++;
        space();
        if (skip('}')) {
            return members;
        }
        do {
            space();
            String name = string();
            space();
            expect(':');
            members.put(name, value(depth + 1));
            space();
        } while (skip(','));
        expect('}');
        return members;
    }

    private List<Object> array(int depth) throws SyntaxException {
        List<Object> items = new ArrayList<Object>();
        at++;
        space();
        if (skip(']')) {
            return items;
        }
        do {
            items.add(value(depth + 1));
            space();
        } while (skip(','));
        expect(']');
        return items;
    }

    private Object word(String word, Object value) throws SyntaxException {
        if (!text.startsWith(word, at)) {
            throw new SyntaxException();
        }
        at += word.length();
        return value;
    }

    private Double number() throws SyntaxException {
        int start = at;
        skip('-');
        if (!skip('0')) {
            digits();
        }
        if (skip('.')) {
            digits();
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            digits();
        }
        return Double.valueOf(text.substring(start, at));
    }

    private void digits() throws SyntaxException {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw new SyntaxException();
        }
    }

    private String string() throws SyntaxException {
        expect('"');
        int end = at;
        while (end < text.length() && text.charAt(end) != '"' && text.charAt(end) != '\\' && text.charAt(end) >= ' ') {
            end++;
        }
        if (end < text.length() && text.charAt(end) == '"') {
            String plain = text.substring(at, end);
            at = end + 1;
            return plain;
        }
        StringBuilder out = new StringBuilder(end - at + 16);
        for (;;) {
            char c = next();
            if (c == '"') {
                return out.toString();
            }
            if (c < ' ') {
                throw new SyntaxException();
            }
            out.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() throws SyntaxException {
        char c = next();
        switch (c) {
            case '"':
            case '\\':
            case '/':
                return c;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                int code = 0;
                for (int i = 0; i < 4; i++) {
                    char digit = next();
                    int value = digit < 128 ? Character.digit(digit, 16) : -1;
                    if (value < 0) {
                        throw new SyntaxException();
                    }
                    code = code * 16 + value;
                }
                return (char) code;
            default:
                throw new SyntaxException();
        }
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() throws SyntaxException {
        if (at >= text.length()) {
            throw new SyntaxException();
        }
        return text.charAt(at);
    }

    private char next() throws SyntaxException {
        char c = peek();
        at++;
        return c;
    }

    private boolean skip(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) throws SyntaxException {
        if (!skip(c)) {
            throw new SyntaxException();
        }
    }

    /** Writes a string, or {@code null}. A lone surrogate becomes an escape, so that the line stays valid UTF-8. */
    static void writeString(StringBuilder out, String value) {
        if (value == null) {
            out.append("null");
            return;
        }
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (Character.isHighSurrogate(c) && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                out.append(c).append(value.charAt(++i));
            } else if (c < ' ' || c == 0x7f || Character.isSurrogate(c)) {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(Character.forDigit(c >> shift & 0xf, 16));
                }
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    static void writeStrings(StringBuilder out, Iterable<String> values) {
        out.append('[');
        String comma = "";
        for (String value : values) {
            out.append(comma);
            writeString(out, value);
            comma = ",";
        }
        out.append(']');
    }

    /** A number, or one of the three that JSON lacks as a string. */
    static void writeDouble(StringBuilder out, double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            out.append('"').append(value).append('"');
        } else {
            out.append(value);
        }
    }

    /** The float's own shortest digits: widening to double would invent further ones. */
    static void writeFloat(StringBuilder out, float value) {
        if (Float.isNaN(value) || Float.isInfinite(value)) {
            out.append('"').append(value).append('"');
        } else {
            out.append(value);
        }
    }
}
