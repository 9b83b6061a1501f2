import type { Finding } from '../../../model/finding.ts';
import type { Candidate } from '../../../model/provider.ts';
import { readDeclaration } from './declaration.ts';
import { ACCESS_PERMISSION, META_AUTHORITY } from './names.ts';

/** `<package>/<service class>`: every Service with the action is a Provider of its own. */
export function candidateKey(candidate: Pick<Candidate, 'package' | 'component'>): string {
  return `${candidate.package}/${candidate.component.name}`;
}

/** Verdicts that need the whole set of a device, by `candidateKey`. */
export function setFindings(candidates: readonly Candidate[]): ReadonlyMap<string, readonly Finding[]> {
  const findings = new Map<string, Finding[]>();
  const add = (candidate: Candidate, finding: Finding): void => {
    const key = candidateKey(candidate);
    findings.set(key, [...(findings.get(key) ?? []), finding]);
  };
  for (const [authority, group] of groupBy(candidates, authorityOf)) {
    if (group.length < 2) continue;
    for (const candidate of group) {
      const others = group.filter((other) => other !== candidate).map(candidateKey);
      add(candidate, {
        rule: 'manifest-authority-repeated',
        clause: 'v1 2.2',
        severity: 'must',
        params: { authority, others: others.join(', ') },
        where: META_AUTHORITY,
      });
    }
  }
  const definers = candidates.filter((candidate) => candidate.definesPermissions.includes(ACCESS_PERMISSION));
  for (const candidate of definers) {
    const others = definers.filter((other) => other.package !== candidate.package && !sameSigner(other, candidate));
    if (others.length === 0) continue;
    add(candidate, {
      rule: 'manifest-permission-declared-by-several',
      clause: 'v1 2.2',
      severity: 'advice',
      params: {
        permission: ACCESS_PERMISSION,
        others: [...new Set(others.map((other) => other.package))].join(', '),
      },
      where: 'definesPermissions',
    });
  }
  return findings;
}

function authorityOf(candidate: Candidate): string | null {
  const { authority } = readDeclaration(candidate);
  return authority.state === 'valid' ? authority.authority : null;
}

/** Unknown certificates count as different: then the finding is shown. */
function sameSigner(a: Candidate, b: Candidate): boolean {
  return a.signingCertSha256.length > 0 && a.signingCertSha256.some((digest) => b.signingCertSha256.includes(digest));
}

function groupBy(
  candidates: readonly Candidate[],
  keyOf: (candidate: Candidate) => string | null,
): ReadonlyMap<string, readonly Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  return groups;
}
