package com.clawseed.inspector.sample;

import android.os.Bundle;
import java.security.SecureRandom;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Negotiated sessions (2.2). They end with the process, as they may. */
final class Sessions {
    static final int MAX_REQUEST_BYTES = 65536;
    static final int MAX_INLINE_BYTES = 262144;
    private static final List<String> CAPABILITIES = Arrays.asList("async_operations", "cancellation", "large_results");
    private static final long LIFE_MS = 3600000;

    static final class Session {
        final int uid;
        final List<String> capabilities;
        private final long expiresAtMs;

        private Session(int uid, List<String> capabilities, long expiresAtMs) {
            this.uid = uid;
            this.capabilities = capabilities;
            this.expiresAtMs = expiresAtMs;
        }

        void require(String capability) throws Refusal {
            if (!capabilities.contains(capability)) {
                throw new Refusal("UNSUPPORTED_CAPABILITY", capability + " was not negotiated");
            }
        }
    }

    private final Map<String, Session> open = new HashMap<String, Session>();

    synchronized JSONObject negotiate(int uid, String packageName, Bundle extras) throws Refusal, JSONException {
        int[] versions = extras.getIntArray("consumer_versions");
        boolean common = false;
        for (int version : versions == null ? new int[0] : versions) {
            common |= version == 2;
        }
        if (!common) {
            throw new Refusal("UNSUPPORTED_VERSION", "This Provider speaks version 2");
        }
        List<String> agreed = new ArrayList<String>();
        try {
            JSONArray wanted = new JSONArray(extras.getString("consumer_capabilities", ""));
            for (int i = 0; i < wanted.length(); i++) {
                if (CAPABILITIES.contains(wanted.optString(i)) && !agreed.contains(wanted.optString(i))) {
                    agreed.add(wanted.optString(i));
                }
            }
        } catch (JSONException e) {
            throw new Refusal("INVALID_REQUEST", "consumer_capabilities is not a JSON array");
        }
        String token = randomToken();
        long expiresAtMs = System.currentTimeMillis() + LIFE_MS;
        open.put(token, new Session(uid, agreed, expiresAtMs));
        SimpleDateFormat iso = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT);
        iso.setTimeZone(TimeZone.getTimeZone("UTC"));
        return new JSONObject()
                .put("selected_version", 2)
                .put("provider_id", packageName)
                .put("provider_name", "Sample Alerts")
                .put("session_token", token)
                .put("expires_at", iso.format(new Date(expiresAtMs)))
                .put("capabilities", new JSONArray(agreed))
                .put("limits", new JSONObject()
                        .put("max_request_bytes", MAX_REQUEST_BYTES)
                        .put("max_inline_result_bytes", MAX_INLINE_BYTES)
                        .put("max_concurrent_requests", 4)
                        .put("idempotency_window_seconds", 86400));
    }

    synchronized Session require(int uid, String token) throws Refusal {
        Session session = token == null ? null : open.get(token);
        if (session == null || session.uid != uid || session.expiresAtMs <= System.currentTimeMillis()) {
            throw new Refusal("NEGOTIATION_REQUIRED", "There is no such session", true);
        }
        return session;
    }

    static String randomToken() {
        byte[] bytes = new byte[24];
        new SecureRandom().nextBytes(bytes);
        StringBuilder out = new StringBuilder();
        for (byte item : bytes) {
            out.append(Character.forDigit(item >> 4 & 15, 16)).append(Character.forDigit(item & 15, 16));
        }
        return out.toString();
    }
}
