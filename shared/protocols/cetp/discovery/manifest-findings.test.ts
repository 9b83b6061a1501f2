import { describe, expect, it } from 'vitest';
import { translateIfKnown } from '../../../i18n/translate.ts';
import type { Candidate } from '../../../model/provider.ts';
import { candidate, declared, providerFacts } from './candidate-builder.ts';
import { manifestFindings, manifestRules } from './manifest-findings.ts';
import type { ManifestContext } from './manifest-rule.ts';
import { ACCESS_PERMISSION, META_AUTHORITY, META_VERSIONS } from './names.ts';

const context: ManifestContext = {
  permissionOwners: new Map([[ACCESS_PERMISSION, 'dev.definer']]),
  onlyShellSees: false,
};
const rulesOf = (subject: Candidate, around: ManifestContext = context) =>
  manifestFindings(subject, around).map((finding) => finding.rule);
const component = (change: Partial<Candidate['component']>): Partial<Candidate> => ({
  component: { ...candidate().component, ...change },
});
const provider = (change: Parameters<typeof providerFacts>[0]): Partial<Candidate> => ({
  provider: providerFacts(change),
});
const open = { readPermission: null, writePermission: null };
const other = { readPermission: 'dev.p.READ', writePermission: 'dev.p.READ' };

/** A violation, and all rules that it breaks. */
const violations: readonly [name: string, change: Partial<Candidate>, rules: readonly string[]][] = [
  ['service not exported', component({ exported: false }), ['manifest-service-not-exported']],
  ['service disabled', component({ enabled: false }), ['manifest-service-disabled']],
  ['service with a permission', component({ permission: 'p' }), ['manifest-service-permission']],
  ['not visible', { visibleByQueries: false }, ['manifest-not-visible']],
  ['shared uid', { sharedUserId: 'dev.shared' }, ['manifest-shared-uid']],
  ['declares the permission', { definesPermissions: [ACCESS_PERMISSION] }, ['manifest-permission-declared-here']],
  ['no authority', { metaData: declared('1,2', 1, null), provider: null }, ['manifest-authority-missing']],
  ['empty authority', { metaData: declared('1,2', 1, ''), provider: null }, ['manifest-authority-missing']],
  ['int authority', { metaData: declared('1,2', 1, 7), provider: null }, ['manifest-authority-not-string']],
  ['authority with a space', { metaData: declared('1,2', 1, 'a b'), provider: null }, ['manifest-authority-invalid']],
  ['two authorities in one', { metaData: declared('1,2', 1, 'a;b'), provider: null }, ['manifest-authority-invalid']],
  ['no provider', { provider: null }, ['manifest-provider-missing']],
  ['provider of another authority', provider({ authorities: ['dev.x'] }), ['manifest-authority-not-of-provider']],
  ['provider of another package', provider({ package: 'dev.other' }), ['manifest-provider-other-package']],
  ['provider not exported', provider({ exported: false }), ['manifest-provider-not-exported']],
  ['provider disabled', provider({ enabled: false }), ['manifest-provider-disabled']],
  ['provider without permission', provider(open), ['manifest-provider-open']],
  ['provider with another permission', provider(other), ['manifest-provider-other-permission']],
  [
    'provider open for write',
    provider({ writePermission: null }),
    ['manifest-provider-open', 'manifest-provider-half-open'],
  ],
  ['no initOrder', provider({ initOrder: 0 }), ['manifest-init-order-missing']],
  ['grantUriPermissions', provider({ grantUriPermissions: true }), ['manifest-grant-uri-permissions']],
  ['nothing declared', { metaData: declared(null, null) }, ['manifest-nothing-declared']],
  ['words in versions', { metaData: declared('one,2', 1) }, ['manifest-versions-invalid']],
  ['an empty entry in versions', { metaData: declared('1,,2', 1) }, ['manifest-versions-invalid']],
  ['a trailing comma', { metaData: declared('1,2,', 1) }, ['manifest-versions-invalid']],
  [
    'float versions',
    { metaData: [...declared(null, 1), { key: META_VERSIONS, t: 'float', v: 2 }] },
    ['manifest-versions-invalid'],
  ],
  [
    'unreadable versions',
    { metaData: [...declared(null, 1), { key: META_VERSIONS, t: 'unreadable', v: { class: 'r', error: '@0x1' } }] },
    ['manifest-versions-invalid'],
  ],
  ['zero in versions', { metaData: declared('0,1,2', 1) }, ['manifest-versions-not-positive']],
  ['negative versions', { metaData: declared(-2, 1) }, ['manifest-versions-not-positive']],
  ['a resource id', { metaData: declared(0x7f0a0001, 1) }, ['manifest-versions-resource-id']],
  ['int versions', { metaData: declared(2, 2) }, ['manifest-versions-not-text']],
  ['duplicates', { metaData: declared('1,2,2', 1) }, ['manifest-versions-duplicates']],
  ['spaces', { metaData: declared('1, 2', 1) }, ['manifest-versions-spaces']],
  ['unknown majors', { metaData: declared('1,2,7', 1) }, ['manifest-unknown-majors']],
  ['version with a list', { metaData: declared('1,2', '1,2') }, ['manifest-version-invalid']],
  ['version 0', { metaData: declared('1,2', 0) }, ['manifest-version-invalid']],
  ['version as text', { metaData: declared('1,2', '1') }, ['manifest-version-not-int']],
  ['dual stack without version', { metaData: declared('1,2', null) }, ['manifest-version-missing']],
  ['dual stack with version 2', { metaData: declared('1,2', 2) }, ['manifest-dual-stack-version']],
  ['v2 only with version 1', { metaData: declared('2,3', 1) }, ['manifest-unknown-majors', 'manifest-v2-only-version']],
  ['v1 with version 3', { metaData: declared('1', 3) }, ['manifest-version-contradicts']],
  ['version 2 alone', { metaData: declared(null, 2) }, ['manifest-v2-without-versions']],
  [
    'a repeated key',
    { metaData: [{ key: META_AUTHORITY, t: 'string', v: 'x' }, ...declared('1,2', 1)] },
    ['manifest-repeated-key'],
  ],
];

