import type { CompanionStatus } from '../../../shared/model/device.ts';
import { type Problem, problem } from '../../../shared/model/problem.ts';
import type { CompanionHello } from '../../../shared/protocols/companion/frames.ts';
import { ACCESS_TOOLS_PERMISSION } from '../../../shared/protocols/companion/limits.ts';
import { type InstalledFacts, isOlder } from './installed-app.ts';

/** What is known of a companion before anybody looked. */
export const UNKNOWN_COMPANION: CompanionStatus = {
  state: 'unknown',
  version: null,
  uid: null,
  permission: 'unknown',
  userId: null,
  bundledVersion: null,
  isOlder: false,
  startedBy: null,
  connectedSinceMs: null,
  clock: null,
  problem: null,
};

/** Not connected: what the companion itself told is no longer known. */
export function idleStatus(
  before: CompanionStatus,
  state: CompanionStatus['state'],
  reason: Problem | null,
): CompanionStatus {
  const { userId, bundledVersion } = before;
  return { ...UNKNOWN_COMPANION, userId, bundledVersion, state, problem: reason };
}

/** An installed companion that does not run, as the package manager tells of it. */
export function describedStatus(before: CompanionStatus, facts: InstalledFacts): CompanionStatus {
  const { version, permission } = facts;
  const older = isOlder(version, before.bundledVersion);
  const warning = warningOf(permission, older ? version : null, before.bundledVersion, null);
  return { ...before, version, permission, isOlder: older, problem: before.problem ?? warning };
}

/** `refusal`: why instrumentation did not start it; null: it did. */
export function connectedStatus(
  before: CompanionStatus,
  hello: CompanionHello,
  bundledVersion: string | null,
  refusal: Problem | null,
): CompanionStatus {
  const { version, uid } = hello;
  const permission = hello.permissions.get(ACCESS_TOOLS_PERMISSION) ?? 'unknown';
  const older = isOlder(version, bundledVersion);
  return {
    state: 'connected',
    version,
    uid,
    permission,
    userId: before.userId,
    bundledVersion,
    isOlder: older,
    startedBy: refusal === null ? 'instrumentation' : 'service',
    connectedSinceMs: Date.now(),
    clock: null,
    problem: warningOf(permission, older ? version : null, bundledVersion, refusal),
  };
}

/** What a person should know of a companion that works: the weightiest of three. */
function warningOf(
  permission: CompanionStatus['permission'],
  olderVersion: string | null,
  bundledVersion: string | null,
  refusal: Problem | null,
): Problem | null {
  if (permission === 'denied') return problem('companion.permission-not-granted');
  if (olderVersion !== null) {
    return problem('companion.older', { installed: olderVersion, bundled: bundledVersion ?? '?' });
  }
  return refusal === null ? null : problem('companion.started-as-service', {}, refusal.raw);
}
