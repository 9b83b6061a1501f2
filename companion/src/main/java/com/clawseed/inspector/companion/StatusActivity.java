package com.clawseed.inspector.companion;

import android.app.Activity;
import android.content.pm.PackageManager;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.util.TypedValue;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;
import java.util.List;

/** The launcher's screen: what this app is, who is connected, and whether Providers will let it in. */
public final class StatusActivity extends Activity {
    private static final int REFRESH_MS = 1000;
    private static final int SHELL_UID = 2000;

    private final Handler handler = new Handler(Looper.getMainLooper());
    private TextView connected;
    private TextView permission;
    private final Runnable refresh = new Runnable() {
        @Override
        public void run() {
            show();
            handler.postDelayed(this, REFRESH_MS);
        }
    };

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        LinearLayout page = new LinearLayout(this);
        page.setOrientation(LinearLayout.VERTICAL);
        int margin = (int) TypedValue.applyDimension(
                TypedValue.COMPLEX_UNIT_DIP, 24, getResources().getDisplayMetrics());
        page.setPadding(margin, margin, margin, margin);
        heading(page, R.string.about_heading);
        text(page).setText(R.string.about);
        heading(page, R.string.connected_heading);
        connected = text(page);
        heading(page, R.string.permission_heading);
        permission = text(page);
        heading(page, R.string.remove_heading);
        text(page).setText(R.string.remove);
        ScrollView scroll = new ScrollView(this);
        scroll.setFitsSystemWindows(true);
        scroll.addView(page);
        setContentView(scroll);
    }

    @Override
    protected void onResume() {
        super.onResume();
        refresh.run();
    }

    @Override
    protected void onPause() {
        handler.removeCallbacks(refresh);
        super.onPause();
    }

    private void show() {
        BridgeServer server = BridgeServer.current();
        if (server == null) {
            connected.setText(R.string.not_running);
        } else {
            connected.setText(textOf(server.connectedUids()));
        }
        permission.setText(checkSelfPermission(Bridge.ACCESS_TOOLS) == PackageManager.PERMISSION_GRANTED
                ? R.string.permission_granted
                : R.string.permission_missing);
    }

    private String textOf(List<Integer> uids) {
        if (uids.isEmpty()) {
            return getString(R.string.nobody);
        }
        StringBuilder lines = new StringBuilder();
        for (int uid : uids) {
            lines.append(lines.length() == 0 ? "" : "\n");
            lines.append(getString(uid == SHELL_UID ? R.string.by_shell : R.string.by_root));
        }
        return lines.toString();
    }

    private void heading(LinearLayout page, int text) {
        TextView view = text(page);
        view.setText(text);
        view.setTextSize(TypedValue.COMPLEX_UNIT_SP, 20);
        if (Build.VERSION.SDK_INT >= 28) {
            view.setAccessibilityHeading(true);
        }
    }

    private TextView text(LinearLayout page) {
        TextView view = new TextView(this);
        view.setTextSize(TypedValue.COMPLEX_UNIT_SP, 16);
        view.setTextIsSelectable(true);
        int gap = (int) TypedValue.applyDimension(
                TypedValue.COMPLEX_UNIT_DIP, 8, getResources().getDisplayMetrics());
        view.setPadding(0, gap, 0, gap);
        page.addView(view);
        return view;
    }
}
