package com.clawseed.inspector.sample;

import android.app.Service;
import android.content.Intent;
import android.os.IBinder;

/** What a Consumer's scan finds; its meta-data names the authority. Nobody binds to it. */
public final class NotesService extends Service {
    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }
}
