package com.clawseed.inspector.sample;

import android.os.Binder;
import android.os.Bundle;
import android.os.ParcelFileDescriptor;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * A CETP v2 Provider with a confirmation, a background operation and a result that comes as a file. It grants every
 * scope to every caller, which a real app must not (7.1).
 */
public final class AlertsProvider extends CallProvider {
    private final Sessions sessions = new Sessions();
    private Store store;

    @Override
    public boolean onCreate() {
        store = new Store(getContext());
        return true;
    }

    @Override
    public Bundle call(String method, String arg, Bundle given) {
        // First of all: later, on another thread, it would be another's.
        int uid = Binder.getCallingUid();
        Bundle extras = given == null ? new Bundle() : given;
        Bundle answer = new Bundle();
        if (!method.equals("negotiate")) {
            answer.putInt("protocol_version", 2);
            answer.putString("request_id", extras.getString("request_id"));
        }
        try {
            dispatch(method, uid, extras, answer);
        } catch (Refusal e) {
            e.putInto(answer);
        } catch (JSONException | IOException e) {
            new Refusal("INTERNAL_ERROR", "The answer could not be written").putInto(answer);
        }
        return answer;
    }

    private void dispatch(String method, int uid, Bundle extras, Bundle answer)
            throws Refusal, JSONException, IOException {
        if (method.equals("negotiate")) {
            succeed(answer, sessions.negotiate(uid, getContext().getPackageName(), extras));
            return;
        }
        if (!method.matches("get_provider_info|list_tools|execute_tool|get_operation|cancel_operation")) {
            throw new Refusal("METHOD_NOT_FOUND", "No method " + method);
        }
        if (extras.getInt("protocol_version") != 2) {
            throw new Refusal("UNSUPPORTED_VERSION", "protocol_version must be the int 2");
        }
        Sessions.Session session = sessions.require(uid, extras.getString("session_token"));
        String requestId = extras.getString("request_id", "");
        if (!requestId.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) {
            throw new Refusal("INVALID_REQUEST", "request_id must be a UUID");
        }
        if (extras.getLong("deadline_at_ms") <= System.currentTimeMillis()) {
            throw new Refusal("DEADLINE_EXCEEDED", "The deadline has passed, or is not a long", true);
        }
        switch (method) {
            case "get_provider_info":
                succeed(answer, info());
                break;
            case "list_tools":
                succeed(answer, AlertTools.list());
                break;
            case "execute_tool":
                execute(session, requestId, extras, answer);
                break;
            default:
                session.require(method.equals("get_operation") ? "async_operations" : "cancellation");
                operate(method, uid, requestId, extras.getString("operation_id"), answer);
        }
    }

    private JSONObject info() throws JSONException {
        return new JSONObject()
                .put("provider_id", getContext().getPackageName())
                .put("provider_name", "Sample Alerts")
                .put("description", "Price alerts that exist on this device only")
                .put("schema_dialect", "https://json-schema.org/draft/2020-12/schema")
                .put("scopes", new JSONArray().put(scope("alerts.read", "read")).put(scope("alerts.write", "write")));
    }

    private static JSONObject scope(String name, String access) throws JSONException {
        return new JSONObject()
                .put("name", name)
                .put("title", "Price alerts: " + access)
                .put("description", "To " + access + " price alerts")
                .put("access", access)
                .put("sensitivity", "financial");
    }

    /** One at a time, so that a request that arrives twice has one executor (6). */
    private synchronized void operate(String method, int uid, String requestId, String id, Bundle answer)
            throws Refusal, JSONException {
        Operations operations = new Operations(store);
        succeed(answer, method.equals("get_operation")
                ? operations.query(uid, requestId, id)
                : operations.cancel(uid, requestId, id));
    }

