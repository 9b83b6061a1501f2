package com.clawseed.inspector.sample;

import android.content.Context;
import android.content.SharedPreferences;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** What outlives the process (4.4, 6): alerts, one record for each execution with effects, and operations. */
final class Store {
    private final SharedPreferences file;

    Store(Context context) {
        file = context.getSharedPreferences("sample-alerts", Context.MODE_PRIVATE);
    }

    /** Null where there is none. {@code kind} is execution or operation. */
    JSONObject get(String kind, String key) throws JSONException {
        String text = file.getString(kind + ":" + key, null);
        return text == null ? null : new JSONObject(text);
    }

    /** Writes in one step, together with the alerts as they are after the effect where there was one. */
    void put(String kind, String key, JSONObject value, JSONArray alerts) throws Refusal {
        SharedPreferences.Editor edit = file.edit().putString(kind + ":" + key, value.toString());
        if (alerts != null) {
            edit.putString("alerts", alerts.toString());
        }
        if (!edit.commit()) {
            throw new Refusal("UNAVAILABLE", "The device could not store it", true);
        }
    }

    JSONArray alerts() throws JSONException {
        return new JSONArray(file.getString("alerts", "[]"));
    }
}