describe('rules of a manifest', () => {
  it('find nothing in a Provider that follows them', () => {
    expect(rulesOf(candidate())).toEqual([]);
    expect(rulesOf(candidate({ metaData: declared('2', 2) }))).toEqual([]);
    expect(rulesOf(candidate({ metaData: declared(null, 1) }))).toEqual([]);
    expect(rulesOf(candidate({ metaData: declared('1', 1) }))).toEqual([]);
  });

  it.each(violations)('%s', (_, change, rules) => {
    expect(rulesOf(candidate(change))).toEqual(rules);
  });

  it('name a permission that nobody defines', () => {
    const nobody = { ...context, permissionOwners: new Map([[ACCESS_PERMISSION, null]]) };
    expect(rulesOf(candidate(), nobody)).toEqual(['manifest-permission-undefined']);
    expect(rulesOf(candidate(), { ...context, permissionOwners: new Map() })).toEqual([]);
    expect(rulesOf(candidate({ definesPermissions: [ACCESS_PERMISSION] }), nobody)).toEqual([
      'manifest-permission-declared-here',
    ]);
  });

  it('name a Provider that only the shell sees', () => {
    expect(rulesOf(candidate(), { ...context, onlyShellSees: true })).toEqual(['manifest-only-shell-sees']);
  });

  it('never judge a fact that is unknown', () => {
    expect(rulesOf(candidate({ provider: null, unknown: ['provider'] }))).toEqual([]);
    const exported = provider({ exported: false, enabled: false });
    expect(rulesOf(candidate({ ...exported, unknown: ['provider.exported', 'provider.enabled'] }))).toEqual([]);
  });

  it('are all covered here, have a clause and a text in both languages', () => {
    const covered = new Set([
      ...violations.flatMap(([, , rules]) => rules),
      'manifest-permission-undefined',
      'manifest-only-shell-sees',
    ]);
    expect([...covered].sort()).toEqual(manifestRules.map(({ rule }) => rule).sort());
    for (const { rule, clause } of manifestRules) {
      expect(clause).toMatch(/^v[12] \d\.\d$/);
      for (const locale of ['en', 'zh-CN'] as const) expect(translateIfKnown(locale, `finding.${rule}`)).not.toBeNull();
    }
  });

  it('fill every place of their texts', () => {
    const samples = violations.flatMap(([, change]) => manifestFindings(candidate(change), context));
    for (const { rule, params } of samples) {
      for (const locale of ['en', 'zh-CN'] as const) {
        expect(translateIfKnown(locale, `finding.${rule}`, params)).not.toMatch(/\{\w+\}/);
      }
    }
  });
});
