import type { Json, JsonObject } from '../../../../shared/base/json.ts';
import type { BinderOutcome } from '../../virtual-device.ts';
import type { ReceivedCall } from '../recorder.ts';
import type { DurableState } from './durable.ts';

export type Effect = 'read' | 'create' | 'update' | 'delete' | 'transaction';
export type Risk = 'low' | 'moderate' | 'high';
export type Confirmation = 'never' | 'provider_policy' | 'always';

/** A JSON value, or a JSON text that goes out as it is. */
export type JsonOrText = Json | { readonly text: string };

/** What a tool's code gives back. */
export type ToolOutcome =
  | { readonly kind: 'value'; readonly value: JsonOrText }
  /** Always sent as a descriptor, whatever its size. */
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mediaType: string }
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
      readonly retryAfterMs?: number;
      readonly details?: JsonOrText;
    };

/** A MUST of the engine that one tool leaves out, for tests of a Consumer; `deviations/` says which clause each is. */
export type BrokenRule =
  | 'dedup'
  | 'dedup-restart'
  | 'one-executor'
  | 'content-binding'
  | 'confirm-first'
  | 'resume-once'
  | 'resume-args'
  | 'denial'
  | 'deadline'
  | 'capability'
  | 'sync-execution'
  | 'inline-limit'
  | 'output-schema'
  | 'no-effect-after-cancel'
  | 'operation-restart';

/** An answer that is about to leave, as `rewrite` sees it. */
export interface LeavingAnswer {
  readonly call: ReceivedCall;
  readonly outcome: BinderOutcome;
  /** How many answers of this method left before for the same request_id. */
  readonly before: number;
}

export interface V2Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly scopes: readonly string[];
  readonly annotations: {
    readonly effect: Effect;
    readonly risk: Risk;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly open_world: boolean;
    readonly confirmation: Confirmation;
    readonly execution: 'sync' | 'sync_or_async';
  };
  /** Slow work before the effect; a process that dies in it made none. */
  readonly work?: (args: JsonObject) => Promise<void>;
  /**
   * The business code; its effect happens here and nowhere else. A plain outcome is recorded in one
   * step with the effect; of a promise that a death cuts off, only the interruption is known.
   */
  readonly run: (args: JsonObject, requestId: string) => ToolOutcome | Promise<ToolOutcome>;
  /** What the confirmation screen says cannot be undone (7.2). */
  readonly consequences?: (args: JsonObject) => string;
  /** Whether a cancel of this call's operation comes too late: acknowledged, and it ends as it would have (4.4). */
  readonly cancelLoses?: (args: JsonObject) => boolean;
  /** With `provider_policy`: whether this call needs the user (3.4: stricter at run time). */
  readonly needsUser?: (args: JsonObject) => boolean;
  /** What this tool leaves out on purpose, for tests of broken Providers. */
  readonly breaks?: readonly BrokenRule[];
  /** Changes each answer about this tool's executions and operations as it leaves, for tests of broken Providers. */
  readonly rewrite?: (leaving: LeavingAnswer) => BinderOutcome | Promise<BinderOutcome>;
  /** Replaces the whole answer of `execute_tool`, for tests of broken Providers. */
  readonly brokenAnswer?: (call: ReceivedCall) => BinderOutcome | Promise<BinderOutcome>;
}

export interface V2Scope {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly access: 'read' | 'write';
  readonly sensitivity: 'public' | 'personal' | 'financial' | 'health' | 'device' | 'other';
}

export interface V2Limits {
  readonly max_request_bytes: number;
  readonly max_inline_result_bytes: number;
  readonly max_concurrent_requests: number;
  readonly idempotency_window_seconds: number;
}

export interface V2Definition {
  /** The Android package; also the default `provider_id`. */
  readonly package: string;
  readonly providerName: string;
  readonly description: string;
  readonly schemaDialect?: string;
  readonly revision: string;
  readonly scopes: readonly V2Scope[];
  readonly tools: readonly V2Tool[];
}

/** What the person in front of the phone does with a confirmation. */
export type UserDecision = 'approve' | 'deny' | 'dismiss';

/** What the confirmation screen shows: who asks, for what, with which consequences (7.2). */
export interface UserPrompt {
  readonly kind: 'authorize' | 'confirm';
  readonly package: string;
  readonly providerName: string;
  /** The app that asks, as the system names it to the Provider. */
  readonly callerUid: number;
  readonly callerPackages: readonly string[];
  readonly requestId: string;
  readonly tool: string;
  readonly title: string;
  readonly argsText: string;
  readonly scopes: readonly V2Scope[];
  readonly effect: Effect;
  readonly risk: Risk;
  readonly destructive: boolean;
  /** The Provider's own words for what cannot be undone; null where it has none. */
  readonly consequences: string | null;
}

/** The person, or whoever stands in; `signal` aborts when the screen is gone with its process. */
export type User = (prompt: UserPrompt, signal: AbortSignal) => Promise<UserDecision> | UserDecision;

export interface V2Options {
  readonly now?: () => number;
  /** Scopes that every caller holds from the start. */
  readonly grantedScopes?: readonly string[];
  /** Default: approves everything. */
  readonly user?: User;
  readonly limits?: Partial<V2Limits>;
  /** What a Provider of the same definition kept before: its phone was switched off and on. */
  readonly durable?: DurableState;
  /** How long an operation can be asked for; default the idempotency window, which is also the least (4.4). */
  readonly operationTtlMs?: number;
  readonly sessionTtlMs?: number;
  /** Capabilities offered; default all three. */
  readonly capabilities?: readonly string[];
  /** How many `get_operation` answers come before the terminal one; default 2. */
  readonly operationSteps?: number;
  /** Also answers v1 calls, with its read tools of these names only. */
  readonly v1Tools?: readonly string[];
  /** Replaces the JSON text of `list_tools`' or `get_provider_info`'s data, for tests of broken Providers. */
  readonly listToolsText?: string;
  readonly providerInfoText?: string;
  /** Looks at each call first; an answer of its own is sent instead, for tests of broken Providers. */
  readonly intercept?: (call: ReceivedCall) => BinderOutcome | Promise<BinderOutcome> | null;
}
