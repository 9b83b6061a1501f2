import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Bundle } from '../model/bundle.ts';
import { unescapeView } from './escaped-view.ts';
import { maskText } from './mask-text.ts';
import { hideKnown, maskBundle, maskSecretEntries, redact } from './redact.ts';
import { SecretRegistry } from './secret-registry.ts';

const TOKEN = 'tok-7f3a9c2e51';

/** Whether a text tells the secret at any depth of JSON escaping. */
function tells(text: string, secret: string): boolean {
  let view: ReturnType<typeof unescapeView> = { text, starts: null };
  for (let level = 0; level < 30 && view !== null; level++) {
    if (view.text.includes(secret)) return true;
    view = unescapeView(view);
  }
  return false;
}

function mask(text: string): string {
  return maskText(text, { pattern: null, learn: () => {} }).text;
}

describe('maskText', () => {
  it('replaces only the characters of the token in a negotiate answer', () => {
    const text = `{ "selected_version":2 ,\n"session_token" : "${TOKEN}","expires_at":"2026-09-02T12:00:00Z"}`;
    expect(mask(text)).toBe(text.replace(TOKEN, '⟦masked:14⟧'));
  });

  it.each([
    ['a key spelled with escapes', '{"session\\u005Ftoken":"abc"}', '{"session\\u005Ftoken":"⟦masked:3⟧"}'],
    ['escapes in the value', '{"resume_token":"a\\"b\\u00e9"}', '{"resume_token":"⟦masked:5⟧"}'],
    ['JSON in JSON', '{"d":"{\\"session_token\\":\\"a\\\\\\"b\\"}"}', '{"d":"{\\"session_token\\":\\"⟦masked:3⟧\\"}"}'],
    ['a cut text', '{"session_token":"abcdef', '{"session_token":"⟦masked:6⟧'],
    ['a lone quote before it', 'oops " {"session_token":"abc"}', 'oops " {"session_token":"⟦masked:3⟧"}'],
    [
      'the typed form',
      '{"session_token":{"t":"string","v":"abc"}}',
      '{"session_token":{"t":"string","v":"⟦masked:3⟧"}}',
    ],
    ['content call', 'Bundle[{session_token=abc, status=ok}]', 'Bundle[{session_token=⟦masked:3⟧, status=ok}]'],
    ['the companion hello', '{"op":"hello","params":{"token":"ab"}}', '{"op":"hello","params":{"token":"⟦masked:2⟧"}}'],
    ['a capability handle', '{"capabilityHandle":"q"}', '{"capabilityHandle":"⟦masked:1⟧"}'],
  ])('finds the secret in %s', (_name, text, expected) => {
    expect(mask(text)).toBe(expected);
  });

  it.each([
    '{"token":"shown"}',
    '{"session_token":null,"a":"b"}',
    '{"session_tokens":"abc"}',
    'session_token must be opaque',
    'C:\\temp\\new "quoted"',
    '',
  ])('leaves %j as it is', (text) => {
    expect(mask(text)).toBe(text);
  });

  it('masks 100,000 members in one text', () => {
    const text = `{${'"session_token":"ab\\\\u0041",'.repeat(100_000)}}`;
    const masked = maskText(text, { pattern: null, learn: () => {} });
    expect(masked.redactions).toBe(100_000);
  });
});

