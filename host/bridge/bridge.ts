import type { Bundle } from '../../shared/model/bundle.ts';
import type { Problem } from '../../shared/model/problem.ts';
import type { HandleStream } from './companion/handle-stream.ts';

/**
 * The extras of one call in their final form. Built once; the preview, the
 * journal and the wire all take it from here, so that they cannot differ.
 */
export interface EncodedCall {
  readonly authority: string;
  readonly method: string;
  /** `ContentResolver.call`'s `arg`; CETP leaves it null. */
  readonly arg: string | null;
  /** The typed extras; null sends no extras (v1 `list_tools`). */
  readonly extras: Bundle | null;
  /** The wire text of the extras: companion JSON, or the shell command. */
  readonly wireText: string;
}

export type BridgeAnswer =
  /** `bundle` null: the Provider answered null. An empty Bundle is `[]`. */
  | {
      readonly kind: 'answer';
      readonly bundle: Bundle | null;
      readonly nullKeys: number;
      readonly elapsedMs: number | null;
      /** What the bridge could not read exactly; the raw text then stands in `bundle`. */
      readonly notes?: readonly Problem[];
    }
  | { readonly kind: 'failure'; readonly problem: Problem };

/** The Intent that a launched activity handed back with its result. Nothing of CETP says what it means. */
export interface ActivityData {
  readonly action: string | null;
  readonly data: string | null;
  readonly type: string | null;
  readonly package: string | null;
  readonly component: string | null;
  readonly categories: readonly string[];
  readonly extras: Bundle;
}

export type LaunchAnswer =
  /** `resultCode` as Android counts it: -1 is RESULT_OK, 0 is RESULT_CANCELED. */
  | {
      readonly kind: 'result';
      readonly resultCode: number;
      readonly data: ActivityData | null;
      readonly elapsedMs: number | null;
    }
  | { readonly kind: 'failure'; readonly problem: Problem };

/** How a CETP call leaves the machine. */
export interface Bridge {
  readonly kind: 'companion' | 'shell';
  /** Encodes without sending. Throws `ProblemError` where the bridge cannot carry a type. */
  encode(authority: string, method: string, arg: string | null, extras: Bundle | null): EncodedCall;
  /**
   * Sends exactly `call.wireText`. `onSent` runs once, when the bytes are handed to the device's
   * stream and before any answer. An abort through the signal answers with the problem `call-cancelled`, whose
   * param `sent` is `yes` or `no`; where the Provider's answer wins the race against the abort, it is that answer.
   */
  call(call: EncodedCall, timeoutMs: number, signal: AbortSignal, onSent?: () => void): Promise<BridgeAnswer>;
  /** Releases handles (`pendingIntent`, `fd`) that an answer brought. */
  release(handles: readonly string[]): Promise<void>;
  /**
   * Opens the bytes of an `fd` handle that an answer brought; reading consumes the handle. Leaving the loop over the
   * chunks, `close()` and the signal close the descriptor. Throws `ProblemError`: `companion.handle-gone` where
   * nothing holds the handle any more (with the shell bridge always), else as the companion client does.
   */
  readHandle(handle: string, signal?: AbortSignal): Promise<HandleStream>;
  /**
   * Launches a `pendingIntent` handle on the device and waits, at most `timeoutMs` (100 to 600,000), for its activity's
   * result. The handle stays. Never rejects; the failure is `launch-handle-gone`, `launch-busy`, `launch-timeout`,
   * `call-cancelled` after an abort, or as the companion client tells.
   */
  launch(handle: string, timeoutMs: number, signal: AbortSignal): Promise<LaunchAnswer>;
  /** Resolves when the connection that holds the handles of the last answers has ended: they went with it. */
  handlesGone(): Promise<Problem>;
}
