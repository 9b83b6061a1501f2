import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { substitute, substituteArgs, variablesIn } from './variables.ts';

const of = (values: Record<string, string>) => (name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined;

describe('{{name}}', () => {
  test('is found once each, with space inside or not', () => {
    expect(variablesIn('{{a}} {{ b }} {{a}} {{1x}} {{}} { {c}} {{d-e.f}}')).toEqual(['a', 'b', 'd-e.f']);
  });

  test('takes its value; what has none is named and stays', () => {
    expect(substitute('{{a}}.{{b}}', of({ a: 'x' }))).toEqual({ text: 'x.{{b}}', missing: ['b'], notJson: [] });
    expect(substitute('{{toString}}{{__proto__}}', of({})).missing).toEqual(['toString', '__proto__']);
  });

  test('a value is not looked at again', () => {
    expect(substitute('{{a}}', of({ a: '{{b}}', b: 'no' })).text).toBe('{{b}}');
  });

  test('a value with dollar signs is no pattern of a replacement', () => {
    expect(substitute('-{{a}}-', of({ a: "$&$1$'" })).text).toBe("-$&$1$'-");
  });
});

describe('in arguments', () => {
  test('any value inside a string stays inside it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const { text } = substituteArgs('{"a":"x\\"{{v}}y","b":1}', of({ v: value }));
        expect(JSON.parse(text)).toEqual({ a: `x"${value}y`, b: 1 });
      }),
    );
  });

  test('outside a string only JSON is put in, digits kept', () => {
    expect(substituteArgs('{"a":{{n}}}', of({ n: '1234567890123456789.50' })).text).toBe(
      '{"a":1234567890123456789.50}',
    );
    const broken = substituteArgs('{"a":{{n}}}', of({ n: '1,"b":2' }));
    expect(broken).toEqual({ text: '{"a":{{n}}}', missing: [], notJson: ['n'] });
  });

  test('all else stays byte for byte, also what is no JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(variablesIn(text).length === 0);
        expect(substituteArgs(text, () => 'never').text).toBe(text);
      }),
    );
    expect(substituteArgs('{ "a" :\t"\\u007b{v}}" }\n', of({ v: 'x' })).text).toBe('{ "a" :\t"\\u007b{v}}" }\n');
  });
});