describe('redact', () => {
  it('masks entries of Bundles, also nested, and keeps all else', () => {
    const bundle: Bundle = [
      { key: 'session_token', t: 'string', v: 'é€' },
      { key: 'in', t: 'bundle', v: [{ key: 'resume_token', t: 'text', v: 'abc' }] },
      { key: 'list', t: 'bundle[]', v: [[{ key: 'resume_token', t: 'string', v: 'abcd' }]] },
      { key: 'resolution', t: 'pendingIntent', v: { ...facts, handle: 'h1' } },
      { key: 'n', t: 'long', v: '9007199254740993' },
      { key: '__proto__', t: 'int', v: 1 },
      { key: 'resume_token', t: 'null' },
    ];
    expect(maskBundle(bundle)).toEqual([
      { key: 'session_token', t: 'masked', of: 'string', v: 5 },
      { key: 'in', t: 'bundle', v: [{ key: 'resume_token', t: 'masked', of: 'text', v: 3 }] },
      { key: 'list', t: 'bundle[]', v: [[{ key: 'resume_token', t: 'masked', of: 'string', v: 4 }]] },
      { key: 'resolution', t: 'pendingIntent', v: { ...facts, handle: '⟦masked:2⟧' } },
      { key: 'n', t: 'long', v: '9007199254740993' },
      { key: '__proto__', t: 'int', v: 1 },
      { key: 'resume_token', t: 'null' },
    ]);
  });

  it('masks an echo that comes before the token it echoes, and later ones', () => {
    const registry = new SecretRegistry();
    const first = redact({ message: `bad ${TOKEN}`, session_token: TOKEN }, { registry });
    expect(first).toEqual({ value: { message: 'bad ⟦masked:14⟧', session_token: '⟦masked:14⟧' }, redactions: 2 });
    expect(redact([`again ${TOKEN}!`], { registry }).value).toEqual(['again ⟦masked:14⟧!']);
  });

  it('keeps a secret to its Provider, and masks all of them where none is named', () => {
    const registry = new SecretRegistry();
    registry.add('create_alert', 'a');
    expect(redact('create_alert', { registry, scope: 'b' }).value).toBe('create_alert');
    expect(redact('create_alert', { registry, scope: 'a' }).value).toBe('⟦masked:12⟧');
    expect(redact('create_alert', { registry, scope: null }).value).toBe('⟦masked:12⟧');
  });

  it('hides known values and leaves a text about tokens', () => {
    const registry = new SecretRegistry();
    registry.add(TOKEN, null);
    const schema = { properties: { session_token: 'any text' }, note: `{"session_token":"x"} ${TOKEN}` };
    expect(hideKnown(schema, registry, 'p')).toEqual({ ...schema, note: '{"session_token":"x"} ⟦masked:14⟧' });
  });

  it('keeps own members named __proto__', () => {
    const value = redact(JSON.parse('{"__proto__":{"a":1}}')).value;
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1}}');
  });

  it('shows the preview of a request as it is sent, but for secret entries', () => {
    const args = '{"session_token":"mine"}';
    expect(
      maskSecretEntries([
        { key: 'session_token', t: 'string', v: TOKEN },
        { key: 'args', t: 'string', v: args },
      ]),
    ).toEqual([
      { key: 'session_token', t: 'masked', of: 'string', v: 14 },
      { key: 'args', t: 'string', v: args },
    ]);
  });

  it('lets no known secret through, however it is nested', () => {
    const secret = fc.oneof(
      fc.string({ minLength: 8, maxLength: 40, unit: 'binary' }),
      fc.string({
        minLength: 8,
        maxLength: 20,
        unit: fc.constantFrom('"', '\\', 'u', 'n', '/', 'a', '0', '}', '{', ','),
      }),
      fc.base64String({ minLength: 8, maxLength: 60 }),
    );
    const wrap = fc.array(
      fc.constantFrom<(v: unknown) => unknown>(
        (v) => JSON.stringify(v),
        (v) => ({ data: v }),
        (v) => [1, v, 'x'],
        (v) => [{ key: 'data', t: 'string', v: typeof v === 'string' ? v : JSON.stringify(v) }],
        (v) => ({ [typeof v === 'string' ? v : 'k']: v }),
        (v) => ({ session_token: v }),
        (v) => `say "${typeof v === 'string' ? v : JSON.stringify(v)}" \\ end`,
        (v) => [
          { key: 'b', t: 'bytes', v: Buffer.from(typeof v === 'string' ? v : JSON.stringify(v)).toString('base64') },
        ],
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(secret, wrap, (token, wraps) => {
        fc.pre(!/^[⟦masked:\d⟧]*$/.test(token));
        const registry = new SecretRegistry();
        registry.add(token, null);
        let payload: unknown = token;
        for (const next of wraps) payload = next(payload);
        expect(tells(JSON.stringify(redact(payload, { registry }).value), token)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing where there is no secret', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const redacted = redact(value);
        expect(JSON.stringify(redacted.value)).toBe(JSON.stringify(value));
        expect(redacted.redactions).toBe(0);
      }),
    );
  });
});

const facts = { creatorPackage: 'com.acme', creatorUid: 10_100, immutable: true, kind: 'activity' as const };
