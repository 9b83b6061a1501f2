import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import type { InstrumentationRun } from '../../host/simulator/virtual-device.ts';

const TARGET = path.resolve(import.meta.dirname, '..', '..', 'companion', 'target');
const MARK = '@loop ';
const RESULT_OK = -1;

/**
 * The companion's real server code, with the sample's real Providers behind it, on the JVM under Robolectric:
 * `CompanionLoop` of `companion/src/test`. One process serves any number of starts, one after another.
 */
export class CompanionJvm {
  readonly #child: ChildProcess;
  readonly #waiting: ((line: string) => void)[] = [];
  readonly #ready = Promise.withResolvers<void>();
  /** What it said besides, for a failure's message. */
  readonly #said: string[] = [];
  #run: { readonly number: number; readonly path: string; readonly end: (killed: boolean) => void } | null = null;

  /** Resolves when it takes commands. Throws `Error` where it was not built, or ends. */
  static async start(): Promise<CompanionJvm> {
    const classPath = path.join(TARGET, 'test-classpath.txt');
    if (!existsSync(classPath)) throw new Error('Run `mvn -q -f companion test` first: it builds the loop.');
    const jvm = new CompanionJvm(readFileSync(classPath, 'utf8').trim());
    await jvm.#ready.promise;
    return jvm;
  }

  private constructor(libraries: string) {
    const classes = [path.join(TARGET, 'test-classes'), path.join(TARGET, 'classes'), libraries].join(path.delimiter);
    const opens = ['java.io', 'java.lang'].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`);
    const offline = ['-Drobolectric.offline=true', `-Drobolectric.dependency.dir=${path.join(TARGET, 'robolectric')}`];
    const main = ['org.junit.runner.JUnitCore', 'com.clawseed.inspector.companion.CompanionLoop'];
    this.#child = spawn('java', [...opens, ...offline, '-cp', classes, ...main], { stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => this.#onLine(line));
    }
    const gone = (why: string): void => {
      this.#ready.reject(new Error(`The JVM ${why}:\n${this.#said.join('\n')}`));
      for (const answer of this.#waiting.splice(0)) answer(`error the JVM ${why}`);
      this.#run?.end(true);
    };
    this.#child.once('error', (error) => gone(`did not start (${error.message})`));
    this.#child.once('close', (code) => gone(`ended with ${code}`));
  }

  /** A companion process as `am instrument` starts one; the one before is gone. */
  async launch(): Promise<InstrumentationRun> {
    this.#run?.end(true);
    const { run, ...status } = JSON.parse(await this.command('start')) as { run: number } & Record<string, string>;
    const { promise, resolve } = Promise.withResolvers<Awaited<InstrumentationRun['ended']>>();
    this.#run = {
      number: run,
      path: status['cetp.socket'] ?? '',
      end: (killed) =>
        resolve(killed ? { result: { shortMsg: 'Process crashed.' }, code: 0 } : { result: {}, code: RESULT_OK }),
    };
    return { status, statusCode: 0, ended: promise };
  }

  /** What adbd does with `localabstract:NAME`; null where nobody listens. */
  connect(name: string): Duplex | null {
    return this.#run?.path === name ? net.connect(name) : null;
  }

  get isRunning(): boolean {
    return this.#run !== null;
  }

  /** Ends the companion's process, as `am force-stop` and a reinstallation do. */
  async kill(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    run?.end(true);
    await this.command('kill');
  }

  /** Presses a button of the sample's own screen once that is in front; `Back` is the device's. Answers its text. */
  async tap(label: string): Promise<string> {
    for (;;) {
      const screen = JSON.parse(await this.command('screen')) as string | null;
      if (screen === null) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      if ((await this.command(`tap ${label}`)) !== 'true') throw new Error(`No ${label} in: ${screen}`);
      return screen;
    }
  }

  /** Throws `Error` with what the harness says. */
  command(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push((answer) => {
        if (answer.startsWith('ok')) resolve(answer.slice(3));
        else reject(new Error(`${line.split(' ')[0]}: ${answer}`));
      });
      this.#child.stdin?.write(`${line}\n`);
    });
  }

  /** Ends the JVM and waits for its end. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#child.once('close', resolve));
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.stdin?.end();
    await closed;
  }

  #onLine(line: string): void {
    // JUnit's own progress dot stands before the first line.
    const at = line.indexOf(MARK);
    if (at < 0) {
      this.#said.push(line.slice(0, 500));
      if (this.#said.length > 100) this.#said.shift();
      return;
    }
    const text = line.slice(at + MARK.length);
    if (text === 'ready') this.#ready.resolve();
    else if (text.startsWith('ended ')) {
      if (this.#run?.number === Number(text.slice(6))) {
        this.#run.end(false);
        this.#run = null;
      }
    } else this.#waiting.shift()?.(text);
  }
}
