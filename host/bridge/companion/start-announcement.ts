import { ProblemError, problem } from '../../../shared/model/problem.ts';
import { COMPANION_PROTOCOL } from '../../../shared/protocols/companion/limits.ts';
import type { CompanionAddress } from './companion-connection.ts';

export interface StartedCompanion {
  readonly address: CompanionAddress;
  readonly version: string;
}

/** What a companion tells of itself when it starts (section 1.3). Throws `ProblemError` where that cannot be right. */
export function readAnnouncement(values: ReadonlyMap<string, string>): StartedCompanion {
  const protocol = values.get('cetp.protocol') ?? '?';
  const socket = values.get('cetp.socket') ?? '';
  const token = values.get('cetp.token') ?? '';
  if (protocol !== String(COMPANION_PROTOCOL)) {
    throw new ProblemError(problem('companion.unsupported-protocol', { supported: protocol.slice(0, 40) }));
  }
  if (!/^[\x21-\x7e]{1,107}$/.test(socket) || !/^[0-9a-f]{64}$/.test(token)) {
    throw new ProblemError(problem('companion.bad-start', {}, socket.slice(0, 200)));
  }
  return { address: { socket, token }, version: values.get('cetp.version') ?? '' };
}
