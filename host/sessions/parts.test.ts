import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../shared/model/call.ts';
import { LatestValue } from '../base/latest-value.ts';
import { CallList } from './call-list.ts';
import { Gate } from './gate.ts';
import { handlesOf } from './handles.ts';

const never = new AbortController().signal;

describe('Gate', () => {
  it('lets the limit through, in order, and gives a left place to the next', async () => {
    const gate = new Gate(2);
    const order: number[] = [];
    const enter = async (n: number) => {
      const leave = await gate.enter(never);
      order.push(n);
      return leave;
    };
    const [first] = await Promise.all([enter(1), enter(2)]);
    const third = enter(3);
    const fourth = enter(4);
    first?.();
    first?.();
    (await third)?.();
    await fourth;
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it('takes a waiter away with its signal, and admits more when the limit grows', async () => {
    const gate = new Gate(1);
    await gate.enter(never);
    const stop = new AbortController();
    const given = gate.enter(stop.signal);
    const kept = gate.enter(never);
    stop.abort();
    expect(await given).toBe(null);
    expect(await gate.enter(stop.signal)).toBe(null);
    gate.setLimit(2);
    expect(await kept).not.toBe(null);
  });

  it('keeps one place at least', async () => {
    const gate = new Gate(1);
    gate.setLimit(0);
    expect(await gate.enter(never)).not.toBe(null);
  });
});

describe('Latest', () => {
  it('gives the newest to each watcher and skips what came between', async () => {
    const latest = new LatestValue(0);
    const watch = latest.watch(never);
    expect((await watch.next()).value).toBe(0);
    for (let i = 1; i <= 5; i++) latest.set(i);
    expect((await watch.next()).value).toBe(5);
    const next = watch.next();
    latest.set(6);
    expect((await next).value).toBe(6);
  });
});

describe('CallList', () => {
  it('keeps 200 ended calls and every one under way', () => {
    const list = new CallList();
    list.add(record('running', null));
    // Answered, with its file still on the way (v2 4.5).
    list.add({ ...record('reading', 'x'), endedAtMs: null });
    for (let i = 0; i < 250; i++) list.add(record(`c${i}`, 'x'));
    const ids = list.records.map((one) => one.id);
    expect(ids).toHaveLength(202);
    expect([ids[0], ids.at(-3), ids.at(-2), ids.at(-1)]).toEqual(['c249', 'c50', 'reading', 'running']);
    list.update({ ...record('running', 'done') });
    expect(list.records.map((one) => one.id)).not.toContain('running');
    list.update(record('reading', 'done'));
    list.update(record('c0', 'gone already'));
    expect(list.records).toHaveLength(200);
  });

  it('lets old ones go where their texts are too long together, never the newest', () => {
    const list = new CallList();
    for (const id of ['a', 'b', 'c']) list.add(record(id, 'x'.repeat(7 * 1024 * 1024)));
    expect(list.records.map((one) => one.id)).toEqual(['c', 'b']);
    list.add(record('d', 'x'.repeat(17 * 1024 * 1024)));
    expect(list.records.map((one) => one.id)).toEqual(['d']);
  });
});

describe('handlesOf', () => {
  it('finds handles in nested Bundles', () => {
    const intent = { creatorPackage: null, creatorUid: null, immutable: null, kind: null };
    expect(
      handlesOf([
        { key: 'a', t: 'fd', v: { handle: 'f1', size: 3 } },
        { key: 'b', t: 'bundle', v: [{ key: 'c', t: 'pendingIntent', v: { handle: 'p1', ...intent } }] },
        { key: 'd', t: 'bundle[]', v: [[{ key: 'e', t: 'fd', v: { handle: 'f2', size: 3 } }]] },
      ]),
    ).toEqual(['f1', 'p1', 'f2']);
    expect(handlesOf(null)).toEqual([]);
  });
});

function record(id: string, text: string | null): CallRecord {
  const outcome = { kind: 'refused', findings: [], problem: { code: 'x', params: {}, raw: text } } as const;
  const end = text === null ? { outcome: null, endedAtMs: null } : { outcome, endedAtMs: 1 };
  return { id, ...end } as unknown as CallRecord;
}
