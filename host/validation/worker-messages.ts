import type { Result } from '../../shared/base/result.ts';
import type { GeneratedArgs, GenerateMode, SchemaVerdict } from '../../shared/model/call.ts';
import type { Problem } from '../../shared/model/problem.ts';

export interface ValidateInput {
  /** The schema's JSON text. */
  readonly schemaText: string;
  /** The session's `schema_dialect`; null is the default of v2 3.2. A `$schema` in the schema goes before it. */
  readonly dialect: string | null;
  readonly valueText: string;
}

/** A file of our own results folder, at most 64 MiB. */
export interface FileInput {
  readonly path: string;
  /** Null: only its JSON is looked at. */
  readonly schemaText: string | null;
  readonly dialect: string | null;
}

export interface FileVerdict {
  readonly verdict: SchemaVerdict;
  /** Null: could not be told. */
  readonly isJson: boolean | null;
  /** Why it is no JSON; null in every other case. */
  readonly fault: string | null;
}

export type Job =
  | { readonly op: 'file'; readonly input: FileInput }
  | { readonly op: 'validate'; readonly input: ValidateInput }
  | { readonly op: 'check'; readonly schemaText: string; readonly dialect: string | null }
  | { readonly op: 'example'; readonly schemaText: string; readonly dialect: string | null }
  | {
      readonly op: 'generate';
      readonly schemaText: string;
      readonly dialect: string | null;
      readonly mode: GenerateMode;
    };

export type JobAnswer =
  | { readonly op: 'verdict'; readonly verdict: SchemaVerdict }
  | { readonly op: 'file'; readonly file: FileVerdict }
  | { readonly op: 'example'; readonly result: Result<string, Problem> }
  | { readonly op: 'generate'; readonly result: Result<GeneratedArgs, Problem> };

/** From the service to the worker, one at a time. */
export interface JobMessage {
  readonly id: number;
  readonly job: Job;
}

/** From the worker: `ready` once, then one answer a job. */
export type WorkerMessage = { readonly ready: true } | { readonly id: number; readonly answer: JobAnswer };
