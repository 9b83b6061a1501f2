import { expect, test } from 'vitest';
import { parseHostPort } from './host-port.ts';

test('takes names, IPv4 and bracketed IPv6', () => {
  expect(parseHostPort(' phone.lan ', 5555)).toEqual({ host: 'phone.lan', port: 5555 });
  expect(parseHostPort('10.0.0.2:40123', 5555)).toEqual({ host: '10.0.0.2', port: 40123 });
  expect(parseHostPort('[fe80::1]:5556', 5555)).toEqual({ host: 'fe80::1', port: 5556 });
});

test('refuses what names no port or no host', () => {
  for (const text of ['', 'host:', 'host:0', 'host:70000', 'a b:1', 'fe80::1', ':5555']) {
    expect(parseHostPort(text, 5555), text).toBeNull();
  }
  expect(parseHostPort('host', null)).toBeNull();
});
