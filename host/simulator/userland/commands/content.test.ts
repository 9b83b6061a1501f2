import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bundle, BundleEntry } from '../../../../shared/model/bundle.ts';
import type { BinderOutcome, DeviceBundle, DeviceObject } from '../../virtual-device.ts';
import { createDeviceServices } from '../services.ts';
import { NOTES_AUTHORITY, notesWith, testAndroid } from '../test-android.ts';
import { open, type ShellOutput, shell } from '../test-shell.ts';
import { parseContentCall } from './content/arguments.ts';

const LEVELS = [26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36] as const;
const URI = `content://${NOTES_AUTHORITY}`;

interface Received {
  readonly uid: number;
  readonly packages: readonly string[];
  readonly method: string;
  readonly arg: string | null;
  readonly extras: Bundle;
}

/** Runs `content …` on a device of one API level whose one Provider ends like this. */
async function content(sdk: number, args: string, outcome: BinderOutcome = { kind: 'null' }) {
  const received: Received[] = [];
  const android = testAndroid({
    sdk,
    packages: [
      notesWith((caller, method, arg, extras) => {
        received.push({ ...caller, method, arg, extras: extras?.entries ?? [] });
        return Promise.resolve(outcome);
      }),
    ],
    security: {
      'org.closed': 'Permission Denial: opening provider org.closed.P from (null) (pid=7, uid=2000) requires X or X',
    },
  });
  const output = await shell(createDeviceServices(android, { serial: 'S' }), `content ${args}`);
  return { ...output, received };
}

const bundle = (entries: Bundle, objects: Readonly<Record<string, DeviceObject>> = {}): BinderOutcome => ({
  kind: 'bundle',
  bundle: { entries, objects },
});

const isBundle = (answer: DeviceBundle | Bundle): answer is Bundle => Array.isArray(answer);

/** What is printed for a Bundle, on one API level. */
async function printed(sdk: number, answer: DeviceBundle | Bundle): Promise<string> {
  const outcome = isBundle(answer) ? bundle(answer) : ({ kind: 'bundle', bundle: answer } as const);
  const { stdout, stderr, code } = await content(sdk, `call --uri ${URI} --method m`, outcome);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return stdout;
}

const extrasOf = async (sdk: number, extras: string): Promise<Bundle | string> => {
  const { received, stdout } = await content(sdk, `call --uri ${URI} --method m ${extras}`);
  return received[0]?.extras ?? stdout.slice(stdout.indexOf('[ERROR]')).trimEnd();
};

