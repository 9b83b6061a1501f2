package com.clawseed.inspector.companion;

import android.os.Bundle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Background triggers of other apps, each waiting for its first {@code triggerAck}. */
final class Triggers {
    private static final int ANSWER_LIMIT_MS = 2000;

    /** Who is told the status, once. */
    interface Answer {
        void onStatus(String status);
    }

    /** Who hands the trigger to the connections that watch. */
    interface Watchers {
        /** {@code head}: the event's data up to its extras, without a closing brace. */
        void onTrigger(String head, Bundle extras);
    }

    private final Bridge bridge;
    private final Map<String, Answer> pending = new HashMap<String, Answer>();
    private Watchers watchers;
    private int count;

    Triggers(Bridge bridge) {
        this.bridge = bridge;
    }

    synchronized void setWatchers(Watchers watchers) {
        this.watchers = watchers;
    }

    /** The first acknowledgement answers, or {@code host_unavailable} after 2 s. */
    void submit(int callerUid, List<String> callerPackages, List<String> signers, Bundle extras, Answer answer) {
        final String id;
        Watchers all;
        synchronized (this) {
            id = "t-" + ++count;
            pending.put(id, answer);
            all = watchers;
        }
        bridge.timers.after(ANSWER_LIMIT_MS, new Runnable() {
            @Override
            public void run() {
                settle(id, "host_unavailable");
            }
        });
        StringBuilder head = new StringBuilder("{\"id\":\"").append(id).append("\",\"callerUid\":").append(callerUid);
        head.append(",\"callerPackages\":");
        Json.writeStrings(head, callerPackages);
        head.append(",\"signingCertSha256\":");
        Json.writeStrings(head, signers);
        if (all != null) {
            all.onTrigger(head.toString(), extras);
        }
    }

    /** Late and unknown ids are ignored. */
    void settle(String id, String status) {
        Answer answer;
        synchronized (this) {
            answer = pending.remove(id);
        }
        if (answer != null) {
            answer.onStatus(status);
        }
    }
}
