import { describe, expect, it } from 'vitest';
import { translateIfKnown } from '../../../i18n/translate.ts';
import type { CompanionStatus } from '../../../model/device.ts';
import { type Candidate, Provider } from '../../../model/provider.ts';
import { candidate, declared, providerFacts } from './candidate-builder.ts';
import { ACCESS_PERMISSION } from './names.ts';
import { candidateKey, setFindings } from './set-findings.ts';
import { type ProviderContext, toProvider } from './to-provider.ts';

const connected = (permission: CompanionStatus['permission']): CompanionStatus => ({
  state: 'connected',
  version: '1.0.0',
  uid: 10200,
  permission,
  userId: 0,
  bundledVersion: null,
  isOlder: false,
  startedBy: 'instrumentation',
  connectedSinceMs: 0,
  clock: null,
  problem: null,
});

function provider(change: Partial<Candidate>, context: Partial<ProviderContext> = {}): Provider {
  const made = toProvider(candidate(change), {
    deviceKey: 'local/ABC',
    userId: 0,
    origin: 'shell',
    companion: null,
    shell: { sdk: 34, root: false },
    permissionOwners: new Map(),
    onlyShellSees: false,
    setFindings: [],
    ...context,
  });
  const code = made.bridgeProblem?.code;
  if (code !== undefined) {
    for (const key of [`problem.${code}`, `remedy.${code}`]) {
      expect(translateIfKnown('zh-CN', key, made.bridgeProblem?.params), key).not.toMatch(/\{\w+\}/);
      expect(translateIfKnown('en', key), key).not.toBeNull();
    }
  }
  return Provider.parse(made);
}

const v1 = { metaData: declared(null, 1) };
const open = { provider: providerFacts({ readPermission: null, writePermission: null }) };
const foreign = { provider: providerFacts({ readPermission: 'dev.p', writePermission: 'dev.p' }) };
const rooted = { shell: { sdk: 34, root: true } };
const old = { shell: { sdk: 29, root: false } };

describe('toProvider', () => {
  it('keeps the raw facts and puts the verdict beside them', () => {
    expect(provider({}, { companion: connected('granted'), origin: 'companion' })).toMatchObject({
      key: 'dev.sample.harbour/dev.sample.harbour.HarbourService',
      candidate: candidate(),
      authority: 'dev.sample.harbour.tools',
      versions: [1, 2],
      protocol: 'v2',
      bridge: 'companion',
      bridgeProblem: null,
      findings: [],
    });
  });

  it.each<[string, Partial<Candidate>, Partial<ProviderContext>, string, string | null]>([
    ['granted', {}, { companion: connected('granted') }, 'companion', null],
    ['grant unknown', {}, { companion: connected('unknown') }, 'companion', null],
    ['not granted', {}, { companion: connected('denied') }, 'none', 'bridge-permission-denied'],
    ['permission undefined', v1, { companion: connected('undefined') }, 'none', 'bridge-permission-undefined'],
    ['open, not granted', { ...v1, ...open }, { companion: connected('denied') }, 'companion', null],
    ['another permission', foreign, { companion: connected('granted') }, 'none', 'bridge-other-permission'],
    [
      'not exported',
      { provider: providerFacts({ exported: false }) },
      { companion: connected('granted') },
      'none',
      'bridge-provider-not-exported',
    ],
    [
      'disabled',
      { provider: providerFacts({ enabled: false }) },
      { companion: connected('granted') },
      'none',
      'bridge-provider-disabled',
    ],
    ['unseen', {}, { companion: connected('granted'), onlyShellSees: true }, 'none', 'bridge-companion-cannot-see'],
    [
      'unseen, open v1',
      { ...v1, ...open },
      { companion: connected('granted'), onlyShellSees: true },
      'shell',
      'bridge-shell-limited',
    ],
    ['no companion, v2', {}, {}, 'none', 'bridge-v2-needs-companion'],
    ['no companion, v2, open', open, {}, 'none', 'bridge-v2-needs-companion'],
    ['no companion, v2, Android 10', open, old, 'none', 'bridge-v2-needs-companion-old'],
    ['no companion, v2, root', open, rooted, 'none', 'bridge-v2-needs-companion'],
    ['no companion, v1', v1, {}, 'none', 'bridge-permission-needs-companion'],
    ['no companion, v1, open', { ...v1, ...open }, {}, 'shell', 'bridge-shell-limited'],
    ['no companion, v1, root', v1, rooted, 'shell', 'bridge-shell-limited'],
    ['no companion, v1, another permission', { ...v1, ...foreign }, {}, 'none', 'bridge-other-permission'],
    [
      'installed only',
      v1,
      { companion: { ...connected('unknown'), state: 'installed' } },
      'none',
      'bridge-permission-needs-companion',
    ],
    ['provider unknown, v1', { ...v1, provider: null, unknown: ['provider'] }, {}, 'shell', 'bridge-shell-limited'],
    ['no protocol', { metaData: declared('x', 1) }, { companion: connected('granted') }, 'none', 'bridge-no-protocol'],
  ])('bridge: %s', (_, change, context, bridge, code) => {
    const made = provider(change, context);
    expect([made.bridge, made.bridgeProblem?.code ?? null]).toEqual([bridge, code]);
  });
});

describe('rules over the whole set', () => {
  const second = candidate({ package: 'dev.other', signingCertSha256: ['bb'.repeat(32)] });
  const rules = (all: readonly Candidate[]) =>
    [...setFindings(all)].map(([key, findings]) => [key, findings.map((finding) => finding.rule)]);

  it('find a repeated authority on each side', () => {
    expect(rules([candidate(), second])).toEqual([
      [candidateKey(candidate()), ['manifest-authority-repeated']],
      [candidateKey(second), ['manifest-authority-repeated']],
    ]);
    expect(rules([candidate(), candidate({ package: 'dev.third', metaData: declared('1', 1, 'dev.third') })])).toEqual(
      [],
    );
  });

  it('find a permission that several developers declare, not one developer twice', () => {
    const mine = candidate({ definesPermissions: [ACCESS_PERMISSION] });
    const theirs = { ...second, definesPermissions: [ACCESS_PERMISSION], metaData: declared('1', 1, 'dev.second') };
    expect(rules([mine, theirs])).toEqual([
      [candidateKey(mine), ['manifest-permission-declared-by-several']],
      [candidateKey(theirs), ['manifest-permission-declared-by-several']],
    ]);
    expect(rules([mine, { ...theirs, signingCertSha256: mine.signingCertSha256 }])).toEqual([]);
  });

  it('have texts', () => {
    for (const rule of ['manifest-authority-repeated', 'manifest-permission-declared-by-several']) {
      expect(translateIfKnown('zh-CN', `finding.${rule}`)).not.toBeNull();
    }
  });
});
