import type { DeviceObject } from '../../virtual-device.ts';
import type { Deviation } from './deviation.ts';
import { withObject, withoutKey } from './rewrite.ts';

type Intent = Extract<DeviceObject, { t: 'pendingIntent' }>;

/** Sections 4.3 and 7.2. */
export const confirmation = {
  effect_before_confirmation: {
    clause: '4.3',
    what: 'the effect is made before the user is asked.',
    kind: 'confirm',
    tool: () => ({ breaks: ['confirm-first'] }),
  },
  resume_token_twice: {
    clause: '4.3',
    what: 'a resume_token is good again and again, each time with an effect.',
    kind: 'confirm',
    tool: () => ({ breaks: ['resume-once'] }),
  },
  changed_args_on_resume: {
    clause: '4.3',
    what: 'a resume_token confirms other arguments than those that the user saw.',
    kind: 'confirm',
    tool: () => ({ breaks: ['resume-args'] }),
  },
  ignores_denial: {
    clause: '4.3',
    what: 'a denial is taken for an approval.',
    kind: 'confirm',
    tool: () => ({ breaks: ['denial'] }),
  },
  no_resume_token: {
    clause: '4.3',
    what: 'the user is asked, and no resume_token comes.',
    kind: 'confirm',
    tool: () => ({ rewrite: ({ outcome }) => withoutKey(outcome, 'resume_token') }),
  },
  no_resolution: {
    clause: '4.3',
    what: 'the user should be asked, and no PendingIntent comes.',
    kind: 'confirm',
    tool: () => ({ rewrite: ({ outcome }) => withoutKey(outcome, 'resolution') }),
  },
  mutable_intent: intent('7.2', 'the PendingIntent is mutable.', { immutable: false }),
  foreign_intent: intent('7.2', 'the PendingIntent was created by another app.', {
    creatorPackage: 'org.example.stranger',
    creatorUid: 10_001,
  }),
  broadcast_intent: intent('4.3', 'the PendingIntent sends a broadcast, which gives no result.', {
    kind: 'broadcast',
  }),
  dead_intent: intent('4.3', 'the PendingIntent was cancelled before it arrived.', {
    launch: () => Promise.reject(new Error('cancelled')),
  }),
  screen_never_finishes: {
    clause: '4.3',
    what: 'the screen stays open after the decision, so no result ever comes.',
    kind: 'confirm',
    tool: () => ({
      rewrite: ({ outcome }) =>
        withObject(outcome, 'resolution', (object) =>
          object.t === 'pendingIntent'
            ? { ...object, launch: () => object.launch().then(() => new Promise<never>(() => {})) }
            : object,
        ),
    }),
  },
} satisfies Record<string, Deviation>;

function intent(clause: string, what: string, change: Partial<Intent>): Deviation {
  return {
    clause,
    what,
    kind: 'confirm',
    tool: () => ({
      rewrite: ({ outcome }) =>
        withObject(outcome, 'resolution', (object) =>
          object.t === 'pendingIntent' ? { ...object, ...change } : object,
        ),
    }),
  };
}
