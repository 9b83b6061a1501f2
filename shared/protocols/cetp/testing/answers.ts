import type { Bundle, BundleEntry } from '../../../model/bundle.ts';
import type { RequestContext } from '../codec.ts';

/** Well-formed v2 answers to start from, for tests of the readers. */

export const PACKAGE = 'com.example.notes';
export const REQUEST_ID = '1f0e6f0a-7d0b-4b51-9a54-0c6e3f0b7a11';
export const NOW_MS = Date.UTC(2026, 8, 1, 12);

export function v2Context(capabilities: readonly string[] = ALL): RequestContext {
  return {
    requestId: REQUEST_ID,
    deadlineAtMs: NOW_MS + 10_000,
    packageName: PACKAGE,
    session: {
      token: 'token-of-sixteen-bytes-or-more',
      providerId: PACKAGE,
      capabilities,
      limits: {
        maxRequestBytes: 65_536,
        maxInlineResultBytes: 262_144,
        maxConcurrentRequests: 4,
        idempotencyWindowSeconds: 86_400,
      },
    },
  };
}

export const V1_CONTEXT: RequestContext = { requestId: REQUEST_ID, deadlineAtMs: NOW_MS + 10_000, session: null };

const ALL = ['async_operations', 'cancellation', 'large_results'];

export const string = (key: string, v: string): BundleEntry => ({ key, t: 'string', v });

const ECHO: Bundle = [
  { key: 'protocol_version', t: 'int', v: 2 },
  { key: 'request_id', t: 'string', v: REQUEST_ID },
];

/** A v2 success with its `data` as a value, or as text where a test needs its own. */
export function success(data: unknown): Bundle {
  return [string('status', 'success'), ...ECHO, string('data', textOf(data))];
}

export function accepted(data: unknown): Bundle {
  return [string('status', 'accepted'), ...ECHO, string('data', textOf(data))];
}

export function v2Error(code: string, retryable: boolean, more: Bundle = []): Bundle {
  return [
    string('status', 'error'),
    ...ECHO,
    string('error_code', code),
    string('error_message', 'It did not work.'),
    { key: 'retryable', t: 'boolean', v: retryable },
    ...more,
  ];
}

export function v1Success(data: unknown): Bundle {
  return [string('status', 'success'), string('data', textOf(data))];
}

/** The bundle with a key put in the place of the one that is there, or left out. */
export function withKey(bundle: Bundle, key: string, entry: BundleEntry | null): Bundle {
  const others = bundle.filter((item) => item.key !== key);
  return entry === null ? others : [...others, entry];
}

export const pendingIntent = (over: Partial<Extract<BundleEntry, { t: 'pendingIntent' }>['v']> = {}): BundleEntry => ({
  key: 'resolution',
  t: 'pendingIntent',
  v: { handle: 'h1', creatorPackage: PACKAGE, creatorUid: 10_200, immutable: true, kind: 'activity', ...over },
});

export const fd = (size: number): BundleEntry => ({ key: 'result_fd', t: 'fd', v: { handle: 'h2', size } });

export const NEGOTIATION = {
  selected_version: 2,
  provider_id: PACKAGE,
  provider_name: 'Notes',
  session_token: 'opaque-token-0123456789abcdef',
  expires_at: '2026-09-01T13:00:00Z',
  capabilities: ALL,
  limits: {
    max_request_bytes: 65_536,
    max_inline_result_bytes: 262_144,
    max_concurrent_requests: 4,
    idempotency_window_seconds: 86_400,
  },
};

export const ANNOTATIONS = {
  effect: 'read',
  risk: 'low',
  destructive: false,
  idempotent: true,
  open_world: false,
  confirmation: 'never',
  execution: 'sync',
};

export const TOOL = {
  name: 'find_note',
  title: 'Find a note',
  description: 'Finds notes by their words.',
  input_schema: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
  output_schema: { type: 'object', properties: { ids: { type: 'array', items: { type: 'string' } } } },
  scopes: ['notes.read'],
  annotations: ANNOTATIONS,
};

export const INFO = {
  provider_id: PACKAGE,
  provider_name: 'Notes',
  description: 'Reads and writes notes.',
  schema_dialect: 'https://json-schema.org/draft/2020-12/schema',
  scopes: [{ name: 'notes.read', title: 'Read', description: 'Reads notes.', access: 'read', sensitivity: 'personal' }],
};

export const FILE = { kind: 'file', media_type: 'application/json', size_bytes: 20, sha256: 'ab'.repeat(32) };

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}
