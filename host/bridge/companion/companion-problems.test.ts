import { expect, test } from 'vitest';
import { wireErrorProblem } from './companion-problems.ts';
import { judgeProcess } from './process-look.ts';

test.each([
  ['SECURITY', {}, 'companion.security'],
  ['TOO_MANY_HANDLES', {}, 'companion.too-many-handles'],
  ['UNKNOWN_AUTHORITY', { resolved: false }, 'companion.unknown-authority'],
  ['UNKNOWN_AUTHORITY', { resolved: true }, 'companion.provider-did-not-start'],
  ['PROVIDER_EXCEPTION', { class: 'java.lang.SecurityException' }, 'companion.provider-exception'],
  ['PROVIDER_EXCEPTION', { class: 'android.os.BadParcelableException' }, 'companion.unreadable-reply'],
  ['SOMETHING_NEW', {}, 'companion.unknown-error'],
])('%s with %j is %s, with the message verbatim', (code, detail, expected) => {
  expect(wireErrorProblem({ code, message: 'as it said', detail })).toMatchObject({
    code: expected,
    raw: 'as it said',
  });
});

test('an unknown code keeps its name, a hostile detail does no harm', () => {
  const detail = JSON.parse('{"__proto__":{"x":1},"a b":1,"code":"OTHER","n":{"deep":[1]}}');
  expect(wireErrorProblem({ code: 'SOMETHING_NEW', message: '', detail })).toEqual({
    code: 'companion.unknown-error',
    params: { code: 'SOMETHING_NEW', n: '{"deep":[1]}' },
    raw: '',
  });
});

const pids = (...ids: string[]) => new Set(ids);
test.each([
  [pids('7'), pids('7'), 'lives'],
  [pids('7'), pids('7', '9'), 'lives'],
  [pids('7'), pids(), 'died'],
  [pids('7'), pids('8'), 'died'],
  [pids(), pids(), 'died'],
  [pids(), pids('8'), 'unknown'],
  [null, pids('8'), 'unknown'],
  [pids('7'), null, 'unknown'],
] as const)('process ids %o, then %o: %s', (before, after, verdict) => {
  expect(judgeProcess(before, after)).toBe(verdict);
});
