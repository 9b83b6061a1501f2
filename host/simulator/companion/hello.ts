import { createHash, timingSafeEqual } from 'node:crypto';
import { ACCESS_TOOLS } from '../android/companion-package.ts';
import type { Params } from './params.ts';
import type { CompanionProcess, OpResult } from './process.ts';
import { ProtocolError } from './protocol-error.ts';

export const PROTOCOL = 1;

/** Checks the token first, then the protocol number. */
export function helloOp(process: CompanionProcess, params: Params, token: string): OpResult {
  if (!sameToken(params.raw('token'), token)) throw new ProtocolError('UNAUTHENTICATED', 'Wrong token');
  const protocol = params.raw('protocol');
  if (typeof protocol !== 'number') throw new ProtocolError('BAD_PARAMS', 'protocol must be a number');
  if (protocol !== PROTOCOL) {
    throw new ProtocolError('UNSUPPORTED_PROTOCOL', `Protocol ${protocol} is not supported`, { supported: [PROTOCOL] });
  }
  const { host } = process;
  const { self, android } = host;
  const permissions = { [ACCESS_TOOLS]: permissionState(process, ACCESS_TOOLS) };
  return {
    text: JSON.stringify({
      protocol: PROTOCOL,
      version: self.spec.versionName,
      package: self.spec.package,
      uid: self.uid,
      userId: Math.floor(self.uid / 100_000),
      signingCertSha256: host.signingCertSha256(self),
      sdk: android.sdk,
      release: android.release,
      manufacturer: android.properties['ro.product.manufacturer'] ?? '',
      model: android.properties['ro.product.model'] ?? '',
      queryAllPackages: android.sdk < 30 || self.grantedPermissions.has('android.permission.QUERY_ALL_PACKAGES'),
      permissions,
    }),
  };
}

/** Read afresh from the package list: a grant can go while the process lives. */
function permissionState(process: CompanionProcess, permission: string): 'granted' | 'denied' | 'undefined' {
  if (!process.host.isPermissionDefined(permission)) return 'undefined';
  const { self, android } = process.host;
  const now = android.packages().find((item) => item.spec.package === self.spec.package);
  return now?.grantedPermissions.has(permission) ? 'granted' : 'denied';
}

/** Constant time whatever the length: digests of equal size are compared. */
function sameToken(given: unknown, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(typeof given === 'string' ? given : ''), digest(token));
}
