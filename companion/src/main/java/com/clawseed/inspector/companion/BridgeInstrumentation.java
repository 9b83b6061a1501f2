package com.clawseed.inspector.companion;

import android.app.Activity;
import android.app.Instrumentation;
import android.os.Bundle;
import java.io.IOException;

/**
 * How the desktop starts the companion: {@code am instrument -w -r PKG/.BridgeInstrumentation}. The process then runs
 * as a foreground one, may start activities, and outlives the {@code am} that started it.
 *
 * <p>It never asks for a UiAutomation, which would suspend the user's accessibility services.
 */
public final class BridgeInstrumentation extends Instrumentation {
    @Override
    public void onCreate(Bundle arguments) {
        super.onCreate(arguments);
        start();
    }

    @Override
    public void onStart() {
        super.onStart();
        int code = Activity.RESULT_CANCELED;
        Bundle results = new Bundle();
        try {
            BridgeServer server = BridgeServer.open(getTargetContext().getApplicationContext());
            sendStatus(0, server.announcement());
            server.awaitEnd();
            code = Activity.RESULT_OK;
        } catch (IOException e) {
            results.putString("shortMsg", "The socket could not be opened: " + e.getMessage());
        } catch (InterruptedException e) {
            results.putString("shortMsg", "Interrupted");
        }
        finish(code, results);
    }
}
