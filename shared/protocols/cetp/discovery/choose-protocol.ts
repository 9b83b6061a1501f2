import type { Candidate } from '../../../model/provider.ts';
import type { Declaration } from './declaration.ts';

/** Texts are `protocolReason.<reason>` in `shared/i18n`. */
export type ProtocolReason =
  | 'v1-only-declared'
  | 'v2-only-declared'
  | 'v2-and-v1-declared'
  | 'nothing-declared'
  | 'declaration-invalid'
  | 'no-known-major'
  | 'authority-unusable'
  | 'provider-missing'
  | 'provider-other-package'
  | 'provider-owner-unknown';

export interface ProtocolChoice {
  readonly protocol: 'v1' | 'v2' | 'none';
  readonly reason: ProtocolReason;
}

/**
 * The protocol that will be used, by the manifest alone (v2 section 8): v1
 * only when it includes v1 and does not advertise v2. Advertising v2 means v2
 * or nothing; a failed negotiation later never comes back here.
 */
export function chooseProtocol(
  candidate: Pick<Candidate, 'package' | 'provider' | 'unknown'>,
  declaration: Declaration,
): ProtocolChoice {
  const none = (reason: ProtocolReason): ProtocolChoice => ({ protocol: 'none', reason });
  if (declaration.authority.state !== 'valid') return none('authority-unusable');
  if (candidate.provider === null && !candidate.unknown.includes('provider')) return none('provider-missing');
  if (candidate.provider !== null && candidate.provider.package !== candidate.package) {
    return none('provider-other-package');
  }
  // v2 2.1: the same package must be verified, so what cannot be verified is not used.
  if (candidate.provider === null && candidate.unknown.includes('provider.package')) {
    return none('provider-owner-unknown');
  }
  const { majors, versions, version } = declaration;
  if (majors === null) {
    const absent = versions.state === 'absent' && version.state === 'absent';
    return none(absent ? 'nothing-declared' : 'declaration-invalid');
  }
  if (majors.includes(2)) {
    return { protocol: 'v2', reason: majors.includes(1) ? 'v2-and-v1-declared' : 'v2-only-declared' };
  }
  return majors.includes(1) ? { protocol: 'v1', reason: 'v1-only-declared' } : none('no-known-major');
}
