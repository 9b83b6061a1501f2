import { expect, test } from 'vitest';
import { startCommand } from './start-command.ts';

const parts = { serial: 'DEMO34', userId: null, packageName: 'org.example.app', action: 'org.example.app.AUTHORIZE' };

test('v1 2.4: the command names the action, the package, the device and the user', () => {
  expect(startCommand(parts)).toBe('adb -s DEMO34 shell am start -a org.example.app.AUTHORIZE -p org.example.app');
  expect(startCommand({ ...parts, serial: null, userId: 10 })).toBe(
    'adb shell am start --user 10 -a org.example.app.AUTHORIZE -p org.example.app',
  );
});

test('a hostile action never gets into a command', () => {
  for (const action of ['a; rm -rf /', '$(id)', '`id`', 'a b', "a'b", '-n x/y', '', 'a\nb', 'a\u202eb', '--es']) {
    expect(startCommand({ ...parts, action }), action).toBeNull();
  }
  expect(startCommand({ ...parts, packageName: '$x' })).toBeNull();
  expect(startCommand({ ...parts, serial: '-H' })).toBeNull();
});
