import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDeviceServices } from './services.ts';
import { testAndroid } from './test-android.ts';
import { drain, open, shell } from './test-shell.ts';

const services = () => createDeviceServices(testAndroid(), { serial: 'S', now: () => 1_790_000_000_123 });
const run = (script: string) => shell(services(), script);

describe('the language', () => {
  test.each([
    ['echo \'a  b\' "c  d" e\\ f', 'a  b c  d e f\n', 0],
    ['echo "it\'s \\"q\\" \\$HOME \\n"', 'it\'s "q" $HOME \\n\n', 0],
    ["echo ''", '\n', 0],
    ['X=5 ; echo "$X" $' + '{X}y $nothing.', '5 5y .\n', 0],
    ['X=\'a  b\'; echo $X; echo "$X"', 'a b\na  b\n', 0],
    ['true && echo yes || echo no', 'yes\n', 0],
    ['false && echo yes || echo no', 'no\n', 0],
    ['false; echo $?', '1\n', 0],
    ['true;false', '', 1],
    ['echo one; exit 3; echo two', 'one\n', 3],
    ['echo a\necho b # comment\n\n', 'a\nb\n', 0],
    ['echo abcdef | head -c 4 | tail -c 2', 'cd', 0],
    ['cat /none 2>/dev/null; echo $?', '1\n', 0],
    ['cat /none 2>&1', 'cat: /none: No such file or directory\n', 1],
    ['echo x > /sdcard/f; echo y >> /sdcard/f; cat < /sdcard/f', 'x\ny\n', 0],
    ['exec echo replaced', 'replaced\n', 0],
    ['/system/bin/echo path', 'path\n', 0],
    ['echo $?; nosuch 2>/dev/null; echo $?', '0\n127\n', 0],
  ])('%s', async (script, stdout, code) => {
    expect(await run(script)).toEqual({ stdout, stderr: '', code });
  });

  test.each([
    ['echo $(id)', "syntax error: unexpected '$('"],
    ['echo `id`', "syntax error: unexpected '`'"],
    ['sleep 5 &', "syntax error: unexpected '&'"],
    ['(echo x)', "syntax error: unexpected '('"],
    ['echo a | | echo b', "syntax error: unexpected '|'"],
    ['echo a &&', "syntax error: unexpected 'newline'"],
    ['; echo a', "syntax error: unexpected ';'"],
    ['echo "open', 'no closing quote: "'],
    ["echo 'open", "no closing quote: '"],
    ['cat << END', "syntax error: unexpected '<<'"],
  ])('%s is refused as a whole', async (script, message) => {
    const one = services();
    expect(await shell(one, `echo ran > /sdcard/ran; ${script}`)).toEqual({
      stdout: '',
      stderr: `/system/bin/sh: ${message}\n`,
      code: 1,
    });
    expect((await shell(one, 'ls /sdcard')).stdout).toBe('');
  });

  test('an unknown command is 127 and named', async () => {
    expect(await run('frobnicate --all')).toEqual({
      stdout: '',
      stderr: '/system/bin/sh: frobnicate: inaccessible or not found\n',
      code: 127,
    });
  });

  test('a redirection to a forbidden place fails and the command does not run', async () => {
    expect(await run('echo x > /system/x')).toEqual({
      stdout: '',
      stderr: "/system/bin/sh: can't create /system/x: Read-only file system\n",
      code: 1,
    });
  });

  test('single-quoted words arrive as they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }), async (words) => {
        // Lone surrogates cannot travel in a service string.
        const given = words.map((word) => word.toWellFormed().replaceAll('\0', ''));
        const quoted = given.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
        expect((await run(`echo x ${quoted.join(' ')}`)).stdout).toBe(`x ${given.join(' ')}\n`);
      }),
      { numRuns: 60 },
    );
  });

  test('it agrees with a real sh on small scripts', async () => {
    const word = fc.constantFrom(
      "'a b'",
      '"c  d"',
      'e\\ f',
      '"$X"',
      '$X',
      "''",
      '"\\$X"',
      'g\'h\'"i"',
      '$?',
      '"\\\\"',
      'x=y',
    );
    const command = fc.oneof(
      fc.array(word, { maxLength: 4 }).map((words) => ['echo -', ...words].join(' ')),
      fc.constantFrom('true', 'false', "X='p  q'", 'echo - abc | head -c 4'),
    );
    const script = fc
      .array(fc.tuple(command, fc.constantFrom(' && ', ' || ', '; ', '\n')), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.map(([text, join], index) => text + (index === parts.length - 1 ? '' : join)).join(''));
    const real = promisify(execFile);
    await fc.assert(
      fc.asyncProperty(script, async (text) => {
        const expected = await real('sh', ['-c', text], { env: {} }).then(
          ({ stdout }) => ({ stdout, code: 0 }),
          (error: { stdout: string; code: number }) => ({ stdout: error.stdout, code: error.code }),
        );
        const { stdout, code } = await run(text);
        expect({ stdout, code }).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

/** The payloads of shell packets, joined. */
function payloads(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 5 + bytes.readUInt32LE(at + 1)) {
    text += bytes.toString('utf8', at + 5, at + 5 + bytes.readUInt32LE(at + 1));
  }
  return text;
}

describe('the services', () => {
  test('shell v1 and exec merge the errors and give no exit code', async () => {
    for (const service of ['shell:', 'exec:']) {
      const text = (await drain(open(services(), `${service}echo a; nosuch; echo b`))).toString();
      expect(text).toBe('a\n/system/bin/sh: nosuch: inaccessible or not found\nb\n');
    }
  });

  test('exec is binary-safe in both directions', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const stream = open(services(), 'exec:cat');
    stream.end(all);
    expect(await drain(stream)).toEqual(all);
  });

  test('shell v2 feeds standard input until it is closed', async () => {
    const stream = open(services(), 'shell,v2,raw:cat');
    const packet = (id: number, text: string): Buffer => {
      const head = Buffer.alloc(5);
      head.writeUInt8(id, 0);
      head.writeUInt32LE(text.length, 1);
      return Buffer.concat([head, Buffer.from(text)]);
    };
    const input = Buffer.concat([packet(0, 'hel'), packet(5, '24x80,0x0'), packet(0, 'lo'), packet(4, '')]);
    for (const byte of input) stream.write(Buffer.of(byte));
    const output = await drain(stream);
    const exit = output.subarray(-6);
    expect(exit).toEqual(Buffer.of(3, 1, 0, 0, 0, 0));
    expect(payloads(output.subarray(0, -6))).toBe('hello');
  });

  test('a shell without a command reads its lines', async () => {
    const stream = open(services(), 'shell:');
    stream.write('X=1\necho got $X\nexit 2\necho never\n');
    expect((await drain(stream)).toString()).toBe('got 1\n');
  });

  test('what is not there is refused', () => {
    for (const service of ['tcp:80', 'jdwp:1', 'shell', 'reboot:', 'localabstract:x', `shell:${'x'.repeat(70_000)}`]) {
      const stream = services().open(service);
      stream?.destroy();
      expect(stream === null, service).toBe(service !== 'shell');
    }
  });

  test('two devices share nothing', async () => {
    const [one, two] = [services(), services()];
    await shell(one, 'echo x > /sdcard/f');
    expect((await shell(two, 'cat /sdcard/f')).code).toBe(1);
  });
});
