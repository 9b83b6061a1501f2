package com.clawseed.inspector.companion;

/** A refusal that goes to the desktop as {@code {"error":…}}. Codes: docs/companion-protocol.md, section 5. */
final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    final String code;
    /** The JSON text of the {@code detail} member, or null. */
    final String detail;

    ProtocolException(String code, String message) {
        this(code, message, null);
    }

    ProtocolException(String code, String message, String detail) {
        super(message == null ? "" : message, null, false, false);
        this.code = code;
        this.detail = detail;
    }

    static ProtocolException badParams(String message) {
        return new ProtocolException("BAD_PARAMS", message);
    }

    /** {@code PROVIDER_EXCEPTION}, with the class that was thrown and its own words. */
    static ProtocolException ofProvider(Throwable thrown) {
        StringBuilder detail = new StringBuilder("{\"class\":");
        Json.writeString(detail, thrown.getClass().getName());
        return new ProtocolException("PROVIDER_EXCEPTION", thrown.getMessage(), detail.append('}').toString());
    }

    /** The JSON text of the {@code error} member. */
    String toWire() {
        StringBuilder out = new StringBuilder("{\"code\":\"").append(code).append("\",\"message\":");
        Json.writeString(out, getMessage());
        if (detail != null) {
            out.append(",\"detail\":").append(detail);
        }
        return out.append('}').toString();
    }
}
