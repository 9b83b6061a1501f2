package com.clawseed.inspector.sample;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** What the tools are, and what they do. */
final class AlertTools {
    /** 3.3: changes with the tools. */
    private static final String REVISION = "sample-1";
    private static final int HISTORY_ROWS = 9000;

    private AlertTools() {}

    static JSONObject list() throws JSONException {
        JSONObject price = new JSONObject().put("type", "number").put("exclusiveMinimum", 0);
        JSONObject symbol = new JSONObject().put("type", "string").put("minLength", 1);
        JSONObject anything = new JSONObject().put("type", "object");
        return new JSONObject().put("revision", REVISION).put("tools", new JSONArray()
                .put(tool("list_alerts", "List alerts", "Lists all price alerts",
                        schema(new JSONObject()), "alerts.read", annotations("read", "low", "never", "sync")))
                .put(tool("create_alert", "Create an alert", "Creates a price alert",
                        schema(new JSONObject().put("symbol", symbol).put("price", price), "symbol", "price"),
                        "alerts.write", annotations("create", "moderate", "provider_policy", "sync")))
                .put(tool("delete_alerts", "Delete alerts", "Deletes every alert of a symbol",
                        schema(new JSONObject().put("symbol", symbol), "symbol"),
                        "alerts.write", annotations("delete", "high", "always", "sync").put("destructive", true)))
                .put(tool("refresh_prices", "Refresh prices", "Fetches prices in the background",
                        schema(new JSONObject()), "alerts.write",
                        annotations("update", "low", "never", "sync_or_async").put("idempotent", true)))
                .put(tool("export_history", "Export history", "All prices of a symbol, more than fits into one answer",
                        schema(new JSONObject().put("symbol", symbol), "symbol"), "alerts.read",
                        annotations("read", "low", "never", "sync")).put("output_schema", anything)));
    }

    private static JSONObject tool(String name, String title, String description, JSONObject input, String scope,
            JSONObject annotations) throws JSONException {
        return new JSONObject()
                .put("name", name)
                .put("title", title)
                .put("description", description)
                .put("input_schema", input)
                .put("output_schema", new JSONObject().put("type", "object"))
                .put("scopes", new JSONArray().put(scope))
                .put("annotations", annotations);
    }

    private static JSONObject schema(JSONObject properties, String... required) throws JSONException {
        JSONArray names = new JSONArray();
        for (String name : required) {
            names.put(name);
        }
        return new JSONObject()
                .put("type", "object")
                .put("properties", properties)
                .put("required", names)
                .put("additionalProperties", false);
    }

    private static JSONObject annotations(String effect, String risk, String confirmation, String execution)
            throws JSONException {
        return new JSONObject()
                .put("effect", effect)
                .put("risk", risk)
                .put("destructive", false)
                .put("idempotent", effect.equals("read"))
                .put("open_world", false)
                .put("confirmation", confirmation)
                .put("execution", execution);
    }

    static boolean isKnown(String tool) {
        return tool != null
                && tool.matches("list_alerts|create_alert|delete_alerts|refresh_prices|export_history");
    }

    static boolean mutates(String tool) {
        return !tool.equals("list_alerts") && !tool.equals("export_history");
    }

    /** The arguments, or INVALID_ARGS. */
    static JSONObject check(String tool, String text) throws Refusal {
        JSONObject args;
        try {
            args = new JSONObject(text);
        } catch (JSONException e) {
            throw new Refusal("INVALID_ARGS", "args is not a JSON object");
        }
        boolean withSymbol = tool.matches("create_alert|delete_alerts|export_history");
        boolean withPrice = tool.equals("create_alert");
        Object symbol = args.opt("symbol");
        Object price = args.opt("price");
        if (args.length() != (withSymbol ? 1 : 0) + (withPrice ? 1 : 0)
                || withSymbol && !(symbol instanceof String && !((String) symbol).isEmpty())
                || withPrice && !(price instanceof Number && ((Number) price).doubleValue() > 0)) {
            throw new Refusal("INVALID_ARGS", "The arguments do not match the input schema of " + tool);
        }
        return args;
    }

    /** Adds to or takes from the alerts; answers the tool's value. */
    static JSONObject change(String tool, JSONObject args, JSONArray alerts) throws JSONException {
        if (tool.equals("create_alert")) {
            String id = "alert-" + Sessions.randomToken().substring(0, 8);
            alerts.put(new JSONObject()
                    .put("alert_id", id)
                    .put("symbol", args.getString("symbol"))
                    .put("price", args.get("price")));
            return new JSONObject().put("alert_id", id);
        }
        if (tool.equals("refresh_prices")) {
            return new JSONObject().put("refreshed", alerts.length());
        }
        int deleted = 0;
        for (int i = alerts.length() - 1; i >= 0; i--) {
            if (alerts.getJSONObject(i).getString("symbol").equals(args.getString("symbol"))) {
                alerts.remove(i);
                deleted++;
            }
        }
        return new JSONObject().put("deleted", deleted);
    }

    static JSONObject read(String tool, JSONObject args, JSONArray alerts) throws JSONException {
        if (tool.equals("list_alerts")) {
            return new JSONObject().put("alerts", alerts);
        }
        JSONArray rows = new JSONArray();
        for (int i = 0; i < HISTORY_ROWS; i++) {
            rows.put(new JSONObject().put("day", i).put("price", 100 + i % 50).put("note", "\u4ef7\u683c"));
        }
        return new JSONObject().put("symbol", args.getString("symbol")).put("rows", rows);
    }
}
