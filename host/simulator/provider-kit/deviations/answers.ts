import { Extras, string } from '../bundles.ts';
import type { Deviation } from './deviation.ts';
import { withEntry, withoutKey } from './rewrite.ts';

const OTHER_ID = '00000000-0000-4000-8000-000000000000';
const STACK = [
  'java.lang.IllegalStateException: cannot open /data/user/0/org.example.deviant/databases/customers.db',
  '\tat org.example.deviant.Store.open(Store.java:112)',
  '\tat org.example.deviant.ToolProvider.call(ToolProvider.java:58)',
].join('\n');

/** Sections 4.1, 4.2 and 5. */
export const answers = {
  echoes_other_request_id: {
    clause: '4.2',
    what: 'the answer echoes the request_id of another call.',
    kind: 'read',
    tool: () => ({ rewrite: ({ outcome }) => withEntry(outcome, string('request_id', OTHER_ID)) }),
  },
  echoes_nothing: {
    clause: '4.2',
    what: 'the answer echoes no request_id.',
    kind: 'read',
    tool: () => ({ rewrite: ({ outcome }) => withoutKey(outcome, 'request_id') }),
  },
  result_breaks_schema: {
    clause: '4.2',
    what: 'the value does not match output_schema.',
    kind: 'read',
    tool: () => ({ breaks: ['output-schema'], run: () => ({ kind: 'value', value: { ok: 'yes' } }) }),
  },
  ignores_deadline: {
    clause: '4.1',
    what: 'the effect is made although the deadline has passed.',
    kind: 'write',
    tool: () => ({ breaks: ['deadline'] }),
  },
  answers_after_deadline: {
    clause: '4.1',
    what: 'the effect is made in time, and the answer comes 200 ms after the deadline.',
    kind: 'write',
    tool: ({ clock }) => ({
      rewrite: ({ call, outcome }) =>
        new Promise((resolve) => {
          const deadline = new Extras(call.extras).longAsNumber('deadline_at_ms') ?? 0;
          clock.after(Math.max(0, deadline - clock.now()) + 200, () => resolve(outcome));
        }),
    }),
  },
  crashes_in_call: {
    clause: '5',
    what: 'the process dies before it did anything.',
    kind: 'write',
    tool: () => ({ brokenAnswer: () => ({ kind: 'died' }) }),
  },
  hangs_in_call: {
    clause: '5',
    what: 'the call never returns.',
    kind: 'write',
    tool: () => ({ brokenAnswer: () => new Promise(() => {}) }),
  },
  retryable_contradicts_table: {
    clause: '5',
    what: 'PERMISSION_DENIED comes with retryable=true.',
    kind: 'read',
    tool: () => ({
      run: () => ({ kind: 'error', code: 'PERMISSION_DENIED', message: 'Not for you', retryable: true }),
    }),
  },
  unknown_error_code: {
    clause: '5',
    what: 'the error code is in no table.',
    kind: 'read',
    tool: () => ({
      run: () => ({ kind: 'error', code: 'MOON_PHASE', message: 'The moon is not full', retryable: false }),
    }),
  },
  error_tells_internals: {
    clause: '5',
    what: 'INTERNAL_ERROR carries a stack trace, a file path and the session_token.',
    kind: 'read',
    tool: () => ({
      run: () => ({ kind: 'error', code: 'INTERNAL_ERROR', message: STACK, retryable: false }),
      rewrite: ({ call, outcome }) => {
        const token = new Extras(call.extras).string('session_token') ?? '';
        const details = { session: token, password: 'hunter2-of-the-database' };
        return withEntry(outcome, string('error_details', JSON.stringify(details)));
      },
    }),
  },
  retryable_for_ever: {
    clause: '5',
    what: 'UNAVAILABLE with retryable=true and retry_after_ms=0, however often it is asked.',
    kind: 'read',
    allowed: true,
    tool: () => ({
      run: () => ({ kind: 'error', code: 'UNAVAILABLE', message: 'Never', retryable: true, retryAfterMs: 0 }),
    }),
  },
} satisfies Record<string, Deviation>;
