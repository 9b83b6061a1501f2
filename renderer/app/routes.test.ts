import fc from 'fast-check';
import { expect, test } from 'vitest';
import { links } from '../parts/links.ts';
import { parseRoute } from './routes.ts';

test('every link leads to its page, whatever is in the keys', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1 }),
      fc.option(fc.nat(999)),
      fc.nat(5000),
      (deviceKey, providerKey, userId, index) => {
        const of = { deviceKey, userId, providerKey };
        expect(parseRoute(links.device(of))).toEqual({ page: 'device', on: { deviceKey, userId }, tab: 'overview' });
        expect(parseRoute(links.device(of, 'doctor'))).toMatchObject({ page: 'device', tab: 'doctor' });
        expect(parseRoute(links.provider(of))).toEqual({ page: 'provider', of, tab: 'overview' });
        expect(parseRoute(links.provider(of, 'session'))).toEqual({ page: 'provider', of, tab: 'session' });
        expect(parseRoute(links.provider(of, 'tools'))).toEqual({ page: 'tools', of, index: null });
        expect(parseRoute(links.tool(of, index))).toEqual({ page: 'tools', of, index });
        expect(parseRoute(links.call(of, index))).toEqual({ page: 'composer', of, index });
      },
    ),
  );
});

test('an address that no link makes is not found', () => {
  for (const path of [
    '/x',
    '/d',
    '/d/a',
    '/d/a/b',
    '/d/a/-/p',
    '/d/a/-/p/b/tools/x',
    '/d/a/-/p/b/tools/1/run',
    '/history/1',
    '/activity/1',
    '/saved/1',
    '//',
  ]) {
    expect(parseRoute(path), path).toEqual({ page: 'not-found' });
  }
});
