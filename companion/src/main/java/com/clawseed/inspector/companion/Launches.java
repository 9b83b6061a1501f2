package com.clawseed.inspector.companion;

/** {@code launch} and {@code startForResult} run one at a time. */
final class Launches {
    private final Bridge bridge;
    private Launch current;

    Launches(Bridge bridge) {
        this.bridge = bridge;
    }

    /** Brings the own activity to the front for the launch. Throws BUSY. */
    void begin(Launch launch, int timeoutMs) throws ProtocolException {
        synchronized (this) {
            if (current != null) {
                throw new ProtocolException("BUSY", "Another activity is in front");
            }
            current = launch;
        }
        launch.begin(bridge, timeoutMs);
    }

    synchronized void end(Launch launch) {
        if (current == launch) {
            current = null;
        }
    }

    /** The launch that the own activity was started for; null once that is over. */
    synchronized Launch find(String key) {
        return current != null && current.key.equals(key) ? current : null;
    }
}
