import { randomUUID } from 'node:crypto';
import type { DemoDecision, DemoPrompt } from '../../../shared/model/demo.ts';
import type { User, UserDecision, UserPrompt } from '../provider-kit/v2/definition.ts';

/** Screens that one device holds open; a further one closes the oldest. */
const MAX_OPEN = 20;

interface Open {
  readonly prompt: DemoPrompt;
  readonly decide: (decision: UserDecision) => void;
}

/** The screens of the demo devices, and the person in front of them: whoever answers. */
export class DemoScreen {
  private readonly open = new Map<string, Open>();
  private readonly listeners = new Set<(prompts: readonly DemoPrompt[]) => void>();

  /** The person in front of one device, for the Providers on it. */
  user(device: { readonly serial: string; readonly model: string }): User {
    return (prompt, signal) => this.show(device, prompt, signal);
  }

  /** What is on the screens, oldest first. */
  prompts(): readonly DemoPrompt[] {
    return [...this.open.values()].map(({ prompt }) => prompt);
  }

  /** Called with everything on the screens after each change; the function returned ends that. */
  subscribe(listener: (prompts: readonly DemoPrompt[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** False where that screen is not open any more. */
  answer(promptId: string, decision: DemoDecision): boolean {
    const found = this.open.get(promptId);
    found?.decide(decision === 'close' ? 'dismiss' : decision);
    return found !== undefined;
  }

  /** Leaves every screen without a decision. */
  close(): void {
    for (const { decide } of [...this.open.values()]) decide('dismiss');
  }

  private show(
    { serial, model }: { readonly serial: string; readonly model: string },
    asked: UserPrompt,
    signal: AbortSignal,
  ): Promise<UserDecision> {
    const mine = [...this.open.values()].filter((item) => item.prompt.serial === serial);
    if (mine.length >= MAX_OPEN) mine[0]?.decide('dismiss');
    const { promise, resolve } = Promise.withResolvers<UserDecision>();
    const promptId = randomUUID();
    const gone = (): void => decide('dismiss');
    const decide = (decision: UserDecision): void => {
      if (!this.open.delete(promptId)) return;
      signal.removeEventListener('abort', gone);
      resolve(decision);
      this.changed();
    };
    const prompt: DemoPrompt = {
      promptId,
      serial,
      model,
      sinceMs: Date.now(),
      ...asked,
      callerPackages: [...asked.callerPackages],
      scopes: asked.scopes.map((scope) => ({ ...scope })),
    };
    this.open.set(promptId, { prompt, decide });
    signal.addEventListener('abort', gone, { once: true });
    this.changed();
    return promise;
  }

  private changed(): void {
    const prompts = this.prompts();
    for (const listener of [...this.listeners]) listener(prompts);
  }
}
