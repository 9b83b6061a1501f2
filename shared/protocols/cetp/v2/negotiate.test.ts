import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translateIfKnown } from '../../../i18n/translate.ts';
import type { Bundle } from '../../../model/bundle.ts';
import { NEGOTIATION, NOW_MS, PACKAGE, string, success, v2Error, withKey } from '../testing/answers.ts';
import { negotiateRequest, readNegotiation } from './negotiate.ts';

const read = (answer: Bundle | null) => readNegotiation(answer, NOW_MS, PACKAGE);
const readWith = (over: object) => read(success({ ...NEGOTIATION, ...over }));

test('v2 2.2: the request offers 2 and 1, and all three optional capabilities', () => {
  expect(negotiateRequest()).toEqual({
    method: 'negotiate',
    extras: [
      { key: 'consumer_versions', t: 'int[]', v: [2, 1] },
      { key: 'consumer_capabilities', t: 'string', v: '["async_operations","cancellation","large_results"]' },
    ],
  });
});

test('a good answer opens a session', () => {
  expect(readWith({ capabilities: ['cancellation'] })).toEqual({
    offeredVersions: [2, 1],
    offeredCapabilities: ['async_operations', 'cancellation', 'large_results'],
    selectedVersion: 2,
    providerId: PACKAGE,
    providerName: 'Notes',
    capabilities: ['cancellation'],
    otherCapabilities: [],
    limits: {
      maxRequestBytes: 65_536,
      maxInlineResultBytes: 262_144,
      maxConcurrentRequests: 4,
      idempotencyWindowSeconds: 86_400,
    },
    expiresAtMs: Date.UTC(2026, 8, 1, 13),
    tokenBytes: 29,
    findings: [],
    problem: null,
    session: expect.objectContaining({ token: NEGOTIATION.session_token, providerId: PACKAGE }),
  });
});

test('v2 2.3: an unoffered capability is kept and not used, and costs no session', () => {
  const reading = readWith({ capabilities: ['large_results', 'teleport'] });
  expect(reading.otherCapabilities).toEqual(['teleport']);
  expect(reading.session?.capabilities).toEqual(['large_results']);
});

test('every violation is listed, not only the first', () => {
  const reading = read(
    success({ selected_version: 2, session_token: 'x'.repeat(300), limits: {}, expires_at: 'soon' }),
  );
  expect(reading.findings.map((finding) => finding.rule)).toEqual([
    'provider-id-missing',
    'provider-name-missing',
    'token-too-long',
    'expiry-invalid',
    'capabilities-invalid',
    'limit-invalid',
    'limit-invalid',
    'limit-invalid',
    'limit-invalid',
  ]);
  expect(reading.problem).toMatchObject({ code: 'negotiation-invalid', params: { count: 8 } });
  expect(reading.session).toBeNull();
});

describe('a negotiation that fails has a problem and no session', () => {
  test.each<[string, Bundle | null, string]>([
    ['null', null, 'answer-null'],
    ['an empty Bundle', [], 'answer-empty'],
    ['no status', [string('data', '{}')], 'answer-no-status'],
    ['another status', withKey(success({}), 'status', string('status', 'accepted')), 'answer-status-unknown'],
    ['no data', [string('status', 'success')], 'answer-no-data'],
    ['no JSON', success('{'), 'answer-data-not-json'],
    ['no object', success('[]'), 'answer-data-not-object'],
    ['no common version (2.2)', v2Error('UNSUPPORTED_VERSION', false), 'negotiation-no-common-version'],
    ['another error', v2Error('PERMISSION_DENIED', false), 'negotiation-refused'],
    ['version 1 (8: no downgrade)', success({ ...NEGOTIATION, selected_version: 1 }), 'negotiation-selected-v1'],
    ['expired', success({ ...NEGOTIATION, expires_at: '2020-01-01T00:00:00Z' }), 'negotiation-expired'],
    ['no token', success({ ...NEGOTIATION, session_token: null }), 'negotiation-invalid'],
    [
      'a limit too small',
      success({ ...NEGOTIATION, limits: { ...NEGOTIATION.limits, max_request_bytes: 1 } }),
      'negotiation-invalid',
    ],
  ])('%s', (_name, answer, code) => {
    const reading = read(answer);
    expect(reading.session).toBeNull();
    expect(reading.problem?.code).toBe(code);
    expect(translateIfKnown('zh-CN', `problem.${code}`, reading.problem?.params)).not.toMatch(/\{\w+\}/);
    expect(translateIfKnown('en', `remedy.${code}`)).not.toBeNull();
  });
});

test('v2 5: a negotiate error need not echo what its request does not have', () => {
  const error = withKey(withKey(v2Error('UNAVAILABLE', true), 'request_id', null), 'protocol_version', null);
  expect(read(error).findings).toEqual([]);
});

test('the token stands in no finding and no problem, whatever else is wrong', () => {
  const token = 'secret-token-secret-token';
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(NEGOTIATION), 'cut'), (value, key) => {
      const whole = JSON.stringify({ ...NEGOTIATION, [key]: value });
      const data = (key === 'cut' ? whole.slice(0, -1) : whole).replace(NEGOTIATION.session_token, token);
      const { session: _session, ...shown } = read(success(data));
      expect(JSON.stringify(shown)).not.toContain(token);
    }),
  );
});

test('expires_at with an offset and a fraction (RFC 3339)', () => {
  expect(readWith({ expires_at: '2026-09-01T22:00:00.250+09:00' }).expiresAtMs).toBe(
    Date.UTC(2026, 8, 1, 13, 0, 0, 250),
  );
});

test('a limit beyond 2^53 is taken as large, not as broken', () => {
  const text = JSON.stringify(NEGOTIATION).replace('65536', '99999999999999999999');
  expect(read(success(text)).session?.limits.maxRequestBytes).toBe(1e20);
});

test('any answer at all is read without an exception, and only a session is a success', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(NEGOTIATION), '__proto__'), fc.jsonValue()), (over) => {
      const reading = readWith(over);
      expect(reading.session === null).toBe(reading.problem !== null);
    }),
  );
});
