import type { Deviation } from './deviation.ts';
import { withData } from './rewrite.ts';

/** Section 6. */
export const idempotency = {
  executes_twice: {
    clause: '6',
    what: 'a repeated request_id runs again.',
    kind: 'write',
    tool: () => ({ breaks: ['dedup'] }),
  },
  forgets_after_restart: {
    clause: '6',
    what: 'what ran is forgotten when the process restarts, and the same request_id runs again.',
    kind: 'write',
    tool: () => ({ breaks: ['dedup-restart'] }),
  },
  concurrent_executors: {
    clause: '6',
    what: 'each of several concurrent arrivals of a request_id runs.',
    kind: 'write',
    tool: ({ clock }) => ({
      breaks: ['one-executor'],
      work: () => new Promise((resolve) => clock.after(200, resolve)),
    }),
  },
  accepts_other_content: {
    clause: '6',
    what: 'a request_id that stood for other arguments is executed all the same.',
    kind: 'write',
    tool: () => ({ breaks: ['content-binding'] }),
  },
  another_outcome_on_repeat: {
    clause: '6',
    what: 'a repeated request_id gets another terminal outcome, without a second effect.',
    kind: 'write',
    tool: () => ({
      rewrite: ({ outcome, before }) =>
        before === 0 ? outcome : withData(outcome, () => ({ kind: 'inline', value: { ok: false } })),
    }),
  },
  dies_after_effect: {
    clause: '6',
    what: 'the process dies between its effect and the first answer; the record holds.',
    kind: 'write',
    allowed: true,
    tool: () => ({ rewrite: ({ outcome, before }) => (before === 0 ? { kind: 'died' } : outcome) }),
  },
} satisfies Record<string, Deviation>;
