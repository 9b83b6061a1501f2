import { type JsonObject, numberOf } from '../../../shared/base/json.ts';
import type { BundleEntry } from '../../../shared/model/bundle.ts';
import { type Clock, systemClock } from '../companion/clock.ts';
import type { BinderOutcome, DeviceObject, PackageSpec } from '../virtual-device.ts';
import { answer, boolean, Extras, int, long, string } from './bundles.ts';
import { providerPackage, text, V2_INT } from './package-builder.ts';
import type { ReceivedCall } from './recorder.ts';
import type { ToolOutcome, V2Definition, V2Options, V2Tool } from './v2/definition.ts';
import { descriptorOf } from './v2/envelope.ts';
import { createV2Provider, type V2Provider } from './v2/provider.ts';

export const ERROR_LAB_PACKAGE = 'org.example.errorlab';

/** Section 5, with the table's `retryable`; "conditional" ones are false here. */
export const ERROR_CODES: Readonly<Record<string, boolean>> = {
  UNSUPPORTED_VERSION: false,
  UNSUPPORTED_CAPABILITY: false,
  NEGOTIATION_REQUIRED: true,
  AUTH_REQUIRED: false,
  USER_ACTION_REQUIRED: false,
  USER_CANCELLED: false,
  PERMISSION_DENIED: false,
  TOOL_NOT_FOUND: false,
  METHOD_NOT_FOUND: false,
  INVALID_ARGS: false,
  INVALID_REQUEST: false,
  CONFLICT: false,
  RATE_LIMITED: true,
  DEADLINE_EXCEEDED: false,
  CANCELLED: false,
  RESULT_TOO_LARGE: false,
  RESULT_EXPIRED: false,
  UNAVAILABLE: true,
  INTERNAL_ERROR: false,
};

const READ: V2Tool['annotations'] = {
  effect: 'read',
  risk: 'low',
  destructive: false,
  idempotent: true,
  open_world: false,
  confirmation: 'never',
  execution: 'sync',
};

type Broken = (call: ReceivedCall, requestId: string) => BinderOutcome | Promise<BinderOutcome>;

/** (h) A Provider whose tools fail, each in its own way. `clock` drives the slow tool. */
export function createErrorLab(options: V2Options = {}, clock: Clock = systemClock): V2Provider {
  const definition: V2Definition = {
    package: ERROR_LAB_PACKAGE,
    providerName: 'Error Lab',
    description: 'Fails on request',
    revision: 'lab-3',
    scopes: [],
    tools: [
      ...Object.entries(ERROR_CODES).map(([code, retryable]) => failing(code, retryable)),
      failing('SOMETHING_NEW', true),
      busyTwice(),
      ...Object.entries(brokenAnswers(clock)).map(([name, broken]) => brokenTool(name, broken)),
    ],
  };
  return createV2Provider(definition, options);
}

export function errorLabPackage(app: V2Provider = createErrorLab()): PackageSpec {
  return providerPackage({
    package: ERROR_LAB_PACKAGE,
    label: 'Error Lab',
    app,
    version: V2_INT,
    versions: text('2'),
  });
}

/** `fail_rate_limited` and so on. */
function failing(code: string, retryable: boolean): V2Tool {
  const outcome: ToolOutcome = {
    kind: 'error',
    code,
    message: `The lab was asked for ${code}`,
    retryable,
    ...(retryable ? { retryAfterMs: 1500 } : {}),
    details: { text: '{"asked_for":true,"count":9007199254740993}' },
  };
  return tool(`fail_${code.toLowerCase()}`, `Answers the error ${code}.`, { run: () => outcome });
}

