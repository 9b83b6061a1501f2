import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { createVirtualAndroid, type SimulatedAndroid } from '../android/virtual-android.ts';
import { agentPackage } from '../provider-kit/agent.ts';
import { echoPackage } from '../provider-kit/echo.ts';
import { notesPackage } from '../provider-kit/notes-weather.ts';
import { oddManifestPackages } from '../provider-kit/odd-manifests.ts';
import type { InstrumentationRun, PackageSpec } from '../virtual-device.ts';
import { decodeBundle } from './bundle-codec.ts';
import { ManualClock } from './clock.ts';

type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };
type Fields = Readonly<Record<string, Value>>;
export type Step = Readonly<Record<string, Value>>;
export interface VectorCase {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Everything is in memory, so a few turns of the event loop deliver all that was written. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** One connection as the desktop holds it. */
class Wire {
  readonly stream: Duplex;
  private buffer = Buffer.alloc(0);
  private ended = false;
  private wake: () => void = () => {};

  constructor(stream: Duplex) {
    this.stream = stream;
    stream.on('data', (chunk: Buffer) => {
      this.buffer = Buffer.concat([this.buffer, chunk]);
      this.wake();
    });
    const end = (): void => {
      this.ended = true;
      this.wake();
    };
    stream.on('end', end);
    stream.on('close', end);
    stream.on('error', end);
  }

  get unread(): number {
    return this.buffer.length;
  }

  async take(length: number): Promise<Buffer> {
    while (this.buffer.length < length) await this.more();
    const bytes = this.buffer.subarray(0, length);
    this.buffer = this.buffer.subarray(length);
    return bytes;
  }

  async line(): Promise<Value> {
    for (;;) {
      const end = this.buffer.indexOf(0x0a);
      if (end !== -1) return JSON.parse((await this.take(end + 1)).toString('utf8')) as Value;
      await this.more();
    }
  }

  async closed(): Promise<void> {
    while (!this.ended) await this.next();
  }

  private async more(): Promise<void> {
    if (this.ended) throw new Error(`The connection closed; unread: ${this.buffer.toString('utf8', 0, 200)}`);
    await this.next();
  }

  private next(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}

/** Runs the steps of a case; throws `Error` with the step that failed. The caller bounds the time. */
export async function runVector(vector: VectorCase): Promise<void> {
  const runner = new Runner();
  for (const [index, step] of vector.steps.entries()) {
    try {
      await runner.step(step);
    } catch (error) {
      throw new Error(`${vector.name}, step ${index + 1} ${JSON.stringify(step).slice(0, 300)}: ${error}`);
    }
  }
  await settle();
  runner.checkNothingUnread();
}

class Runner {
  private readonly clock = new ManualClock();
  private readonly packages = new Map<string, PackageSpec>();
  private readonly android: SimulatedAndroid;
  private readonly run: InstrumentationRun;
  private readonly wires = new Map<string, Wire>();
  private readonly bound = new Map<string, string>();
  private trigger: Promise<string> = Promise.resolve('no trigger');

  constructor() {
    const odd = oddManifestPackages();
    const specs = [notesPackage(), echoPackage(), agentPackage()];
    specs.push(odd.providerNotExported, odd.providerDisabled, odd.undefinedPermission);
    for (const spec of specs) this.packages.set(spec.package, spec);
    this.android = createVirtualAndroid({ packages: specs, clock: this.clock });
    const run = this.android.instrument('com.clawseed.inspector.companion/.BridgeInstrumentation');
    if (!run) throw new Error('The instrumentation did not start');
    this.run = run;
    this.bound.set('$TOKEN', run.status['cetp.token'] ?? '');
  }

  async step(step: Step): Promise<void> {
    const name = String(step['on'] ?? step['open'] ?? step['connect'] ?? step['close'] ?? '');
    if ('connect' in step || 'open' in step) this.connect(name);
    if ('open' in step) {
      this.send(name, JSON.stringify({ id: 0, op: 'hello', params: { protocol: 1, token: this.bound.get('$TOKEN') } }));
      this.match(await this.wire(name).line(), { id: 0, ok: '$ANY' }, '');
    }
    if ('send' in step) this.send(name, JSON.stringify(this.fill(step['send'] ?? null)));
    if ('sendText' in step) this.send(name, String(step['sendText']));
    if ('sendBase64' in step) this.wire(name).stream.write(Buffer.from(String(step['sendBase64']), 'base64'));
    if ('sendRepeated' in step) {
      const { byte, count } = step['sendRepeated'] as Fields;
      this.wire(name).stream.write(Buffer.alloc(Number(count), Number(byte)));
    }
    if ('sendPadded' in step) this.sendPadded(name, step['sendPadded'] as Fields);
    if ('expect' in step) this.match(await this.wire(name).line(), step['expect'] ?? null, '');
    if ('expectAnyOrder' in step) await this.anyOrder(name, step['expectAnyOrder'] as readonly Value[]);
    if ('expectStream' in step) await this.stream(name, step['expectStream'] as Fields);
    if ('expectClosed' in step) {
      await this.wire(name).closed();
      if (this.wire(name).unread > 0) throw new Error('bytes came before the end');
    }
    if ('close' in step) {
      this.wire(name).stream.destroy();
      await settle();
    }
    if ('advanceMs' in step) {
      await settle();
      this.clock.advance(Number(step['advanceMs']));
      await settle();
    }
    if ('device' in step) await this.device(step['device'] as Fields);
  }

