import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError, problem } from '../../../shared/model/problem.ts';
import { COMPANION_PACKAGE } from '../../../shared/protocols/companion/limits.ts';
import type { DeviceIo } from '../../adb/device-io.ts';
import { userArgs } from './installed-app.ts';
import { readAnnouncement, type StartedCompanion } from './start-announcement.ts';

const SERVICE = `${COMPANION_PACKAGE}/.BridgeService`;
const LOOK_MS = 200;

/**
 * The fallback where a vendor refuses instrumentation: the companion's foreground service, which the shell alone may
 * start, and its announcement by `dumpsys activity service … --announce`. Nothing tells its end but its connections.
 * Throws `ProblemError`: `companion.service-refused`, `companion.start-timeout`, `companion.bad-start`,
 * `companion.unsupported-protocol`.
 */
export async function startCompanionService(
  io: DeviceIo,
  userId: number | null,
  timeoutMs: number,
): Promise<StartedCompanion> {
  const until = Date.now() + timeoutMs;
  const start = await io.shell(['am', 'start-foreground-service', ...userArgs(userId), '-n', SERVICE]);
  const words = `${start.stdout}${start.stderr}`.trim();
  if (!/^Starting service:/m.test(words) || /^Error:|Exception/m.test(words)) {
    throw refused(words);
  }
  let last = '';
  do {
    const { stdout } = await io.shell(['dumpsys', 'activity', 'service', ...otherUser(userId), SERVICE, '--announce']);
    const values = new Map(
      [...stdout.matchAll(/^\s*(cetp\.\w+)=(.*?)\s*$/gm)].map(([, key = '', text = '']) => [key, text]),
    );
    if (values.has('cetp.socket')) return readAnnouncement(values);
    // What stands there must never carry the token into a problem's text.
    last =
      values.get('cetp.error') ??
      stdout
        .trim()
        .replace(/(cetp\.token=)\S*/g, '$1…')
        .slice(0, 500);
    // Until Android has started it, there is no such service, or it says that it has not started.
    if (values.has('cetp.error') && last !== 'not started') throw refused(last);
    await delay(LOOK_MS);
  } while (Date.now() < until);
  throw new ProblemError(problem('companion.start-timeout', { ms: timeoutMs }, last));
}

function refused(words: string): ProblemError {
  return new ProblemError(problem('companion.service-refused', {}, words));
}

/** Older versions of Android do not know the option, and need none for their first user. */
function otherUser(userId: number | null): string[] {
  return userId === 0 ? [] : userArgs(userId);
}
