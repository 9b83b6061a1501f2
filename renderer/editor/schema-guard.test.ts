import { expect, test } from 'vitest';
import { guardSchema, isTamePattern } from './schema-guard.ts';

test('keeps the rules, drops Markdown and unknown keywords, keeps properties of any name', () => {
  const { schema, notes } = guardSchema(
    '{"type":"object","properties":{"markdownDescription":{"type":"string","markdownDescription":"[x](command:y)","defaultSnippets":[1]},"__proto__":{"minimum":1}}}',
  );
  expect(notes).toEqual([]);
  expect(JSON.stringify(schema)).toBe(
    '{"type":"object","properties":{"markdownDescription":{"type":"string"},"__proto__":{"minimum":1}}}',
  );
});

test('a remote reference and a wild expression are left out, and said', () => {
  const { schema, notes } = guardSchema(
    '{"properties":{"a":{"$ref":"https://x.example/s"},"b":{"type":"string","pattern":"(a+)+$"},"c":{"$ref":"#/$defs/d"}}}',
  );
  expect(new Set(notes)).toEqual(new Set(['remote-ref', 'pattern']));
  expect(schema).toEqual({ properties: { a: {}, b: { type: 'string' }, c: { $ref: '#/$defs/d' } } });
});

test('hidden characters of a description are shown', () => {
  expect(guardSchema('{"description":"a\\u202eb"}').schema).toEqual({ description: 'a⟦U+202E⟧b' });
});

test('too large, too deep, too complex and no JSON give nothing, with the reason', () => {
  expect(guardSchema(`{"title":"${'x'.repeat(600_000)}"}`)).toEqual({ schema: null, notes: ['too-large'] });
  expect(guardSchema(`${'{"items":'.repeat(100)}{}${'}'.repeat(100)}`)).toEqual({ schema: null, notes: ['too-deep'] });
  const chain = Array.from(
    { length: 30 },
    (_, i) => `"d${i}":{"allOf":[{"$ref":"#/$defs/d${i + 1}"},{"$ref":"#/$defs/d${i + 1}"}]}`,
  );
  expect(guardSchema(`{"$ref":"#/$defs/d0","$defs":{${chain.join(',')}}}`)).toEqual({
    schema: null,
    notes: ['too-complex'],
  });
  expect(guardSchema('{')).toEqual({ schema: null, notes: ['not-json'] });
});

test('a recursive schema is no danger', () => {
  expect(guardSchema('{"properties":{"next":{"$ref":"#"}}}').notes).toEqual([]);
});

test('tells tame expressions from wild ones', () => {
  for (const tame of ['^[a-z0-9_-]{1,64}$', '^\\d{4}-\\d{2}-\\d{2}$', '^a+b*$', '^[^+*]+$'])
    expect(isTamePattern(tame), tame).toBe(true);
  for (const wild of ['(a+)+', '(a|aa)*$', '^(?=x)', '(x)\\1', 'a*a*a*b', '(a){2,}', '^(\\w+\\s?)*$'])
    expect(isTamePattern(wild), wild).toBe(false);
});
