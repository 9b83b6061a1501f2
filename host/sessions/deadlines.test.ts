import { describe, expect, it } from 'vitest';
import type { Bundle } from '../../shared/model/bundle.ts';
import type { EncodedCall } from '../bridge/bridge.ts';
import { createWorld, draft, START_MS, target, value, type World } from './testing/scripted.ts';

const HOUR_MS = 3_600_000;

/** A world whose device's clock is so far off. */
async function skewed(offsetMs: number | null, uncertaintyMs = 4): Promise<World> {
  const world = createWorld();
  world.deviceClock = offsetMs === null ? null : { offsetMs, uncertaintyMs, measuredAtMs: START_MS };
  await world.sessions.catalog(target, false);
  return world;
}

const sent = (call: EncodedCall | undefined) => {
  const entry = call?.extras?.find(({ key }) => key === 'deadline_at_ms');
  return entry?.t === 'long' ? Number(entry.v) : null;
};
const entry = (extras: Bundle) => extras.find(({ key }) => key === 'deadline_at_ms');
const codes = (problems: readonly { code: string }[]) => problems.map(({ code }) => code);

describe('v2 4.1: the Provider checks the deadline by its own clock', () => {
  it.each([
    ['ahead', 600_000.4, 600_000],
    ['behind', -600_000, -600_000],
    ['not measured', null, 0],
    ['off by no more than the measure itself', 4, 0],
  ])('%s', async (_name, offsetMs, correction) => {
    const world = await skewed(offsetMs);
    const prepared = await world.sessions.prepare(draft({ timeoutMs: 10_000 }));
    expect(prepared.deadlineAtMs).toBe(START_MS + 10_000 + correction);
    expect(entry(prepared.extras)).toEqual({ key: 'deadline_at_ms', t: 'long', v: String(prepared.deadlineAtMs) });
    expect(codes(prepared.warnings)).toEqual(correction === 0 ? [] : ['clock-skew']);
    expect(prepared.deviceClock).toEqual(world.deviceClock);
    const list = world.bridge.sent.find(({ method }) => method === 'list_tools');
    expect(sent(list)).toBe(START_MS + 30_000 + correction);
  });

  it('a correction does not make the wait here longer or shorter', async () => {
    const world = await skewed(HOUR_MS / 2);
    for (let i = 0; i < 4; i++) {
      const busy = await world.sessions.prepare(draft({ timeoutMs: 60_000 }));
      void world.sessions.run({ preparedId: busy.id, confirmed: true, force: false });
    }
    const [first] = await world.bridge.waiting(4);
    const late = await world.sessions.prepare(draft({ timeoutMs: 1_000 }));
    const waiting = world.sessions.run({ preparedId: late.id, confirmed: true, force: false });
    world.clock.advance(1_001);
    first?.answer(value(first.call, { ok: true }));
    expect((await waiting).outcome).toMatchObject({ kind: 'refused', problem: { code: 'deadline-passed' } });
  });

  it('a deadline that was typed is sent as typed, and judged by the device', async () => {
    const world = await skewed(HOUR_MS / 2);
    const soon = await world.sessions.prepare(draft({ deadlineAtMs: START_MS + 60_000 }));
    expect(soon.deadlineAtMs).toBe(START_MS + 60_000);
    expect([codes(soon.refusals), codes(soon.warnings)]).toEqual([['deadline-in-past'], ['clock-skew-as-typed']]);
    const refused = await world.sessions.run({ preparedId: soon.id, confirmed: true, force: false });
    expect(refused.outcome).toMatchObject({ kind: 'refused', problem: { code: 'deadline-in-past' } });
    const forced = await world.sessions.prepare(draft({ deadlineAtMs: START_MS + 60_000 }));
    void world.sessions.run({ preparedId: forced.id, confirmed: true, force: true });
    const [pending] = await world.bridge.waiting(1);
    expect(sent(pending?.call)).toBe(START_MS + 60_000);
    const later = await world.sessions.prepare(draft({ deadlineAtMs: START_MS + HOUR_MS / 2 + 1 }));
    expect(codes(later.refusals)).toEqual([]);
  });
});

describe('v2 2.2: expires_at is an instant of the device', () => {
  it.each([
    [0, HOUR_MS],
    [-HOUR_MS / 2, (HOUR_MS * 3) / 2],
    [HOUR_MS / 2, HOUR_MS / 2],
  ])('a clock %d ms off: the session ends after %d ms here', async (offsetMs, livesMs) => {
    const world = await skewed(offsetMs === 0 ? null : offsetMs);
    world.clock.advance(livesMs - 1);
    expect(codes((await world.sessions.prepare(draft({ timeoutMs: 100 }))).refusals)).toEqual([]);
    world.clock.advance(1);
    expect(codes((await world.sessions.prepare(draft({ timeoutMs: 100 }))).refusals)).toEqual(['session-expired']);
  });

  it('one that the device has passed is expired at once; the session says by which clock', async () => {
    const world = createWorld();
    world.deviceClock = { offsetMs: 2 * HOUR_MS, uncertaintyMs: 3, measuredAtMs: START_MS };
    const session = await world.sessions.negotiate(target);
    expect(session).toMatchObject({ state: 'failed', problem: { code: 'negotiation-expired' } });
    expect(session.deviceClock).toEqual(world.deviceClock);
  });
});
