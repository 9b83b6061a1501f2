import { createHash, randomBytes } from 'node:crypto';
import type { DeviceObject } from '../../virtual-device.ts';
import type { User, UserDecision, UserPrompt } from './definition.ts';
import { V2Error } from './envelope.ts';

/** What a `resume_token` is bound to (4.3). */
export interface Execution {
  readonly uid: number;
  readonly tool: string;
  readonly argsText: string;
  readonly requestId: string;
}

interface Resolution {
  readonly execution: string;
  readonly kind: UserPrompt['kind'];
  readonly expiresAtMs: number;
  decision: UserDecision | 'undecided';
}

const RESUME_TTL_MS = 5 * 60_000;
const RESULT_OK = -1;
const RESULT_CANCELED = 0;

/** Open confirmations and authorizations; each token is good once. */
export class Resolutions {
  private readonly open = new Map<string, Resolution>();
  private readonly packageName: string;
  private readonly now: () => number;
  private readonly user: User;
  /** The process that shows the screens. */
  private life = new AbortController();

  constructor(packageName: string, now: () => number, user: User) {
    this.packageName = packageName;
    this.now = now;
    this.user = user;
  }

  /** The error that asks for the user; `approved` runs when the person approves. */
  ask(execution: Execution, prompt: UserPrompt, approved: () => void): V2Error {
    const token = randomBytes(24).toString('base64url');
    const resolution: Resolution = {
      execution: fingerprint(execution),
      kind: prompt.kind,
      expiresAtMs: this.now() + RESUME_TTL_MS,
      decision: 'undecided',
    };
    this.open.set(token, resolution);
    const [code, message] =
      prompt.kind === 'confirm'
        ? ['USER_ACTION_REQUIRED', `${prompt.tool} needs confirmation on the device`]
        : ['AUTH_REQUIRED', `Access to ${prompt.scopes.map((scope) => scope.name).join(', ')} needs the user's grant`];
    return new V2Error(code, message, {
      resolution: { intent: this.intent(token, resolution, prompt, approved), resumeToken: token },
    });
  }

  /**
   * Uses up a token. True: the user approved this very call. False: the screen was left without a
   * decision, or it was a grant of access only. Throws INVALID_REQUEST or USER_CANCELLED. `lax`: what a
   * broken Provider leaves out.
   */
  redeem(token: string, execution: Execution, lax: LaxRedeem = {}): boolean {
    const resolution = this.open.get(token);
    if (!resolution || resolution.expiresAtMs <= this.now()) {
      throw new V2Error('INVALID_REQUEST', 'The resume_token is unknown, used or expired');
    }
    if (resolution.execution !== fingerprint(execution) && lax.anyContent !== true) {
      throw new V2Error('INVALID_REQUEST', 'The resume_token belongs to another call');
    }
    if (lax.again !== true) this.open.delete(token);
    if (resolution.decision === 'deny' && lax.anyDecision === true) return true;
    if (resolution.decision === 'deny') throw new V2Error('USER_CANCELLED', 'The user declined');
    return resolution.decision === 'approve' && resolution.kind === 'confirm';
  }

  /** The process died: its tokens are lost, and its screens gone without a decision. */
  clear(): void {
    this.open.clear();
    this.life.abort();
    this.life = new AbortController();
  }

  /** An explicit, immutable, one-shot activity intent. The system fills in the creator's UID. */
  private intent(token: string, resolution: Resolution, prompt: UserPrompt, approved: () => void): DeviceObject {
    let used = false;
    return {
      t: 'pendingIntent',
      creatorPackage: this.packageName,
      creatorUid: -1,
      immutable: true,
      kind: 'activity',
      launch: async () => {
        if (used) throw new Error('A one-shot PendingIntent was sent already');
        used = true;
        // The screen finds nothing to decide on: its process forgot it, or it is too late. It finishes at once.
        if (this.open.get(token) !== resolution || resolution.expiresAtMs <= this.now()) {
          return { resultCode: RESULT_CANCELED };
        }
        const decision = await this.shown(prompt);
        resolution.decision = decision;
        if (decision === 'approve') approved();
        return { resultCode: decision === 'approve' ? RESULT_OK : RESULT_CANCELED };
      },
    };
  }

  private shown(prompt: UserPrompt): Promise<UserDecision> {
    const { signal } = this.life;
    const { promise, resolve, reject } = Promise.withResolvers<UserDecision>();
    signal.addEventListener('abort', () => resolve('dismiss'), { once: true });
    Promise.resolve(this.user(prompt, signal)).then(resolve, reject);
    return promise;
  }
}

export interface LaxRedeem {
  readonly again?: boolean;
  readonly anyContent?: boolean;
  readonly anyDecision?: boolean;
}

/** Binds to the bytes of the arguments, not to their meaning. */
function fingerprint(execution: Execution): string {
  const { uid, tool, argsText, requestId } = execution;
  return createHash('sha256')
    .update(JSON.stringify([uid, tool, requestId.toLowerCase(), argsText]))
    .digest('hex');
}