describe('arguments', () => {
  test('the Provider sees uid 2000, the method, the argument and an empty Bundle', async () => {
    for (const sdk of [26, 34]) {
      const { received } = await content(sdk, `call --uri ${URI}/path?q=1 --method list_tools --arg 'a b' --user 0`);
      expect(received).toEqual([
        { uid: 2000, packages: ['com.android.shell'], method: 'list_tools', arg: 'a b', extras: [] },
      ]);
    }
  });

  test.each(LEVELS)('API %i makes its own types of the letters', async (sdk) => {
    const modern = sdk >= 30;
    const given =
      '--extra a:s:x --extra b:B:TRUE --extra c:i:7 --extra d:L:-9223372036854775808 --extra e:f:0.1 --extra f:d:2';
    expect(await extrasOf(sdk, given)).toEqual([
      { key: 'a', t: 'string', v: 'x' },
      { key: 'b', t: 'boolean', v: true },
      modern ? { key: 'c', t: 'int', v: 7 } : { key: 'c', t: 'long', v: '7' },
      { key: 'd', t: 'long', v: '-9223372036854775808' },
      modern ? { key: 'e', t: 'float', v: Math.fround(0.1) } : { key: 'e', t: 'double', v: 0.1 },
      { key: 'f', t: 'double', v: 2 },
    ]);
  });

  test.each(LEVELS)('API %i and null, the escapes, the limits of a number', async (sdk) => {
    expect(await extrasOf(sdk, '--extra k:n:')).toEqual(
      sdk < 29 ? '[ERROR] Unsupported type: n' : sdk === 29 ? [] : [{ key: 'k', t: 'null' }],
    );
    expect(await extrasOf(sdk, "--extra 'k:s:a:b'")).toEqual(
      sdk < 30 ? [{ key: 'k', t: 'string', v: 'a:b' }] : '[ERROR] Binding not well formed: k:s:a:b',
    );
    expect(await extrasOf(sdk, `--extra 'k:s:a\\:b\\\\c'`)).toEqual([
      { key: 'k', t: 'string', v: sdk < 30 ? 'a\\:b\\\\c' : 'a:b\\c' },
    ]);
    expect(await extrasOf(sdk, `--extra 'k:s:a\\'`)).toEqual(
      sdk < 30 ? [{ key: 'k', t: 'string', v: 'a\\' }] : '[ERROR] Invalid escaping',
    );
    expect(await extrasOf(sdk, '--extra k:i:2147483648')).toEqual(
      sdk < 30 ? [{ key: 'k', t: 'long', v: '2147483648' }] : '[ERROR] For input string: "2147483648"',
    );
  });

  test.each([
    ['', '[ERROR] Unsupported operation: null'],
    ['query --uri content://x', '[ERROR] Unsupported operation: query'],
    ['call', '[ERROR] Content provider URI not specified. Did you specify --uri argument?'],
    [`call --uri ${URI}`, '[ERROR] Content provider method not specified.'],
    [`call --uri ${URI} --method m --arg ''`, '[ERROR] No value for argument: --arg'],
    [`call --uri ${URI} --method m --arg --x`, '[ERROR] No value for argument: --arg'],
    [`call --uri ${URI} --method m --wat`, '[ERROR] Unsupported argument: --wat'],
    [`call --uri ${URI} --method m --extra k:x:1`, '[ERROR] Unsupported type: x'],
    [`call --uri ${URI} --method m --extra k:S:1`, '[ERROR] Unsupported type: S'],
    [`call --uri ${URI} --method m --extra k:i:12x`, '[ERROR] For input string: "12x"'],
    [`call --uri ${URI} --method m --extra k`, '[ERROR] Binding not well formed: k'],
    [`call --uri ${URI} --method m --extra`, '[ERROR] Binding not well formed: null'],
  ])('content %s: usage and error on stdout, exit 0', async (args, error) => {
    const { stdout, stderr, code } = await content(34, args);
    expect(stdout).toMatch(/^usage: adb shell content /);
    expect(stdout.endsWith(`\n\n${error}\n`)).toBe(true);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  test('an empty string is a value of an extra', async () => {
    for (const sdk of [28, 31]) expect(await extrasOf(sdk, '--extra k:s:')).toEqual([{ key: 'k', t: 'string', v: '' }]);
  });

  test('escaped text arrives as it was on API 30 and later', () => {
    const escaped = (text: string): string => text.replace(/[\\:]/g, '\\$&');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ minLength: 1 }), (value, key) => {
        const call = parseContentCall(
          ['--uri', URI, '--method', 'm', '--extra', `${escaped(key)}:s:${escaped(value)}`],
          33,
        );
        expect(call.extras).toEqual([{ key, t: 'string', v: value }]);
      }),
    );
  });
});

