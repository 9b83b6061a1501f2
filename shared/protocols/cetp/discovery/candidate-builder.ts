import type { Bundle, BundleEntry } from '../../../model/bundle.ts';
import type { Candidate } from '../../../model/provider.ts';
import { ACCESS_PERMISSION, META_AUTHORITY, META_VERSION, META_VERSIONS } from './names.ts';

type ProviderFacts = NonNullable<Candidate['provider']>;

export const AUTHORITY = 'dev.sample.harbour.tools';

/** Meta-data with own values: a string for text, an int for a number. */
export function metaData(entries: Readonly<Record<string, string | number | null>>): Bundle {
  return Object.entries(entries).flatMap(([key, value]): BundleEntry[] => {
    if (value === null) return [];
    return [typeof value === 'string' ? { key, t: 'string', v: value } : { key, t: 'int', v: value }];
  });
}

export function declared(
  versions: string | number | null,
  version: string | number | null,
  authority: string | number | null = AUTHORITY,
): Bundle {
  return metaData({ [META_AUTHORITY]: authority, [META_VERSION]: version, [META_VERSIONS]: versions });
}

export function providerFacts(change: Partial<ProviderFacts> = {}): ProviderFacts {
  return {
    authorities: [AUTHORITY],
    package: 'dev.sample.harbour',
    name: 'dev.sample.harbour.Tools',
    exported: true,
    enabled: true,
    readPermission: ACCESS_PERMISSION,
    writePermission: ACCESS_PERMISSION,
    grantUriPermissions: false,
    initOrder: 100,
    processName: 'dev.sample.harbour',
    ...change,
  };
}

/** A Provider that follows every rule, with changes. */
export function candidate(change: Partial<Candidate> = {}): Candidate {
  return {
    package: 'dev.sample.harbour',
    label: 'Harbour',
    versionName: '3.2',
    versionCode: '42',
    uid: 10077,
    sharedUserId: null,
    signingCertSha256: ['aa'.repeat(32)],
    pastSigningCertSha256: [],
    component: {
      name: 'dev.sample.harbour.HarbourService',
      exported: true,
      enabled: true,
      permission: null,
      processName: 'dev.sample.harbour',
    },
    metaData: declared('1,2', 1),
    provider: providerFacts(),
    definesPermissions: [],
    visibleByQueries: true,
    unknown: [],
    ...change,
  };
}