  checkNothingUnread(): void {
    for (const [name, wire] of this.wires) {
      if (wire.unread > 0) throw new Error(`${wire.unread} unread bytes on connection ${name}`);
    }
  }

  private connect(name: string): void {
    const stream = this.android.connectAbstract(this.run.status['cetp.socket'] ?? '');
    if (!stream) throw new Error('The socket refused');
    this.wires.set(name, new Wire(stream));
  }

  private wire(name: string): Wire {
    const wire = this.wires.get(name);
    if (!wire) throw new Error(`No connection ${name}`);
    return wire;
  }

  private send(name: string, line: string): void {
    this.wire(name).stream.write(`${line}\n`);
  }

  private sendPadded(name: string, { request, lineBytes }: Fields): void {
    const text = JSON.stringify(request);
    const padded = text.includes('$PAD') ? text : text.replace(/\}$/, ',"pad":"$PAD"}');
    const rest = Number(lineBytes) - 1 - (padded.length - '$PAD'.length);
    this.send(name, padded.replace('$PAD', 'x'.repeat(rest)));
  }

  private async anyOrder(name: string, expected: readonly Value[]): Promise<void> {
    const left = [...expected];
    while (left.length > 0) {
      const line = await this.wire(name).line();
      const index = left.findIndex((item) => this.matches(line, item));
      if (index === -1) throw new Error(`unexpected ${JSON.stringify(line)}`);
      left.splice(index, 1);
    }
  }

  private async stream(name: string, expected: Fields): Promise<void> {
    const parts: Buffer[] = [];
    for (;;) {
      const length = (await this.wire(name).take(4)).readUInt32BE();
      if (length === 0xffffffff) {
        this.match(await this.wire(name).line(), { error: expected['error'] ?? null }, '');
        break;
      }
      if (length === 0) {
        if ('error' in expected) throw new Error('ended without the error');
        break;
      }
      if (length > 64 * 1024) throw new Error(`a chunk of ${length} bytes`);
      parts.push(await this.wire(name).take(length));
    }
    const all = Buffer.concat(parts).toString('base64');
    if (all !== expected['base64']) throw new Error(`bytes differ: ${all}`);
  }

  private async device(step: Fields): Promise<void> {
    await settle();
    if ('install' in step) this.android.install(this.packages.get(String(step['install'])) as PackageSpec);
    if ('remove' in step) this.android.uninstall(String(step['remove']));
    if ('blockActivities' in step) this.android.setActivityBlocked(step['blockActivities'] === true);
    if ('trigger' in step) this.submit(step['trigger'] as Fields);
    if ('expectTriggerAnswer' in step) this.match(await this.trigger, step['expectTriggerAnswer'] ?? null, '');
    if ('expectEnded' in step) this.match((await this.run.ended).code, -1, '');
  }

  private submit({ from, extras }: Fields): void {
    const item = this.android.packages().find((other) => other.spec.package === from);
    const endpoint = this.android.companion();
    if (!item || !endpoint) throw new Error('no such package, or no companion');
    this.trigger = endpoint.submitTrigger({
      callerUid: item.uid,
      callerPackages: [item.spec.package],
      signingCertSha256: ['0'.repeat(64)],
      extras: { entries: decodeBundle(extras), objects: {} },
    });
  }

  /** Puts remembered values in place. */
  private fill(value: Value): Value {
    if (typeof value === 'string') return this.bound.get(value) ?? value;
    if (Array.isArray(value)) return value.map((item: Value) => this.fill(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.fill(item)]));
  }

  private matches(actual: Value, expected: Value): boolean {
    try {
      this.match(actual, expected, '');
      return true;
    } catch {
      return false;
    }
  }

  private match(actual: Value, expected: Value, path: string): void {
    const mismatch = new Error(`at ${path || '/'}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
    if (typeof expected === 'string' && expected.startsWith('$')) {
      if (!this.placeholder(actual, expected)) throw mismatch;
    } else if (Array.isArray(expected)) {
      if (!Array.isArray(actual) || actual.length !== expected.length) throw mismatch;
      for (const [index, item] of expected.entries()) {
        this.match((actual as readonly Value[])[index] ?? null, item, `${path}/${index}`);
      }
    } else if (typeof expected === 'object' && expected !== null) {
      if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) throw mismatch;
      const keys = Object.keys(expected).sort();
      if (JSON.stringify(Object.keys(actual).sort()) !== JSON.stringify(keys)) throw mismatch;
      for (const key of keys) {
        const [one, other] = [actual, expected].map((object) => Object.getOwnPropertyDescriptor(object, key)?.value);
        this.match(one as Value, other as Value, `${path}/${key}`);
      }
    } else if (!Object.is(actual, expected)) throw mismatch;
  }

  private placeholder(actual: Value, expected: string): boolean {
    if (expected === '$ANY') return true;
    if (expected === '$STRING') return typeof actual === 'string';
    if (expected === '$INT') return Number.isInteger(actual);
    if (expected === '$TIME') return typeof actual === 'number' && actual >= 0;
    if (expected === '$HEX64') return typeof actual === 'string' && /^[0-9a-f]{64}$/.test(actual);
    if (typeof actual !== 'string' || actual === '') return false;
    const known = this.bound.get(expected);
    this.bound.set(expected, actual);
    return known === undefined || known === actual;
  }
}
