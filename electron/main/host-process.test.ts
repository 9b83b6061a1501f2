import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Problem } from '../../shared/model/problem.ts';

class Child extends EventEmitter {
  readonly sent: { readonly type: string }[] = [];
  killed = false;
  postMessage(message: { type: string }): void {
    this.sent.push(message);
  }
  kill(): void {
    this.killed = true;
  }
}

const children: Child[] = [];
vi.mock('electron', () => ({
  MessageChannelMain: class {
    readonly port1 = {};
    readonly port2 = {};
  },
  utilityProcess: {
    fork: () => {
      const child = new Child();
      children.push(child);
      return child;
    },
  },
}));
const { HostProcess } = await import('./host-process.ts');

const failures: Problem[] = [];
const make = () =>
  new HostProcess({
    entry: 'host.js',
    host: { journalFile: ':memory:', assetsRoot: null, version: '0', demo: false },
    onFailed: (problem) => failures.push(problem),
  });
function page() {
  const got: string[] = [];
  const contents = { destroyed: false, isDestroyed: () => contents.destroyed, postMessage: (m: string) => got.push(m) };
  return { got, contents, web: contents as unknown as WebContents };
}

beforeEach(() => {
  vi.useFakeTimers();
  children.length = 0;
  failures.length = 0;
});
afterEach(() => vi.useRealTimers());

test('a page gets one port from each host, whether it asks before or after the process is up', () => {
  const host = make();
  host.start();
  const { got, web } = page();
  host.connect(web);
  children[0]?.emit('spawn');
  expect(got).toEqual(['cetp:port']);
  children[0]?.emit('exit', 1);
  expect(got).toEqual(['cetp:port', 'cetp:lost']);
  host.connect(web);
  expect(got).toEqual(['cetp:port', 'cetp:lost']);
  vi.runOnlyPendingTimers();
  children[1]?.emit('spawn');
  expect(got).toEqual(['cetp:port', 'cetp:lost', 'cetp:port']);
});

test('a page that is gone is forgotten', () => {
  const host = make();
  host.start();
  const { got, contents, web } = page();
  host.connect(web);
  contents.destroyed = true;
  children[0]?.emit('exit', 1);
  vi.runOnlyPendingTimers();
  children[1]?.emit('spawn');
  expect(got).toEqual(['cetp:port']);
  expect(children[1]?.sent.map(({ type }) => type)).toEqual(['start']);
});

test('a host that keeps failing is tried ever more slowly, and its reason is told once', () => {
  const host = make();
  host.start();
  const waits: number[] = [];
  for (let n = 0; n < 8; n++) {
    const before = Date.now();
    children[n]?.emit('message', { type: 'failed', problem: { code: 'journal-newer', params: {}, raw: null } });
    children[n]?.emit('exit', 1);
    vi.runOnlyPendingTimers();
    waits.push(Date.now() - before);
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
  expect(failures.map(({ code }) => code)).toEqual(['journal-newer']);
});

test('a fatal error of the engine does not end the shell', () => {
  const host = make();
  host.start();
  expect(() => children[0]?.emit('error', 'FatalError', 'v8', '')).not.toThrow();
});

test('nothing is started after the stop', () => {
  const host = make();
  host.start();
  children[0]?.emit('exit', 1);
  host.stop();
  vi.runAllTimers();
  expect(children).toHaveLength(1);
});

test('a demo that was asked for later comes back after a crash', () => {
  const host = make();
  host.start();
  host.startDemo();
  children[0]?.emit('exit', 1);
  vi.runOnlyPendingTimers();
  expect(children[0]?.sent.at(-1)).toEqual({ type: 'demo' });
  expect(children[1]?.sent[0]).toMatchObject({ type: 'start', options: { demo: true } });
});
