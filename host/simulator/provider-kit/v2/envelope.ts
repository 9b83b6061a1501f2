import { createHash } from 'node:crypto';
import type { Bundle } from '../../../../shared/model/bundle.ts';
import type { BinderOutcome, DeviceObject } from '../../virtual-device.ts';
import { answer, boolean, int, jsonText, long, NO_OBJECTS, string } from '../bundles.ts';
import type { JsonOrText, ToolOutcome } from './definition.ts';

/** An error answer of section 5. */
export class V2Error extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly details: JsonOrText | null;
  /** `resolution` and `resume_token` of 4.3. */
  readonly resolution: { readonly intent: DeviceObject; readonly resumeToken: string } | null;

  constructor(
    code: string,
    message: string,
    more: {
      readonly retryable?: boolean;
      readonly retryAfterMs?: number;
      readonly details?: JsonOrText;
      readonly resolution?: { readonly intent: DeviceObject; readonly resumeToken: string };
    } = {},
  ) {
    super(message);
    this.code = code;
    this.retryable = more.retryable ?? false;
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.details = more.details ?? null;
    this.resolution = more.resolution ?? null;
  }

  static of(outcome: Extract<ToolOutcome, { kind: 'error' }>): V2Error {
    return new V2Error(outcome.code, outcome.message, outcome);
  }
}

/** The entries that every answer but `negotiate`'s echoes. */
function echo(requestId: string | null): Bundle {
  return requestId === null ? [] : [int('protocol_version', 2), string('request_id', requestId)];
}

export function v2Success(
  requestId: string | null,
  data: JsonOrText,
  objects: Readonly<Record<string, DeviceObject>> = NO_OBJECTS,
): BinderOutcome {
  return answer([string('status', 'success'), ...echo(requestId), string('data', jsonText(data))], objects);
}

export function v2Accepted(requestId: string, operationId: string, pollAfterMs: number): BinderOutcome {
  const data = { operation_id: operationId, poll_after_ms: pollAfterMs };
  return answer([string('status', 'accepted'), ...echo(requestId), string('data', jsonText(data))]);
}

export function v2Error(requestId: string | null, error: V2Error): BinderOutcome {
  const entries: Bundle[number][] = [
    string('status', 'error'),
    string('error_code', error.code),
    string('error_message', error.message),
    boolean('retryable', error.retryable),
    ...echo(requestId),
  ];
  if (error.details !== null) entries.push(string('error_details', jsonText(error.details)));
  if (error.retryAfterMs !== null) entries.push(long('retry_after_ms', error.retryAfterMs));
  if (!error.resolution) return answer(entries);
  entries.push(string('resume_token', error.resolution.resumeToken));
  return answer(entries, { resolution: error.resolution.intent });
}

/** The error object inside a failed operation (4.4). */
export function errorObject(error: V2Error): string {
  const parts = [
    `"error_code":${JSON.stringify(error.code)}`,
    `"error_message":${JSON.stringify(error.message)}`,
    `"retryable":${error.retryable}`,
  ];
  if (error.details !== null) parts.push(`"error_details":${jsonText(error.details)}`);
  if (error.retryAfterMs !== null) parts.push(`"retry_after_ms":${error.retryAfterMs}`);
  return `{${parts.join(',')}}`;
}

/** The result envelope of 4.2 or 4.5 as JSON text, with the descriptor that goes beside it. */
export function resultEnvelope(result: Exclude<ToolOutcome, { kind: 'error' }>): {
  readonly text: string;
  readonly objects: Readonly<Record<string, DeviceObject>>;
} {
  if (result.kind === 'value') {
    return { text: `{"kind":"inline","value":${jsonText(result.value)}}`, objects: NO_OBJECTS };
  }
  const sha256 = createHash('sha256').update(result.bytes).digest('hex');
  const data = { kind: 'file', media_type: result.mediaType, size_bytes: result.bytes.byteLength, sha256 };
  return { text: jsonText(data), objects: { result_fd: descriptorOf(result.bytes) } };
}

/** A read-only descriptor over bytes, as ParcelFileDescriptor gives one. */
export function descriptorOf(bytes: Uint8Array): Extract<DeviceObject, { t: 'fd' }> {
  return {
    t: 'fd',
    size: bytes.byteLength,
    read: async function* () {
      for (let at = 0; at < bytes.byteLength; at += 256 * 1024) yield bytes.subarray(at, at + 256 * 1024);
    },
    close: () => {},
  };
}
