/** The only protocol number that this desktop speaks (section 2). */
export const COMPANION_PROTOCOL = 1;

export const COMPANION_PACKAGE = 'com.clawseed.inspector.companion';

/** The instrumentation that starts the bridge (section 1.2). */
export const COMPANION_INSTRUMENTATION = `${COMPANION_PACKAGE}/.BridgeInstrumentation`;

/** The permission that a protected Provider asks of its Consumers (v2 2.1). */
export const ACCESS_TOOLS_PERMISSION = 'com.clawseed.permission.ACCESS_TOOLS';

/** Bytes of one line in either direction, the `\n` counted (section 2). */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Requests in flight on one connection; `cancel`, `release` and `ping` never count (section 2). */
export const MAX_IN_FLIGHT = 16;

/** How deep the Bundles of a request nest at most, the outermost counted (section 6). */
export const MAX_BUNDLE_DEPTH = 32;

/** Bytes of one chunk of a `read` stream (section 6). */
export const MAX_READ_CHUNK_BYTES = 64 * 1024;

/** `timeoutMs` of a call, in ms (section 5). */
export const MIN_CALL_TIMEOUT_MS = 100;
export const MAX_CALL_TIMEOUT_MS = 600_000;
