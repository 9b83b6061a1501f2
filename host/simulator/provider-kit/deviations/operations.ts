import type { JsonObject } from '../../../../shared/base/json.ts';
import type { ToolOutcome } from '../v2/definition.ts';
import type { Deviation } from './deviation.ts';
import { stringOf, withData, without } from './rewrite.ts';

const FAILED: JsonObject = { error_code: 'INTERNAL_ERROR', error_message: 'No, it failed', retryable: false };

/** Sections 3.4 and 4.4. */
export const operations = {
  poll_after_negative: {
    clause: '4.4',
    what: 'poll_after_ms is -1.',
    kind: 'background',
    tool: () => ({
      rewrite: ({ outcome }) =>
        withData(outcome, (data) => ('poll_after_ms' in data ? { ...data, poll_after_ms: -1 } : data)),
    }),
  },
  state_goes_back: query('the first query says running, the second queued.', (data, before) => {
    if (before > 1) return data;
    return { ...data, state: before === 0 ? 'running' : 'queued' };
  }),
  two_terminals: {
    clause: '4.4',
    what: 'an operation that succeeded is failed when it is asked again.',
    kind: 'background',
    tool: () => {
      const succeeded = new Set<string>();
      return {
        rewrite: ({ call, outcome }) => {
          if (call.method !== 'get_operation') return outcome;
          const id = stringOf(outcome, 'request_id') ?? '';
          return withData(outcome, (data) => {
            if (data['state'] !== 'succeeded') return data;
            if (!succeeded.has(id)) {
              succeeded.add(id);
              return data;
            }
            return { ...without(data, 'result'), state: 'failed', error: FAILED };
          });
        },
      };
    },
  },
  succeeded_without_result: query('a success comes without its result.', (data) => without(data, 'result')),
  failed_without_error: query('a failure comes without its error.', (data) => without(data, 'error'), {
    kind: 'error',
    code: 'UNAVAILABLE',
    message: 'Closed',
    retryable: false,
  }),
  unknown_state: query('the state is paused, which is none.', (data) => ({ ...data, state: 'paused' })),
  other_operation_id: query('a query is answered with another operation_id.', (data) => ({
    ...data,
    operation_id: 'op_of_somebody_else',
  })),
  never_ends: query('the operation runs for ever, at 99 of 100.', (data) => ({
    operation_id: data['operation_id'] ?? null,
    state: 'running',
    progress: { current: 99, total: 100, message: 'Almost there' },
    poll_after_ms: 250,
  })),
  cancel_claims_end: {
    clause: '4.4',
    what: 'cancel_operation answers cancelled, and the operation succeeds.',
    kind: 'background',
    tool: () => ({
      cancelLoses: () => true,
      rewrite: ({ call, outcome }) =>
        call.method === 'cancel_operation' ? withData(outcome, (data) => ({ ...data, state: 'cancelled' })) : outcome,
    }),
  },
  effect_after_cancelled: {
    clause: '4.4',
    what: 'the effect is made although the state is cancelled.',
    kind: 'background',
    tool: () => ({ breaks: ['no-effect-after-cancel'] }),
  },
  lost_after_restart: {
    clause: '4.4',
    what: 'a restart of the process loses the operation.',
    kind: 'background',
    tool: () => ({ breaks: ['operation-restart'] }),
  },
  accepted_not_negotiated: {
    clause: '2.3',
    what: 'accepted comes although async_operations was not negotiated.',
    kind: 'background',
    tool: () => ({ breaks: ['capability'] }),
  },
  accepted_by_sync_tool: {
    clause: '3.4',
    what: 'a tool that declares execution=sync answers accepted.',
    kind: 'write',
    tool: () => ({ breaks: ['sync-execution'] }),
  },
} satisfies Record<string, Deviation>;

/** Changes what `get_operation` answers; `ends` is how the operation comes out. */
function query(
  what: string,
  change: (data: JsonObject, before: number) => JsonObject,
  ends: ToolOutcome = { kind: 'value', value: { ok: true } },
): Deviation {
  return {
    clause: '4.4',
    what,
    kind: 'background',
    tool: () => ({
      run: () => ends,
      rewrite: ({ call, outcome, before }) =>
        call.method === 'get_operation' ? withData(outcome, (data) => change(data, before)) : outcome,
    }),
  };
}