    private synchronized void execute(Sessions.Session session, String requestId, Bundle extras, Bundle answer)
            throws Refusal, JSONException, IOException {
        String tool = extras.getString("tool_name");
        String text = extras.getString("args");
        if (!AlertTools.isKnown(tool)) {
            throw new Refusal("TOOL_NOT_FOUND", "No tool " + tool);
        }
        if (text == null || text.getBytes(StandardCharsets.UTF_8).length > Sessions.MAX_REQUEST_BYTES) {
            throw new Refusal("INVALID_REQUEST", "args must be a string of at most 65536 bytes");
        }
        if (!AlertTools.mutates(tool)) {
            deliver(session, AlertTools.read(tool, AlertTools.check(tool, text), store.alerts()), answer);
            return;
        }
        // 6: the first outcome of an execution is its only one.
        String call = tool + " " + sha256(text.getBytes(StandardCharsets.UTF_8));
        String key = session.uid + " " + requestId;
        JSONObject record = store.get("execution", key);
        if (record == null) {
            record = run(session, requestId, tool, text, call, extras.getString("resume_token"));
        } else if (!record.getString("call").equals(call)) {
            throw new Refusal("INVALID_REQUEST", "This request_id belongs to another execution");
        }
        if (record.has("operation_id")) {
            answer.putString("status", "accepted");
            answer.putString("data", new JSONObject()
                    .put("operation_id", record.getString("operation_id"))
                    .put("poll_after_ms", Operations.POLL_AFTER_MS).toString());
        } else if (record.has("denied")) {
            throw new Refusal("USER_CANCELLED", record.getString("denied"));
        } else {
            deliver(session, record.getJSONObject("value"), answer);
        }
    }

    /** Runs what has not run yet; the record of it is stored in one step with its effect. */
    private JSONObject run(Sessions.Session session, String requestId, String tool, String text, String call,
            String resumeToken) throws Refusal, JSONException {
        JSONObject args = AlertTools.check(tool, text);
        String key = session.uid + " " + requestId;
        JSONObject record = new JSONObject().put("call", call);
        if (tool.equals("delete_alerts")) {
            String execution = key + " " + call;
            Confirmations.Decision decision = resumeToken == null
                    ? Confirmations.Decision.NONE
                    : Confirmations.redeem(resumeToken, execution);
            if (decision == Confirmations.Decision.NONE) {
                throw Confirmations.ask(getContext(), execution, "Delete all price alerts of "
                        + args.getString("symbol") + "? This cannot be undone.");
            }
            if (decision == Confirmations.Decision.DENIED) {
                store.put("execution", key, record.put("denied", "The user declined"), null);
                return record;
            }
        }
        if (tool.equals("refresh_prices") && session.capabilities.contains("async_operations")) {
            JSONObject operation = Operations.begin(tool, session.uid, requestId);
            String id = operation.getString("operation_id");
            store.put("operation", id, operation, null);
            store.put("execution", key, record.put("operation_id", id), null);
            return record;
        }
        JSONArray alerts = store.alerts();
        record.put("value", AlertTools.change(tool, args, alerts));
        store.put("execution", key, record, alerts);
        return record;
    }

    /** Inline while it fits, else as a file where that was negotiated (4.5). */
    private void deliver(Sessions.Session session, JSONObject value, Bundle answer)
            throws Refusal, JSONException, IOException {
        byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= Sessions.MAX_INLINE_BYTES) {
            succeed(answer, new JSONObject().put("kind", "inline").put("value", value));
            return;
        }
        if (!session.capabilities.contains("large_results")) {
            throw new Refusal("RESULT_TOO_LARGE", "The result needs large_results, which was not negotiated");
        }
        File file = File.createTempFile("result", ".json", getContext().getCacheDir());
        try (FileOutputStream out = new FileOutputStream(file)) {
            out.write(bytes);
        }
        answer.putParcelable("result_fd", ParcelFileDescriptor.open(file, ParcelFileDescriptor.MODE_READ_ONLY));
        // Open descriptors keep its bytes.
        file.delete();
        succeed(answer, new JSONObject()
                .put("kind", "file")
                .put("media_type", "application/json")
                .put("size_bytes", bytes.length)
                .put("sha256", sha256(bytes)));
    }

    private static void succeed(Bundle answer, JSONObject data) {
        answer.putString("status", "success");
        answer.putString("data", data.toString());
    }

    private static String sha256(byte[] bytes) {
        try {
            StringBuilder out = new StringBuilder();
            for (byte item : MessageDigest.getInstance("SHA-256").digest(bytes)) {
                out.append(Character.forDigit(item >> 4 & 15, 16)).append(Character.forDigit(item & 15, 16));
            }
            return out.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
