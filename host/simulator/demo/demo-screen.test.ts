import { describe, expect, it } from 'vitest';
import { authorityOf } from '../provider-kit/package-builder.ts';
import { PRICE_ALERTS_PACKAGE } from '../provider-kit/price-alerts.ts';
import { type Answer, launchResolution, TestCaller } from '../provider-kit/test-caller.ts';
import { createDemoDevices } from './demo-devices.ts';
import { DemoScreen } from './demo-screen.ts';

const ALERT = { alert_id: 'al-1' };

/** A caller of the demo phone's Price Alerts, and its screen. */
async function phone() {
  const screen = new DemoScreen();
  const changes: number[] = [];
  screen.subscribe((prompts) => changes.push(prompts.length));
  const android = createDemoDevices(screen)[0]!.android;
  const acquired = android.acquire(0, authorityOf(PRICE_ALERTS_PACKAGE));
  if (acquired.kind !== 'ok') throw new Error(acquired.kind);
  const caller = new TestCaller(acquired.app);
  await caller.negotiate();
  const ask = () => caller.execute('delete_alert', ALERT);
  const resume = (asked: Answer) =>
    caller.execute('delete_alert', ALERT, {
      requestId: String(asked.values['request_id']),
      resumeToken: String(asked.values['resume_token']),
    });
  return { screen, changes, android, ask, resume };
}

describe('the screen of a demo phone', () => {
  it('is empty until a resolution is launched, and then shows what 7.2 asks for', async () => {
    const { screen, ask } = await phone();
    const asked = await ask();
    expect(screen.prompts()).toEqual([]);
    void launchResolution(asked);
    expect(screen.prompts()).toMatchObject([
      {
        serial: 'DEMO34PHONE01',
        model: 'Pixel 8',
        kind: 'confirm',
        package: PRICE_ALERTS_PACKAGE,
        tool: 'delete_alert',
        title: 'Delete price alert',
        argsText: '{"alert_id":"al-1"}',
        callerPackages: ['test.caller10200'],
        effect: 'delete',
        destructive: true,
        consequences: 'Alert al-1 is deleted and cannot be brought back.',
      },
    ]);
  });

  it.each([
    ['approve', -1, undefined],
    ['deny', 0, 'USER_CANCELLED'],
    ['close', 0, 'USER_ACTION_REQUIRED'],
  ] as const)('%s: result code %i, then %s on resume (4.3)', async (decision, resultCode, code) => {
    const { screen, changes, ask, resume } = await phone();
    const asked = await ask();
    const launched = launchResolution(asked);
    const id = screen.prompts()[0]!.promptId;
    expect(screen.answer(id, decision)).toBe(true);
    expect(await launched).toBe(resultCode);
    expect(screen.answer(id, 'approve')).toBe(false);
    expect(changes).toEqual([1, 0]);
    expect((await resume(asked)).values['error_code']).toBe(code);
  });

  it('goes without a decision when the app behind it dies, and when the demo ends', async () => {
    const { screen, android, ask } = await phone();
    const launched = launchResolution(await ask());
    android.kill(PRICE_ALERTS_PACKAGE);
    expect(await launched).toBe(0);
    const other = await phone();
    const second = launchResolution(await other.ask());
    other.screen.close();
    expect(await second).toBe(0);
    expect([screen.prompts(), other.screen.prompts()]).toEqual([[], []]);
  });

  it('holds at most 20 screens of a device; the oldest is closed', async () => {
    const { screen, ask } = await phone();
    const first = launchResolution(await ask());
    for (let i = 0; i < 20; i++) void launchResolution(await ask());
    expect(await first).toBe(0);
    expect(screen.prompts()).toHaveLength(20);
  });
});