describe('results', () => {
  const answer: Bundle = [
    { key: 'data', t: 'string', v: '{"a":1, "b":[]}' },
    { key: 'status', t: 'string', v: 'success' },
    { key: 'request_id', t: 'string', v: 'r-1' },
    { key: 'error_message', t: 'null' },
  ];

  test.each(LEVELS)('API %i prints keys in the order of their hash codes', async (sdk) => {
    expect(await printed(sdk, answer)).toBe(
      'Result: Bundle[{error_message=null, status=success, data={"a":1, "b":[]}, request_id=r-1}]\n',
    );
    expect(await printed(sdk, [])).toBe('Result: Bundle[{}]\n');
  });

  test('a repeated key holds its last value', async () => {
    const twice: Bundle = [
      { key: 'k', t: 'int', v: 1 },
      { key: 'k', t: 'string', v: 'two' },
    ];
    expect(await printed(34, twice)).toBe('Result: Bundle[{k=two}]\n');
  });

  test.each(LEVELS)('API %i prints arrays in its way', async (sdk) => {
    const arrays: Bundle = [
      { key: 'a', t: 'int[]', v: [1, -2] },
      { key: 'b', t: 'string[]', v: ['x', null] },
      { key: 'c', t: 'long[]', v: ['9007199254740993'] },
      { key: 'd', t: 'bytes', v: Buffer.from([1, 255]).toString('base64') },
    ];
    expect(await printed(sdk, arrays)).toMatch(
      sdk < 29
        ? /^Result: Bundle\[\{a=\[I@[0-9a-f]+, b=\[Ljava\.lang\.String;@[0-9a-f]+, c=\[J@[0-9a-f]+, d=\[B@[0-9a-f]+\}\]\n$/
        : /^Result: Bundle\[\{a=\[1, -2\], b=\[x, null\], c=\[9007199254740993\], d=\[1, -1\]\}\]\n$/,
    );
  });

  const objects: Readonly<Record<string, DeviceObject>> = {
    resolution: {
      t: 'pendingIntent',
      creatorPackage: 'p',
      creatorUid: 1,
      immutable: true,
      kind: 'activity',
      launch: () => Promise.resolve({ resultCode: -1, data: null }),
    },
  };

  test.each(LEVELS)('API %i shows objects, lists and nested Bundles only as text', async (sdk) => {
    let closed = 0;
    const fd: DeviceObject = {
      t: 'fd',
      size: 5,
      read: async function* () {},
      close: () => {
        closed++;
      },
    };
    const text = await printed(sdk, {
      entries: [
        { key: 'list', t: 'strings', v: ['a', 'b'] },
        { key: 'inner', t: 'bundle', v: [{ key: 'k', t: 'int', v: 1 }] },
      ],
      objects: { ...objects, result_fd: fd },
    });
    const lazy = sdk === 33 || sdk === 34;
    const [list, pending, file] = lazy
      ? [
          'Supplier\\{VAL_LIST@\\d+\\+\\d+\\}',
          'Supplier\\{VAL_PARCELABLE@\\d+\\+\\d+\\}',
          'Supplier\\{VAL_PARCELABLE@28\\+\\d+\\}',
        ]
      : [
          '\\[a, b\\]',
          'PendingIntent\\{[0-9a-f]+: android\\.os\\.BinderProxy@[0-9a-f]+\\}',
          '\\{ParcelFileDescriptor: java\\.io\\.FileDescriptor@[0-9a-f]+\\}',
        ];
    expect(text).toMatch(
      new RegExp(
        `^Result: Bundle\\[\\{result_fd=${file}, resolution=${pending}, list=${list}, inner=Bundle\\[mParcelledData\\.dataSize=20\\]\\}\\]\\n$`,
      ),
    );
    expect(closed).toBe(1);
  });

  test('the position of a lazy value is that of the parcel', async () => {
    const lazy = await printed(33, {
      entries: [{ key: 'feedback_intent', t: 'null' }],
      objects: { explanation_intent: objects['resolution'] as DeviceObject },
    });
    expect(lazy).toMatch(
      /^Result: Bundle\[\{feedback_intent=null, explanation_intent=Supplier\{VAL_PARCELABLE@88\+\d+\}\}\]\n$/,
    );
  });

  test.each(LEVELS)('API %i and a class of the Provider only', async (sdk) => {
    const foreign: BundleEntry = { key: 'x', t: 'unreadable', v: { class: 'org.sample.Note', error: 'no class' } };
    const { stdout, stderr, code } = await content(sdk, `call --uri ${URI} --method m`, bundle([foreign]));
    expect(code).toBe(0);
    if (sdk === 33 || sdk === 34)
      expect(stdout).toMatch(/^Result: Bundle\[\{x=Supplier\{VAL_PARCELABLE@12\+\d+\}\}\]\n$/);
    else
      expect(stderr).toContain(
        '\nandroid.os.BadParcelableException: ClassNotFoundException when unmarshalling: org.sample.Note\n',
      );
  });

  test.each([
    [1, '1.0', '1.0'],
    [0.1, '0.1', '0.1'],
    [-0, '-0.0', '-0.0'],
    [0, '0.0', '0.0'],
    [1e7, '1.0E7', '1.0E7'],
    [1234567.5, '1234567.5', '1234567.5'],
    [0.001, '0.001', '0.001'],
    [-0.00012, '-1.2E-4', '-1.2E-4'],
    [100, '100.0', '100.0'],
    ['NaN', 'NaN', 'NaN'],
    ['-Infinity', '-Infinity', '-Infinity'],
    [3.4028234663852886e38, '3.4028234663852886E38', '3.4028235E38'],
  ] as const)('the number %s prints as Java does', async (value, double, float) => {
    const entries: Bundle = [
      { key: 'd', t: 'double', v: value },
      { key: 'f', t: 'float', v: value },
    ];
    expect(await printed(30, entries)).toBe(`Result: Bundle[{d=${double}, f=${float}}]\n`);
  });
});

describe('failures', () => {
  const call = `call --uri ${URI} --method m`;
  const failed = (output: ShellOutput, head: string): void => {
    expect(output.stdout).toBe('');
    expect(output.code).toBe(0);
    expect(output.stderr.startsWith(`${head}\n\tat `)).toBe(true);
  };

  test.each(LEVELS)('API %i and a null answer', async (sdk) => {
    const output = await content(sdk, call, { kind: 'null' });
    if (sdk >= 28) expect(output.stdout).toBe('Result: null\n');
    else {
      failed(
        output,
        `Error while accessing provider:${NOTES_AUTHORITY}\njava.lang.NullPointerException: Attempt to invoke virtual method 'int android.os.Bundle.size()' on a null object reference`,
      );
    }
  });

  test('a denied, an unknown and a missing authority, and a user that does not exist', async () => {
    failed(
      await content(31, 'call --uri content://org.closed --method m'),
      'Error while accessing provider:org.closed\njava.lang.SecurityException: Permission Denial: opening provider org.closed.P from (null) (pid=7, uid=2000) requires X or X',
    );
    const missing = (authority: string): string =>
      `Error while accessing provider:${authority}\njava.lang.IllegalStateException: Could not find provider: ${authority}`;
    failed(await content(31, 'call --uri content://org.none/x --method m'), missing('org.none'));
    failed(await content(31, 'call --uri nonsense --method m'), missing('null'));
    failed(await content(31, `${call} --user 150`), missing(NOTES_AUTHORITY));
  });

  test('an exception that Binder carries is shown, any other is an empty Bundle', async () => {
    const thrown = (name: string): BinderOutcome => ({ kind: 'exception', class: name, message: 'no such tool' });
    failed(
      await content(34, call, thrown('java.lang.IllegalArgumentException')),
      `Error while accessing provider:${NOTES_AUTHORITY}\njava.lang.IllegalArgumentException: no such tool`,
    );
    expect((await content(34, call, thrown('java.lang.ClassCastException'))).stdout).toBe('Result: Bundle[{}]\n');
  });

  test('a dead process and an oversized transaction', async () => {
    const head = `Error while accessing provider:${NOTES_AUTHORITY}\nandroid.os.`;
    failed(await content(34, call, { kind: 'died' }), `${head}DeadObjectException`);
    failed(
      await content(34, call, { kind: 'too-large' }),
      `${head}DeadObjectException: Transaction failed on small parcel; remote process probably died`,
    );
    const request = await content(34, call, { kind: 'too-large', side: 'request' });
    expect(request.stderr).toContain('android.os.TransactionTooLargeException');
  });

  test('a call that never ends stops with its stream, and nothing after it runs', async () => {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const forever = notesWith(() => {
      begin();
      return new Promise(() => undefined);
    });
    const services = createDeviceServices(testAndroid({ packages: [forever] }), { serial: 'S' });
    const stream = open(services, `shell:content ${call}; echo after > /sdcard/after`);
    await begun;
    stream.destroy();
    expect((await shell(services, 'cat /sdcard/after')).code).toBe(1);
  });
});

test('hostile text stays text', async () => {
  const hostile = '\u001b[31m}] \u202e<b>, status=success';
  const entries: Bundle = [{ key: '__proto__', t: 'string', v: hostile }];
  expect(await printed(34, entries)).toBe(`Result: Bundle[{__proto__=${hostile}}]\n`);
});
