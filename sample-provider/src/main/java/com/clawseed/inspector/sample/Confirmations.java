package com.clawseed.inspector.sample;

import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import java.util.HashMap;
import java.util.Map;

/** Open confirmations (4.3): each resume_token is good once, and for the very call that it was made for. */
final class Confirmations {
    private static final long LIFE_MS = 300000;
    private static final Map<String, Confirmation> OPEN = new HashMap<String, Confirmation>();

    enum Decision { NONE, ALLOWED, DENIED }

    private static final class Confirmation {
        final String call;
        final String question;
        final long expiresAtMs = System.currentTimeMillis() + LIFE_MS;
        Decision decision = Decision.NONE;

        Confirmation(String call, String question) {
            this.call = call;
            this.question = question;
        }
    }

    private Confirmations() {}

    /** The answer that sends a person to {@link ConfirmActivity}; {@code call} identifies caller, tool, id and args. */
    static synchronized Refusal ask(Context context, String call, String question) {
        String resumeToken = Sessions.randomToken();
        // Another secret for the screen: who reads an Intent cannot resume the call.
        String key = Sessions.randomToken();
        Confirmation confirmation = new Confirmation(call, question);
        OPEN.put(resumeToken, confirmation);
        OPEN.put(key, confirmation);
        // The data makes each PendingIntent one of its own.
        Intent screen = new Intent(context, ConfirmActivity.class).setData(Uri.parse("confirm:" + key));
        PendingIntent intent = PendingIntent.getActivity(context, 0, screen,
                PendingIntent.FLAG_IMMUTABLE | PendingIntent.FLAG_ONE_SHOT);
        return Refusal.needsUser("Please confirm on the device", intent, resumeToken);
    }

    /** What the screen has to ask; null where it is over. */
    static synchronized String questionOf(Uri data) {
        Confirmation confirmation = find(data);
        return confirmation == null ? null : confirmation.question;
    }

    static synchronized void decide(Uri data, Decision decision) {
        Confirmation confirmation = find(data);
        if (confirmation != null && confirmation.decision == Decision.NONE) {
            confirmation.decision = decision;
        }
    }

    /** Uses the token up. */
    static synchronized Decision redeem(String resumeToken, String call) throws Refusal {
        Confirmation confirmation = OPEN.get(resumeToken);
        if (confirmation == null || confirmation.expiresAtMs <= System.currentTimeMillis()) {
            throw new Refusal("INVALID_REQUEST", "The resume_token is unknown, used or expired");
        }
        if (!confirmation.call.equals(call)) {
            throw new Refusal("INVALID_REQUEST", "The resume_token belongs to another call");
        }
        OPEN.values().remove(confirmation);
        OPEN.values().remove(confirmation);
        return confirmation.decision;
    }

    private static Confirmation find(Uri data) {
        return data == null ? null : OPEN.get(data.getSchemeSpecificPart());
    }
}
