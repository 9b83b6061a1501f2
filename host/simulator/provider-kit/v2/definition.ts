import type { Json, JsonObject } from '../../../../shared/base/json.ts';
import type { BinderOutcome } from '../../virtual-device.ts';
import type { ReceivedCall } from '../recorder.ts';

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
  /** The business code; its effect happens here and nowhere else. */
  readonly run: (args: JsonObject) => ToolOutcome | Promise<ToolOutcome>;
  /** With `provider_policy`: whether this call needs the user (3.4: stricter at run time). */
  readonly needsUser?: (args: JsonObject) => boolean;
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

/** What the confirmation screen shows. */
export interface UserPrompt {
  readonly kind: 'authorize' | 'confirm';
  readonly tool: string;
  readonly argsText: string;
  readonly scopes: readonly string[];
}

export interface V2Options {
  readonly now?: () => number;
  /** Scopes that every caller holds from the start. */
  readonly grantedScopes?: readonly string[];
  /** Default: approves everything. */
  readonly user?: (prompt: UserPrompt) => Promise<UserDecision> | UserDecision;
  readonly limits?: Partial<V2Limits>;
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
