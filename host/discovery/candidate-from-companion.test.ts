import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../../shared/base/json.ts';
import { candidateFromCompanion } from './candidate-from-companion.ts';

const line = `{"package":"dev.sample.harbour","label":"Harbour","versionName":"3.2","versionCode":"9007199254740993",
"uid":10077,"sharedUserId":null,"signingCertSha256":["aa"],"pastSigningCertSha256":[],
"component":{"name":"dev.sample.harbour.S","exported":true,"enabled":true,"permission":null,"processName":"p"},
"actionComponent":null,"metaData":{"__proto__":{"t":"string","v":"x"},"com.clawseed.tools.version":{"t":"int","v":1}},
"provider":{"authorities":["a"],"package":"dev.sample.harbour","name":"dev.sample.harbour.P","exported":true,
"enabled":true,"readPermission":null,"writePermission":null,"grantUriPermissions":false,"initOrder":100,
"processName":"p"},"definesPermissions":[],"visibleByQueries":true,"futureMember":{"x":1}}`;

function read(text: string) {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value.value)) throw new Error('the sample is no object');
  return candidateFromCompanion(parsed.value.value as JsonObject);
}

describe('a Candidate from the companion', () => {
  it('keeps every fact', () => {
    const result = read(line);
    expect(result).toMatchObject({
      ok: true,
      value: { package: 'dev.sample.harbour', versionCode: '9007199254740993', unknown: [], visibleByQueries: true },
    });
    expect(result.ok && result.value.metaData).toEqual([
      { key: '__proto__', t: 'string', v: 'x' },
      { key: 'com.clawseed.tools.version', t: 'int', v: 1 },
    ]);
    expect(read(line.replace(/"provider":\{[^}]*\}/, '"provider":null'))).toMatchObject({ value: { provider: null } });
  });

  it.each([
    ['"uid":10077', '"uid":"10077"', 'uid'],
    ['"exported":true,"enabled":true,"permission"', '"exported":1,"enabled":true,"permission"', 'component.exported'],
    ['"initOrder":100', '"initOrder":null', 'provider.initOrder'],
    ['"definesPermissions":[],', '', 'definesPermissions'],
    ['{"t":"int","v":1}', '{"t":"int","v":"1"}', 'metaData/com.clawseed.tools.version'],
    ['"signingCertSha256":["aa"]', '"signingCertSha256":[null]', 'signingCertSha256.0'],
  ])('is invalid with %s → %s', (from, to, where) => {
    expect(line).toContain(from);
    expect(read(line.replace(from, to))).toMatchObject({
      ok: false,
      error: { package: 'dev.sample.harbour', problem: { code: 'candidate-invalid', params: { where } } },
    });
  });
});
