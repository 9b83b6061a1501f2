import { expect, it } from 'vitest';
import { formatHostPort, parseHostPort } from './host-port.ts';

it('takes names, IPv4 and bracketed IPv6, with a default for the part that is left out', () => {
  expect(parseHostPort('phone.lan', { port: 5555 })).toEqual({ host: 'phone.lan', port: 5555 });
  expect(parseHostPort('10.0.0.2:40123', { port: 5555 })).toEqual({ host: '10.0.0.2', port: 40_123 });
  expect(parseHostPort('[fe80::1]:5556')).toEqual({ host: 'fe80::1', port: 5556 });
  expect(parseHostPort('6000', { host: '127.0.0.1' })).toEqual({ host: '127.0.0.1', port: 6000 });
});

it('refuses what names no host or no port, and what could end a request early', () => {
  for (const text of [
    '',
    'host:',
    'host:0',
    'host:70000',
    'host:-1',
    'a b:1',
    'fe80::1',
    ':5555',
    'a/b:1',
    'a\n:1',
    ' a:1',
  ]) {
    expect(parseHostPort(text, { port: 5555 }), JSON.stringify(text)).toBeNull();
  }
  expect(parseHostPort('host')).toBeNull();
  expect(parseHostPort('host', { host: '127.0.0.1' })).toBeNull();
  expect(parseHostPort(`${'h'.repeat(256)}:1`)).toBeNull();
});

it.each([
  ['localhost', 5037],
  ['::1', 1],
  ['fe80::1%eth0', 65_535],
])('splits what it joins: %s %i', (host, port) => {
  expect(parseHostPort(formatHostPort(host, port))).toEqual({ host, port });
});
