import type { CallRecord } from '../../shared/model/call.ts';
import type { Confirmation, ConfirmationStep } from '../../shared/model/confirmation.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import { redact } from '../../shared/redaction/redact.ts';
import { secretScope } from '../../shared/redaction/secret-registry.ts';
import type { SessionsDeps } from './deps.ts';
import { Interrupt, record as recordEvent } from './exchange.ts';
import { isGone, launch } from './launch.ts';
import type { HeldCall } from './prepare.ts';
import type { Resolution } from './resolution.ts';

const MAX_STEPS = 100;

/** How a resumed call and the confirmation that it belongs to know of each other. */
export interface Resume {
  readonly callId: string;
  /** Secret. */
  readonly token: string;
  /** What stands against sending it at this moment; `again` is the deliberate second use (v2 4.3). */
  refusal(again: boolean): Problem | null;
  /** Of the Provider's screen, the last time it closed; null where no result came. */
  resultCode(): number | null;
  /** The screen's result has not come yet, and still can. */
  early(): Problem | null;
  /** The bytes leave. */
  sent(): void;
  ended(record: CallRecord): void;
}

type Step = { readonly kind: ConfirmationStep['kind'] } & Partial<Omit<ConfirmationStep, 'kind' | 'atMs'>>;

/** One confirmation: what was asked for, launched, and resumed. Made by `ConfirmationBook`. */
export class ConfirmationEntry {
  readonly held: HeldCall;
  readonly #deps: SessionsDeps;
  readonly #show: (confirmation: Confirmation) => void;
  readonly #resolution: Resolution;
  #handle: string | null;
  /** Resumed calls that took the token with them and did not bring it back unused. */
  #uses = 0;
  #confirmation: Confirmation;
  #launching: Interrupt | null = null;

