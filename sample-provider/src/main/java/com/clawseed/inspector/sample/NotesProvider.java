package com.clawseed.inspector.sample;

import android.os.Bundle;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** A CETP v1 Provider: two tools that only read. */
public final class NotesProvider extends CallProvider {
    private static final String[] NOTES = {"Water the garden", "\u7ed9\u5c0f\u738b\u56de\u7535\u8bdd", "Pay the rent"};

    @Override
    public Bundle call(String method, String arg, Bundle extras) {
        try {
            switch (method) {
                case "get_provider_info":
                    return success(new JSONObject()
                            .put("provider_name", "Sample Notes")
                            .put("description", "Three notes that never change")
                            .put("scopes", new JSONArray().put(new JSONObject()
                                    .put("name", "notes.read")
                                    .put("description", "Read the notes"))));
                case "list_tools":
                    return success(new JSONObject().put("tools", new JSONArray()
                            .put(tool("list_notes", "Lists all notes", new JSONObject(), new JSONArray()))
                            .put(tool("get_note", "Reads one note by its number, from 1",
                                    new JSONObject().put("number", new JSONObject().put("type", "integer")),
                                    new JSONArray().put("number")))));
                case "execute_tool":
                    return execute(extras == null ? new Bundle() : extras);
                default:
                    return error("TOOL_NOT_FOUND", "No method " + method);
            }
        } catch (JSONException e) {
            return error("INTERNAL_ERROR", "The answer could not be written");
        }
    }

    private static Bundle execute(Bundle extras) throws JSONException {
        JSONObject args;
        try {
            args = new JSONObject(extras.getString("args", "{}"));
        } catch (JSONException e) {
            return error("INVALID_ARGS", "args is not a JSON object");
        }
        String tool = extras.getString("tool_name", "");
        if (tool.equals("list_notes")) {
            JSONArray notes = new JSONArray();
            for (String note : NOTES) {
                notes.put(note);
            }
            return success(new JSONObject().put("notes", notes));
        }
        if (!tool.equals("get_note")) {
            return error("TOOL_NOT_FOUND", "No tool " + tool);
        }
        Object number = args.opt("number");
        if (!(number instanceof Integer) || (Integer) number < 1 || (Integer) number > NOTES.length) {
            return error("INVALID_ARGS", "number must be from 1 to " + NOTES.length);
        }
        return success(new JSONObject().put("text", NOTES[(Integer) number - 1]));
    }

    private static JSONObject tool(String name, String description, JSONObject properties, JSONArray required)
            throws JSONException {
        return new JSONObject()
                .put("name", name)
                .put("description", description)
                .put("parameters", new JSONObject()
                        .put("type", "object")
                        .put("properties", properties)
                        .put("required", required));
    }

    private static Bundle success(JSONObject data) {
        Bundle answer = new Bundle();
        answer.putString("status", "success");
        answer.putString("data", data.toString());
        return answer;
    }

    private static Bundle error(String code, String message) {
        Bundle answer = new Bundle();
        answer.putString("status", "error");
        answer.putString("error_code", code);
        answer.putString("error_message", message);
        return answer;
    }
}
