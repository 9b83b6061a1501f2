/** Error codes of the companion protocol, sections 2, 3 and 5. */
export type ErrorCode =
  | 'UNKNOWN_AUTHORITY'
  | 'SECURITY'
  | 'DEAD_PROVIDER'
  | 'REQUEST_TOO_LARGE'
  | 'REPLY_TOO_LARGE'
  | 'PROVIDER_EXCEPTION'
  | 'TIMEOUT'
  | 'CANCELLED'
  | 'STALE_HANDLE'
  | 'TOO_MANY_HANDLES'
  | 'NOT_ACTIVITY'
  | 'INTENT_CANCELED'
  | 'ACTIVITY_NOT_FOUND'
  | 'LAUNCH_BLOCKED'
  | 'BUSY'
  | 'BAD_PARAMS'
  | 'UNKNOWN_OP'
  | 'UNAUTHENTICATED'
  | 'UNSUPPORTED_PROTOCOL'
  | 'BAD_FRAME'
  | 'INTERNAL';

export type ErrorDetail = Readonly<Record<string, unknown>>;

/** A refusal that goes to the desktop as `{"error":…}`. */
export class ProtocolError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail | null;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail | null = null) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.detail = detail;
  }

  /** The JSON text of the `error` member. */
  toWire(): string {
    const error = { code: this.code, message: this.message };
    return JSON.stringify(this.detail === null ? error : { ...error, detail: this.detail });
  }
}
