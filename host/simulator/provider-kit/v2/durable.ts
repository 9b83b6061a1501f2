import { jsonText } from '../bundles.ts';
import type { ToolOutcome } from './definition.ts';

/** How an execution came out: a result, a background operation, or an error that is final for its id. */
export type ExecutionOutcome = ToolOutcome | { readonly kind: 'accepted'; readonly operationId: string };

/** An outcome as plain JSON values; a file as base64. */
export type StoredOutcome =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'file'; readonly base64: string; readonly mediaType: string }
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
      readonly retryAfterMs: number | null;
      readonly detailsText: string | null;
    }
  | { readonly kind: 'accepted'; readonly operationId: string };

/** The durable record of one execution (section 6). */
export interface ExecutionRecord {
  readonly uid: number;
  readonly providerId: string;
  readonly requestId: string;
  readonly tool: string;
  /** SHA-256 over tool name and argument bytes. */
  readonly contentSha256: string;
  readonly startedAtMs: number;
  /** Its code runs, and its effect may be made: a death leaves only the interruption to tell. */
  begun: boolean;
  /** Null while no terminal outcome is known. */
  end: StoredOutcome | null;
}

export type OperationState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** The durable record of one background operation (4.4). */
export interface OperationRecord {
  readonly id: string;
  readonly uid: number;
  readonly requestId: string;
  readonly tool: string;
  readonly argsText: string;
  readonly createdAtMs: number;
  state: OperationState;
  step: number;
  cancelRequested: boolean;
  /** The effect is being made, or was. */
  committing: boolean;
  outcome: StoredOutcome | null;
}

/** Everything of a Provider that outlives its process: JSON values only. */
export interface DurableState {
  /** Scopes that the user granted, by UID. */
  readonly grants: Readonly<Record<string, readonly string[]>>;
  readonly executions: readonly ExecutionRecord[];
  readonly operations: readonly OperationRecord[];
  /** Operations ever started: an id never returns. */
  readonly operationCount: number;
}

export function stored(outcome: ExecutionOutcome): StoredOutcome {
  switch (outcome.kind) {
    case 'accepted':
      return outcome;
    case 'value':
      return { kind: 'value', text: jsonText(outcome.value) };
    case 'file':
      return {
        kind: 'file',
        base64: Buffer.from(outcome.bytes).toString('base64'),
        mediaType: outcome.mediaType,
      };
    case 'error': {
      const { code, message, retryable, retryAfterMs = null, details } = outcome;
      const detailsText = details === undefined ? null : jsonText(details);
      return { kind: 'error', code, message, retryable, retryAfterMs, detailsText };
    }
  }
}

export function restored(outcome: StoredOutcome): ExecutionOutcome {
  switch (outcome.kind) {
    case 'accepted':
      return outcome;
    case 'value':
      return { kind: 'value', value: { text: outcome.text } };
    case 'file':
      return { kind: 'file', bytes: Buffer.from(outcome.base64, 'base64'), mediaType: outcome.mediaType };
    case 'error': {
      const { code, message, retryable, retryAfterMs, detailsText } = outcome;
      return {
        kind: 'error',
        code,
        message,
        retryable,
        ...(retryAfterMs === null ? {} : { retryAfterMs }),
        ...(detailsText === null ? {} : { details: { text: detailsText } }),
      };
    }
  }
}

/** The truthful end of work that a death cut off in the middle of its effect. */
export const INTERRUPTED: ToolOutcome = {
  kind: 'error',
  code: 'INTERNAL_ERROR',
  message: 'The app ended while this call ran; what it did is not known',
  retryable: false,
};
