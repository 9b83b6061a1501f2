/**
 * The renderer's content security policy, the same in Electron and in the
 * browser: nothing remote, no inline script, no `unsafe-eval`. Inline style is
 * needed by the widget library and by Monaco.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
};

/** WebSocket path of the contract. */
export const RPC_PATH = '/rpc';
/** Under it, by call id, the file of a result as a download; see `results` of the contract. */
export const RESULTS_PATH = '/results/';
/** The token travels as the subprotocol `cetp.<token>`; pages cannot set headers on a WebSocket. */
export const RPC_PROTOCOL_PREFIX = 'cetp.';
/** Longest message of the contract in either direction, in bytes. */
export const RPC_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
