package com.clawseed.inspector.sample;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Background operations (4.4). One moves a step with each query, and takes effect in the last. */
final class Operations {
    private static final int STEPS = 2;
    static final int POLL_AFTER_MS = 300;

    private final Store store;

    Operations(Store store) {
        this.store = store;
    }

    static JSONObject begin(String tool, int uid, String requestId) throws JSONException {
        return new JSONObject()
                .put("operation_id", "op_" + Sessions.randomToken().substring(0, 12))
                .put("uid", uid)
                .put("request_id", requestId)
                .put("tool", tool)
                .put("state", "queued")
                .put("step", 0);
    }

    JSONObject query(int uid, String requestId, String id) throws Refusal, JSONException {
        JSONObject operation = require(uid, requestId, id);
        advance(operation);
        String state = operation.getString("state");
        JSONObject answer = new JSONObject().put("operation_id", id).put("state", state);
        if (state.equals("succeeded")) {
            return answer.put("result", new JSONObject()
                    .put("kind", "inline")
                    .put("value", operation.getJSONObject("value")));
        }
        if (state.equals("cancelled")) {
            return answer;
        }
        return answer.put("poll_after_ms", POLL_AFTER_MS).put("progress", new JSONObject()
                .put("current", operation.getInt("step"))
                .put("total", STEPS)
                .put("message", "Fetching prices"));
    }

    JSONObject cancel(int uid, String requestId, String id) throws Refusal, JSONException {
        JSONObject operation = require(uid, requestId, id);
        if (operation.getString("state").equals("succeeded")) {
            throw new Refusal("CONFLICT", "The prices have been refreshed");
        }
        store.put("operation", id, operation.put("cancelling", true), null);
        return new JSONObject().put("operation_id", id).put("state", "cancellation_requested");
    }

    private void advance(JSONObject operation) throws Refusal, JSONException {
        String state = operation.getString("state");
        if (state.equals("succeeded") || state.equals("cancelled")) {
            return;
        }
        JSONArray alerts = null;
        int step = operation.getInt("step");
        if (operation.optBoolean("cancelling")) {
            operation.put("state", "cancelled");
        } else if (step < STEPS) {
            operation.put("state", "running").put("step", step + 1);
        } else {
            alerts = store.alerts();
            operation.put("state", "succeeded")
                    .put("value", AlertTools.change(operation.getString("tool"), new JSONObject(), alerts));
        }
        store.put("operation", operation.getString("operation_id"), operation, alerts);
    }

    /** Another caller's operation is as unknown as one that never was. */
    private JSONObject require(int uid, String requestId, String id) throws Refusal, JSONException {
        JSONObject operation = id == null ? null : store.get("operation", id);
        if (operation == null || operation.getInt("uid") != uid) {
            throw new Refusal("INVALID_REQUEST", "No such operation");
        }
        if (!operation.getString("request_id").equals(requestId)) {
            throw new Refusal("INVALID_REQUEST", "request_id is not the one that created the operation");
        }
        return operation;
    }
}
