import type { Json } from '../../base/json.ts';
import type { Bundle } from '../../model/bundle.ts';
import type { CallOutcome } from '../../model/call.ts';
import type { ProviderInfo, ToolRow } from '../../model/catalog.ts';
import type { Finding } from '../../model/finding.ts';
import type { Problem } from '../../model/problem.ts';
import type { Limits } from '../../model/session.ts';

/** A negotiated v2 session as the codec needs it. The token is secret. */
export interface OpenSession {
  readonly token: string;
  readonly providerId: string | null;
  /** Capabilities that both sides named. */
  readonly capabilities: readonly string[];
  readonly limits: Limits;
}

export interface RequestContext {
  readonly requestId: string;
  readonly deadlineAtMs: number;
  /** Null for v1. */
  readonly session: OpenSession | null;
  /** The Provider's Android package, for the rules of v2 3.1 and 7.2; absent or null: not known. */
  readonly packageName?: string | null;
  /** What the tool declares as `execution` (v2 3.4); absent or null: not known. */
  readonly execution?: string | null;
  /** Resumes an execution that a person decided on (v2 4.3). Secret; absent or null: a first request. */
  readonly resumeToken?: string | null;
}

export interface CetpRequest {
  readonly method: string;
  /** Null: `call()` with no extras (v1 2.3). */
  readonly extras: Bundle | null;
}

/** One entry of a list, well-formed or not; nothing of it is dropped. */
export interface ToolReading {
  readonly row: Omit<ToolRow, 'consumerName' | 'collidesWith'>;
  readonly description: string;
  readonly inputSchema: Json | null;
  readonly outputSchema: Json | null;
  readonly raw: Json;
  /** The entry as the Provider wrote it; null where its characters cannot be told apart. */
  readonly text: string | null;
}

export interface ToolListReading {
  readonly tools: readonly ToolReading[];
  readonly revision: string | null;
  readonly findings: readonly Finding[];
  /** Set when no list was had (an error answer, null, invalid JSON, …). */
  readonly problem: Problem | null;
}

export interface ProviderInfoReading {
  readonly info: ProviderInfo | null;
  readonly findings: readonly Finding[];
  readonly problem: Problem | null;
}

/** A success that still waits for its output-schema verdict, or any other outcome in its final form. */
export type ExecuteReading =
  | {
      readonly kind: 'value';
      readonly findings: readonly Finding[];
      /** The value's own JSON text, cut out of the answer with every digit. */
      readonly valueText: string;
    }
  | {
      readonly kind: 'file';
      readonly findings: readonly Finding[];
      readonly file: {
        readonly mediaType: string | null;
        readonly sizeBytes: string | null;
        readonly sha256: string | null;
      };
      /** Handle of `result_fd`, or null where it is missing. */
      readonly handle: string | null;
    }
  | { readonly kind: 'outcome'; readonly outcome: CallOutcome };

/** One protocol version. `answer` null is a Provider that answered null. */
export interface CetpCodec {
  readonly protocol: 'v1' | 'v2';
  listTools(context: RequestContext): CetpRequest;
  providerInfo(context: RequestContext): CetpRequest;
  /** `argsText` goes in byte for byte. */
  executeTool(context: RequestContext, tool: string, argsText: string): CetpRequest;
  readTools(answer: Bundle | null, context: RequestContext): ToolListReading;
  readProviderInfo(answer: Bundle | null, context: RequestContext): ProviderInfoReading;
  readExecute(answer: Bundle | null, context: RequestContext): ExecuteReading;
}