/** Conforming: each request id is told twice to come again after `ms` (default 1500), then it succeeds. */
function busyTwice(): V2Tool {
  const told = new Map<string, number>();
  return tool('busy_twice', 'Answers RATE_LIMITED twice for each request_id, then makes its effect.', {
    annotations: { ...READ, effect: 'update', idempotent: false },
    run: (args, requestId) => {
      const times = (told.get(requestId) ?? 0) + 1;
      told.set(requestId, times);
      if (times > 2) return { kind: 'value', value: { ok: true } };
      const retryAfterMs = numberOf(args['ms']) ?? 1500;
      return {
        kind: 'error',
        code: 'RATE_LIMITED',
        message: `Come again (${times} of 2)`,
        retryable: true,
        retryAfterMs,
      };
    },
  });
}

function brokenTool(name: string, broken: Broken): V2Tool {
  return tool(name, `Breaks the protocol: ${name.replaceAll('_', ' ')}.`, {
    brokenAnswer: (call) => broken(call, new Extras(call.extras).string('request_id') ?? ''),
  });
}

function tool(name: string, description: string, code: Partial<V2Tool>): V2Tool {
  return {
    name,
    title: name.replaceAll('_', ' '),
    description,
    inputSchema: { type: 'object', properties: { ms: { type: 'integer', minimum: 0 } } },
    outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
    scopes: [],
    annotations: READ,
    run: () => ({ kind: 'value', value: { ok: true } }),
    ...code,
  };
}

function success(requestId: string, data: string, ...more: readonly BundleEntry[]): BinderOutcome {
  return answer([...head(requestId), string('data', data), ...more]);
}

function head(requestId: string): BundleEntry[] {
  return [string('status', 'success'), int('protocol_version', 2), string('request_id', requestId)];
}

function error(requestId: string, code: string, ...more: readonly BundleEntry[]): BundleEntry[] {
  return [
    string('status', 'error'),
    int('protocol_version', 2),
    string('request_id', requestId),
    string('error_code', code),
    string('error_message', 'As asked'),
    ...more,
  ];
}

const OK = '{"kind":"inline","value":{"ok":true}}';
const OTHER_ID = '00000000-0000-4000-8000-000000000000';

