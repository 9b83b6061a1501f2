package com.clawseed.inspector.companion;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;

/** The own transparent activity from which another app's is started, so that its result comes back here. */
public final class ResultActivity extends Activity {
    static final String EXTRA_KEY = "launch";
    private static final int REQUEST_CODE = 1;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        Launch launch = launch();
        if (launch == null) {
            finish();
        } else {
            launch.onActivity(this);
        }
    }

    @Override
    protected void onResume() {
        super.onResume();
        Launch launch = launch();
        if (launch != null) {
            launch.onFront(this, REQUEST_CODE);
        }
    }

    @Override
    protected void onActivityResult(int requestCode, int resultCode, Intent data) {
        Launch launch = launch();
        if (requestCode == REQUEST_CODE && launch != null) {
            launch.onResult(resultCode, data);
        }
        finish();
    }

    /** Null where the launch is over, or was another process's. */
    private Launch launch() {
        BridgeServer server = BridgeServer.current();
        String key = getIntent().getStringExtra(EXTRA_KEY);
        return server == null || key == null ? null : server.bridge.launches.find(key);
    }
}
