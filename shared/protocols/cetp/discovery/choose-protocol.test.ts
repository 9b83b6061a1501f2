import { describe, expect, it } from 'vitest';
import { translateIfKnown } from '../../../i18n/translate.ts';
import type { Candidate } from '../../../model/provider.ts';
import { candidate, declared, providerFacts } from './candidate-builder.ts';
import { chooseProtocol } from './choose-protocol.ts';
import { readDeclaration } from './declaration.ts';

function choose(change: Partial<Candidate>): string {
  const subject = candidate(change);
  const { protocol, reason } = chooseProtocol(subject, readDeclaration(subject));
  expect(translateIfKnown('en', `protocolReason.${reason}`)).not.toBeNull();
  return `${protocol}: ${reason}`;
}

describe('which protocol (v2 2.1 and 8)', () => {
  it.each([
    ['v1 alone', declared(null, 1), 'v1: v1-only-declared'],
    ['v1 by versions', declared('1', 1), 'v1: v1-only-declared'],
    ['v1 and an unknown major', declared('1,5', 1), 'v1: v1-only-declared'],
    ['dual stack', declared('1,2', 1), 'v2: v2-and-v1-declared'],
    ['v2 alone', declared('2', 2), 'v2: v2-only-declared'],
    ['v2 as an int', declared(2, 2), 'v2: v2-only-declared'],
    ['only version=2', declared(null, 2), 'v2: v2-only-declared'],
    ['versions rules over version', declared('2', 1), 'v2: v2-only-declared'],
    ['invalid versions never fall back to version', declared('two', 1), 'none: declaration-invalid'],
    ['empty versions never fall back to version', declared('', 1), 'none: declaration-invalid'],
    ['versions with a zero never fall back to version', declared('0,1', 1), 'none: declaration-invalid'],
    ['versions of unknown majors only, beside version=1', declared('3', 1), 'none: no-known-major'],
    ['v1, v2 and an unknown major', declared('1,2,3', 1), 'v2: v2-and-v1-declared'],
    ['invalid version', declared(null, 'x'), 'none: declaration-invalid'],
    ['only unknown majors', declared('7', 7), 'none: no-known-major'],
    ['nothing', declared(null, null), 'none: nothing-declared'],
    ['no authority', declared('1,2', 1, null), 'none: authority-unusable'],
  ])('%s', (_, metaData, expected) => {
    expect(choose({ metaData })).toBe(expected);
  });

  it('refuses a Provider of another package (v2 2.1), and a missing one', () => {
    expect(choose({ provider: providerFacts({ package: 'dev.other' }) })).toBe('none: provider-other-package');
    expect(choose({ provider: null })).toBe('none: provider-missing');
  });

  it('refuses a Provider whose package cannot be verified (v2 2.1), and not one whose other facts are unknown', () => {
    expect(choose({ provider: null, unknown: ['provider', 'provider.package'] })).toBe('none: provider-owner-unknown');
    expect(choose({ provider: null, unknown: ['provider'] })).toBe('v2: v2-and-v1-declared');
  });
});