function brokenAnswers(clock: Clock): Readonly<Record<string, Broken>> {
  return {
    slow: (call, id) => new Promise((resolve) => clock.after(slowMs(call), () => resolve(success(id, OK)))),
    never_answers: () => new Promise(() => {}),
    dies: () => ({ kind: 'died' }),
    throws: () => ({ kind: 'exception', class: 'java.lang.IllegalStateException', message: 'The lab threw' }),
    throws_uncarried: () => ({ kind: 'exception', class: 'java.lang.ClassCastException', message: 'Never seen' }),
    throws_security: () => ({ kind: 'exception', class: 'java.lang.SecurityException', message: 'Not for you' }),
    answers_null: () => ({ kind: 'null' }),
    answers_empty: () => answer([]),
    reply_too_large: (_, id) => success(id, `{"kind":"inline","value":{"pad":"${'x'.repeat(2_000_000)}"}}`),
    unreadable_key: (_, id) =>
      success(id, OK, {
        key: 'icon',
        t: 'unreadable',
        v: { class: 'android.os.BadParcelableException', error: 'ClassNotFoundException when unmarshalling' },
      }),
    opaque_key: (_, id) =>
      success(id, OK, { key: 'rect', t: 'opaque', v: { class: 'android.graphics.Rect', text: 'Rect(0, 0 - 1, 1)' } }),
    null_key: (_, id) => ({
      kind: 'bundle',
      bundle: { entries: [...head(id), string('data', OK)], objects: {}, nullKeys: 1 },
    }),
    data_not_json: (_, id) => success(id, '{"kind":"inline","value":'),
    data_missing: (_, id) => answer(head(id)),
    data_is_int: (_, id) => answer([...head(id), int('data', 7)]),
    status_is_int: (_, id) => answer([int('status', 0), int('protocol_version', 2), string('request_id', id)]),
    status_unknown: (_, id) =>
      answer([string('status', 'perhaps'), int('protocol_version', 2), string('request_id', id)]),
    wrong_request_id: () => success(OTHER_ID, OK),
    no_echo: () => answer([string('status', 'success'), string('data', OK)]),
    breaks_output_schema: (_, id) => success(id, '{"kind":"inline","value":{"ok":"yes"}}'),
    error_without_retryable: (_, id) => answer(error(id, 'UNAVAILABLE')),
    error_with_string_retryable: (_, id) => answer(error(id, 'UNAVAILABLE', string('retryable', 'true'))),
    error_without_code: (_, id) => answer([string('status', 'error'), string('request_id', id)]),
    error_details_not_json: (_, id) =>
      answer(error(id, 'CONFLICT', boolean('retryable', false), string('error_details', '{'))),
    retry_after_int: (_, id) => answer(error(id, 'RATE_LIMITED', boolean('retryable', true), int('retry_after_ms', 5))),
    retry_after_negative: (_, id) =>
      answer(error(id, 'RATE_LIMITED', boolean('retryable', true), long('retry_after_ms', -1))),
    confirmation_without_intent: (_, id) => answer(confirmation(id)),
    confirmation_mutable: (_, id) => answer(confirmation(id), { resolution: intent({ immutable: false }) }),
    confirmation_broadcast: (_, id) => answer(confirmation(id), { resolution: intent({ kind: 'broadcast' }) }),
    confirmation_foreign: (_, id) => answer(confirmation(id), { resolution: intent({ creatorUid: 10_001 }) }),
    confirmation_cancelled: (_, id) =>
      answer(confirmation(id), { resolution: intent({ launch: () => Promise.reject(new Error('cancelled')) }) }),
    accepted_sync: (_, id) =>
      answer([
        string('status', 'accepted'),
        int('protocol_version', 2),
        string('request_id', id),
        string('data', '{"operation_id":"op_ghost","poll_after_ms":0}'),
      ]),
    file_wrong_digest: (_, id) => file(id, { size_bytes: 11, sha256: '0'.repeat(64) }),
    file_wrong_size: (_, id) => file(id, { size_bytes: 4 }),
    file_without_descriptor: (_, id) =>
      success(id, '{"kind":"file","media_type":"application/json","size_bytes":2,"sha256":"00"}'),
    file_read_fails: (_, id) => file(id, { size_bytes: 11 }, failingDescriptor()),
  };
}

function slowMs(call: ReceivedCall): number {
  const found = /"ms"\s*:\s*([0-9]{1,7})/.exec(new Extras(call.extras).string('args') ?? '');
  return found ? Number(found[1]) : 5_000;
}

function confirmation(id: string): BundleEntry[] {
  return error(id, 'USER_ACTION_REQUIRED', boolean('retryable', false), string('resume_token', 'resume-1'));
}

function intent(change: Partial<Extract<DeviceObject, { t: 'pendingIntent' }>>): DeviceObject {
  return {
    t: 'pendingIntent',
    creatorPackage: ERROR_LAB_PACKAGE,
    creatorUid: -1,
    immutable: true,
    kind: 'activity',
    launch: async () => ({ resultCode: -1 }),
    ...change,
  };
}

const FILE = Buffer.from('{"ok":true}');

function file(id: string, change: JsonObject, fd: DeviceObject = descriptorOf(FILE)): BinderOutcome {
  // The right digest of FILE; `change` spoils what it names.
  const sha256 = '4062edaf750fb8074e7e83e0c9028c94e32468a8b6f1614774328ef045150f93';
  const data = { kind: 'file', media_type: 'application/json', size_bytes: FILE.length, sha256, ...change };
  return answer([...head(id), string('data', JSON.stringify(data))], { result_fd: fd });
}

function failingDescriptor(): DeviceObject {
  return {
    ...descriptorOf(FILE),
    read: async function* () {
      yield FILE.subarray(0, 4);
      throw new Error('EIO (I/O error)');
    },
  };
}
