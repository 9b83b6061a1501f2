package com.clawseed.inspector.companion;

import android.app.PendingIntent;
import android.content.ContentProvider;
import android.content.ContentValues;
import android.content.Intent;
import android.database.Cursor;
import android.graphics.Rect;
import android.net.Uri;
import android.os.Bundle;
import android.os.ParcelFileDescriptor;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.CountDownLatch;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPendingIntent;

/** The sample Provider of the vectors; companion/vectors/README.md says what each method does. */
public class EchoProvider extends ContentProvider {
    static final String PACKAGE = "org.example.echo";

    /** Stands for a process that is killed: the harness makes a DeadObjectException of it. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Never opened: those who hang stay so. */
    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    public Bundle call(String method, String arg, Bundle extras) {
        Bundle answer = new Bundle();
        switch (method) {
            case "echo":
                answer.putAll(extras == null ? new Bundle() : extras);
                if (arg != null) {
                    answer.putString("arg", arg);
                }
                return answer;
            case "empty":
                return answer;
            case "no_extras":
                answer.putBoolean("extras_null", extras == null);
                return answer;
            case "throw":
                throw new IllegalStateException("echo threw");
            case "throw_security":
                throw new SecurityException("echo refused");
            case "die":
                throw new Killed();
            case "hang":
                hang();
                return null;
            case "too_large":
                answer.putString("pad", "x".repeat(2_000_000));
                return answer;
            case "special":
                answer.putParcelable("opaque", new Rect(0, 0, 1, 1));
                answer.putDouble("nan", Double.NaN);
                answer.putLong("min", Long.MIN_VALUE);
                answer.putString("__proto__", "a key like any other");
                answer.putString("surrogate", "half \ud83d");
                answer.putString("missing", null);
                return answer;
            case "null_key":
                answer.putString("kept", "yes");
                answer.putString(null, "lost");
                return answer;
            case "file":
                answer.putParcelable("result_fd", descriptor("hello\n"));
                return answer;
            case "broken_file":
                answer.putParcelable("result_fd", new BrokenDescriptor(descriptor("hel")));
                return answer;
            case "two_files":
                return files(2);
            case "files_200":
                return files(200);
            case "intent_ok":
            case "intent_cancel":
            case "intent_open":
            case "intent_dead":
                answer.putParcelable("resolution", foreign(PendingIntent.getActivity(
                        getContext(), 0, new Intent(method), PendingIntent.FLAG_IMMUTABLE)));
                return answer;
            case "intent_broadcast":
                answer.putParcelable("resolution", foreign(PendingIntent.getBroadcast(
                        getContext(), 0, new Intent(method), PendingIntent.FLAG_IMMUTABLE)));
                return answer;
            default:
                return null;
        }
    }

    private void hang() {
        try {
            never.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Bundle files(int count) {
        Bundle answer = new Bundle();
        for (int i = 0; i < count; i++) {
            answer.putParcelable("f" + i, descriptor("x"));
        }
        return answer;
    }

    static ParcelFileDescriptor descriptor(String text) {
        try {
            File file = File.createTempFile("echo", null);
            Files.writeString(file.toPath(), text);
            ParcelFileDescriptor open = ParcelFileDescriptor.open(file, ParcelFileDescriptor.MODE_READ_ONLY);
            file.delete();
            return open;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static PendingIntent foreign(PendingIntent intent) {
        ShadowPendingIntent shadow = Shadow.extract(intent);
        shadow.setCreatorPackage(PACKAGE);
        shadow.setCreatorUid(10777);
        return intent;
    }

    /** A descriptor whose writer reports a failure at the end, as a reliable pipe does. */
    static final class BrokenDescriptor extends ParcelFileDescriptor {
        BrokenDescriptor(ParcelFileDescriptor inner) {
            super(inner);
        }

        @Override
        public long getStatSize() {
            return -1;
        }

        @Override
        public boolean canDetectErrors() {
            return true;
        }

        @Override
        public void checkError() throws IOException {
            throw new IOException("EIO (I/O error)");
        }
    }

    @Override
    public boolean onCreate() {
        return true;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String where, String[] values, String order) {
        return null;
    }

    @Override
    public String getType(Uri uri) {
        return null;
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
        return null;
    }

    @Override
    public int delete(Uri uri, String where, String[] values) {
        return 0;
    }

    @Override
    public int update(Uri uri, ContentValues row, String where, String[] values) {
        return 0;
    }
}
