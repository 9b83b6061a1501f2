import { expect, test } from 'vitest';
import { readEventBundle } from './event-bundle.ts';

const entry = { key: 'deadline_at_ms', t: 'long', v: '1796130698071' };

test('the extras of a request and the Bundle of an answer are found, the rest stays', () => {
  const request = readEventBundle(JSON.stringify({ method: 'execute_tool', extras: [entry], wireBytes: 3 }));
  expect(request).toEqual({ bundle: [entry], rest: '{"method":"execute_tool","wireBytes":3}' });
  const nested = [{ key: 'in', t: 'bundle', v: [{ key: '__proto__', t: 'int[]', v: [1] }] }];
  expect(readEventBundle(JSON.stringify({ bundle: nested, nullKeys: 0 }))?.bundle).toEqual(nested);
});

test.each([
  ['no JSON', '{'],
  ['no object', '[]'],
  ['no Bundle', '{"problem":{}}'],
  ['null extras', '{"extras":null}'],
  ['an unknown type', '{"bundle":[{"key":"a","t":"hologram","v":1}]}'],
  ['a value of another type', '{"bundle":[{"key":"a","t":"int","v":"1"}]}'],
  ['a type of the prototype', '{"bundle":[{"key":"a","t":"constructor","v":1}]}'],
  ['both', '{"bundle":[],"extras":[]}'],
])('%s is shown as JSON', (_name, data) => {
  expect(readEventBundle(data)).toBeNull();
});
