import { randomUUID } from 'node:crypto';
import type { Bundle } from '../../../shared/model/bundle.ts';
import type { BinderOutcome, DeviceObject, ProviderApp } from '../virtual-device.ts';
import { int, long, string } from './bundles.ts';

/** Far in the future of every test clock. */
export const FAR_DEADLINE = 4_000_000_000_000;

export interface Answer {
  /** Values by key, whatever their type. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly objects: Readonly<Record<string, DeviceObject>>;
  /** `data`, parsed; undefined where there is none. */
  readonly data: Record<string, unknown>;
}

export function answerOf(outcome: BinderOutcome): Answer {
  if (outcome.kind !== 'bundle') throw new Error(`Not a Bundle: ${outcome.kind}`);
  const { entries, objects } = outcome.bundle;
  const values = Object.fromEntries(entries.map((entry) => [entry.key, 'v' in entry ? entry.v : null]));
  const data = typeof values['data'] === 'string' ? JSON.parse(values['data']) : undefined;
  return { values, objects, data };
}

export interface ExecuteOptions {
  readonly requestId?: string;
  readonly deadlineAtMs?: number;
  readonly resumeToken?: string;
  /** Replaces the JSON text of the arguments. */
  readonly argsText?: string;
}

/** A CETP v2 Consumer for tests: negotiates once, then calls. */
export class TestCaller {
  readonly uid: number;
  token = '';
  private readonly app: ProviderApp;

  constructor(app: ProviderApp, uid = 10_200) {
    this.app = app;
    this.uid = uid;
  }

  async raw(method: string, entries: Bundle | null): Promise<BinderOutcome> {
    const extras = entries === null ? null : { entries, objects: {} };
    return this.app.call({ uid: this.uid, packages: [`test.caller${this.uid}`] }, method, null, extras);
  }

  async negotiate(
    capabilities: readonly string[] = ['async_operations', 'cancellation', 'large_results'],
    versions: readonly number[] = [2, 1],
  ): Promise<Answer> {
    const answer = answerOf(
      await this.raw('negotiate', [
        { key: 'consumer_versions', t: 'int[]', v: [...versions] },
        string('consumer_capabilities', JSON.stringify(capabilities)),
      ]),
    );
    this.token = String(answer.data?.['session_token'] ?? '');
    return answer;
  }

  async call(method: string, more: Bundle = [], options: ExecuteOptions = {}): Promise<Answer> {
    return answerOf(await this.rawCall(method, more, options));
  }

  rawCall(method: string, more: Bundle = [], options: ExecuteOptions = {}): Promise<BinderOutcome> {
    return this.raw(method, this.envelope(more, options));
  }

  async execute(tool: string, args: object = {}, options: ExecuteOptions = {}): Promise<Answer> {
    return answerOf(await this.executeRaw(tool, args, options));
  }

  executeRaw(tool: string, args: object = {}, options: ExecuteOptions = {}): Promise<BinderOutcome> {
    const more: Bundle = [string('tool_name', tool), string('args', options.argsText ?? JSON.stringify(args))];
    if (options.resumeToken !== undefined) more.push(string('resume_token', options.resumeToken));
    return this.raw('execute_tool', this.envelope(more, options));
  }

  private envelope(more: Bundle, options: ExecuteOptions): Bundle {
    return [
      int('protocol_version', 2),
      string('session_token', this.token),
      string('request_id', options.requestId ?? randomUUID()),
      long('deadline_at_ms', options.deadlineAtMs ?? FAR_DEADLINE),
      ...more,
    ];
  }
}

/** Launches the resolution of an answer, as the Consumer does. */
export async function launchResolution(answer: Answer): Promise<number> {
  const object = answer.objects['resolution'];
  if (object?.t !== 'pendingIntent') throw new Error('No resolution');
  return (await object.launch()).resultCode;
}
