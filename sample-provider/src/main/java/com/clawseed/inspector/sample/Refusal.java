package com.clawseed.inspector.sample;

import android.app.PendingIntent;
import android.os.Bundle;

/** An error of CETP v2 (section 5). */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    final String code;
    private final boolean retryable;
    private transient PendingIntent resolution;
    private String resumeToken;

    Refusal(String code, String message) {
        this(code, message, false);
    }

    Refusal(String code, String message, boolean retryable) {
        super(message);
        this.code = code;
        this.retryable = retryable;
    }

    /** 4.3: what a person has to do in this app's own screen first. */
    static Refusal needsUser(String message, PendingIntent resolution, String resumeToken) {
        Refusal refusal = new Refusal("USER_ACTION_REQUIRED", message);
        refusal.resolution = resolution;
        refusal.resumeToken = resumeToken;
        return refusal;
    }

    void putInto(Bundle answer) {
        answer.putString("status", "error");
        answer.putString("error_code", code);
        answer.putString("error_message", getMessage());
        answer.putBoolean("retryable", retryable);
        if (resolution != null) {
            answer.putParcelable("resolution", resolution);
            answer.putString("resume_token", resumeToken);
        }
    }

}