  constructor(
    deps: SessionsDeps,
    held: HeldCall,
    parts: {
      readonly resolution: Resolution;
      readonly first: Confirmation;
      readonly show: (confirmation: Confirmation) => void;
    },
  ) {
    this.#deps = deps;
    this.held = held;
    this.#resolution = parts.resolution;
    this.#handle = parts.resolution.handle;
    this.#show = parts.show;
    this.#confirmation = parts.first;
    void this.#resolution.bridge.handlesGone().then((reason) => {
      if (this.#handle === this.#resolution.handle) this.gone(problem('launch-handle-gone', {}, reason.raw));
    });
    this.#step({ kind: 'asked' }, {});
  }

  get shown(): Confirmation {
    return this.#confirmation;
  }

  /** Whether something can still come of it. */
  get isOpen(): boolean {
    const { state } = this.#confirmation;
    return state === 'waiting' || state === 'launched' || state === 'returned' || state === 'gone';
  }

  /** Opens the Provider's screen and waits for its result. Throws `ProblemError` where it cannot be tried at all. */
  async launch(): Promise<Confirmation> {
    const handle = this.#handle;
    if (this.#launching !== null) throw new ProblemError(problem('launch-busy'));
    if (handle === null) throw new ProblemError(this.#noHandle());
    const interrupt = new Interrupt();
    this.#launching = interrupt;
    try {
      const running = launch(this.#deps, this.held, { ...this.#resolution, handle }, interrupt);
      this.#step({ kind: 'launched' }, { state: 'launched' });
      const answer = await running;
      const { state } = this.#confirmation;
      // What ended it meanwhile (superseded, set aside, gone) stays.
      const back = (next: Confirmation['state']) => (state === 'launched' ? { state: next } : {});
      if (answer.kind === 'result') {
        this.#step({ kind: 'returned', resultCode: answer.resultCode }, back('returned'));
      } else if (isGone(answer.problem.code)) {
        this.gone(answer.problem);
      } else {
        this.#step({ kind: 'launch-failed', problem: answer.problem }, back(this.#before()));
      }
      return this.#confirmation;
    } catch (error) {
      this.#step({ kind: 'launch-failed', problem: toProblem(error) }, { state: this.#before() });
      throw error;
    } finally {
      this.#launching = null;
    }
  }

  /** Stops waiting for the screen's result; the screen itself may stay open. */
  stop(): boolean {
    const interrupt = this.#launching;
    if (interrupt === null || interrupt.reason !== null) return false;
    interrupt.force(problem('launch-stopped'), true);
    return true;
  }

  /** What a resumed call takes with it. Throws `ProblemError` where there is nothing to resume with. */
  resume(): Resume {
    const token = this.#resolution.resumeToken;
    if (token === null) throw new ProblemError(problem('resume-no-token'));
    let sent = false;
    return {
      callId: this.#confirmation.callId,
      token,
      refusal: (again) => (this.#uses > 0 && !again ? problem('resume-used') : null),
      early: () => this.#early(),
      resultCode: () => this.#confirmation.steps.findLast(({ kind }) => kind === 'returned')?.resultCode ?? null,
      sent: () => {
        sent = true;
        this.#uses++;
        this.#update({});
      },
      ended: (record) => this.#resumeEnded(record, sent),
    };
  }

  /** v2 4.3: the Consumer waits for the Activity's result before it resumes; one that can never come is not waited for. */
  #early(): Problem | null {
    const { state } = this.#confirmation;
    const mayCome = state === 'launched' || (state === 'waiting' && this.#handle !== null);
    return mayCome ? problem('resume-before-result') : null;
  }

  notResumed(reason: Problem): void {
    this.#step({ kind: 'not-resumed', problem: reason }, {});
  }

  superseded(callId: string): void {
    if (this.isOpen) this.#end('superseded', { callId });
  }

  setAside(): Confirmation {
    if (this.isOpen) this.#end('set-aside', {});
    return this.#confirmation;
  }

  /** The PendingIntent went. A person may have decided before: the token stays. */
  gone(reason: Problem): void {
    this.#release();
    const { state } = this.#confirmation;
    if (state === 'gone' || !this.isOpen) return;
    this.#note('gone', reason);
    this.#step({ kind: 'gone', problem: reason }, state === 'returned' ? {} : { state: 'gone' });
  }

  /** Lets go of the PendingIntent without a word; the host ends, or the list is full. */
  close(): void {
    this.#release();
  }

  #resumeEnded(record: CallRecord, sent: boolean): void {
    const { outcome, id, sentAtMs } = record;
    if (outcome === null) return;
    // Not sent, or refused before the token was looked at, in the Provider's own word: it is there for another try.
    const untouched = sentAtMs === null || (outcome.kind === 'provider-error' && outcome.retryable === true);
    const asksAgain = outcome.kind === 'provider-error' && outcome.hasResolution;
    if (untouched && !asksAgain) {
      if (sent) this.#uses--;
      const reason =
        outcome.kind === 'provider-error'
          ? problem('resume-not-taken', { code: outcome.errorCode.slice(0, 100) })
          : 'problem' in outcome
            ? outcome.problem
            : null;
      this.#step({ kind: 'not-resumed', callId: id, problem: reason }, {});
      return;
    }
    this.#release();
    this.#step({ kind: 'resumed', callId: id }, { state: 'resumed' });
  }

  #end(state: 'superseded' | 'set-aside', { callId = null }: { callId?: string | null }): void {
    this.stop();
    this.#release();
    this.#note(state, null);
    this.#step({ kind: state, callId }, { state });
  }

  #noHandle(): Problem {
    if (this.#resolution.handle === null) return problem('resolution-missing');
    return this.#confirmation.steps.findLast((step) => step.kind === 'gone')?.problem ?? problem('launch-handle-gone');
  }

  /** Where it stands apart from a launch under way. */
  #before(): Confirmation['state'] {
    return this.#confirmation.steps.some((step) => step.kind === 'returned') ? 'returned' : 'waiting';
  }

  #release(): void {
    const handle = this.#handle;
    this.#handle = null;
    if (handle !== null) this.#resolution.bridge.release([handle]).catch(() => {});
  }

  /** A notice on the exchange of the call that was answered so. */
  #note(confirmation: string, reason: Problem | null): void {
    const { prepared, state } = this.held;
    recordEvent(this.#deps, {
      kind: 'notice',
      exchangeId: prepared.id,
      deviceKey: state.target.deviceKey,
      providerKey: state.target.providerKey,
      method: prepared.method,
      tool: prepared.draft.tool,
      requestId: prepared.requestId,
      payload: { confirmation, problem: reason },
    });
  }

  #step({ kind, resultCode = null, callId = null, problem: why = null }: Step, change: Partial<Confirmation>): void {
    const step = { atMs: this.#deps.clock.now(), kind, resultCode, callId, problem: why };
    this.#update({ ...change, steps: [...this.#confirmation.steps, step].slice(-MAX_STEPS) });
  }

  #update(change: Partial<Confirmation>): void {
    const { deviceKey, providerKey } = this.#confirmation;
    const whole: Confirmation = {
      ...this.#confirmation,
      ...change,
      canLaunch: this.#handle !== null,
      canResume: this.#resolution.resumeToken !== null && this.#uses === 0,
    };
    const options = { registry: this.#deps.journal.secrets, scope: secretScope(deviceKey, providerKey) };
    this.#confirmation = redact(whole, options).value as Confirmation;
    this.#show(this.#confirmation);
  }
}
