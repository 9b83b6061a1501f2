import { describe, expect, test } from 'vitest';
import type { InstrumentationRun, PackageSpec } from '../../virtual-device.ts';
import { createDeviceServices } from '../services.ts';
import {
  ACTION,
  installed,
  NOTES,
  NOTES_AUTHORITY,
  notesService,
  notesSpec,
  PERMISSION,
  testAndroid,
} from '../test-android.ts';
import { drain, open, shell } from '../test-shell.ts';

const LEVELS = [26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36] as const;
const NOW = 1_790_000_000_123;
const APK = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251));
const APK_PATH = `/data/app/~~c2FtcGxl==/${NOTES}-bm90ZXM=/base.apk`;

const alarmSpec: PackageSpec = {
  ...notesSpec,
  package: 'com.sample.alarm',
  label: '闹钟',
  labelIsResource: false,
  versionName: '7',
  versionCode: 700,
  sharedUserId: 'com.sample.shared',
  signer: 'alarm key',
  services: [
    { ...notesService, name: 'com.sample.alarm.Entry', exported: false, permission: PERMISSION, processName: ':tools' },
    { ...notesService, name: 'com.sample.alarm.Off', enabled: false },
  ],
  providers: [],
  definesPermissions: [],
  usesPermissions: [PERMISSION, 'com.sample.NEVER'],
};

const device = (sdk: number) =>
  createDeviceServices(
    testAndroid({
      sdk,
      users: [
        { id: 0, name: 'Owner' },
        { id: 10, name: 'Work profile' },
      ],
      packages: [
        installed(notesSpec),
        installed(alarmSpec, { uid: 10_322, grantedPermissions: new Set([PERMISSION]) }),
      ],
      apks: { [NOTES]: APK, 'com.sample.alarm': Buffer.alloc(3) },
    }),
    { serial: 'KIWI0001', now: () => NOW },
  );

const out = async (sdk: number, script: string): Promise<string> => (await shell(device(sdk), script)).stdout;

/** Every printed format, on one API level. */
const SCRIPT = [
  'getprop',
  'pm list packages -f --show-versioncode',
  `pm path ${NOTES}`,
  'pm list users',
  'am get-current-user',
  `cmd package query-services -a ${ACTION}`,
  `cmd package query-services --brief -a ${ACTION}`,
  `cmd package query-services --query-flags 128 --components -a ${ACTION}`,
  'cmd package query-services -a com.sample.NOBODY',
  `dumpsys package ${NOTES}`,
  'dumpsys package com.sample.alarm',
  `dumpsys package permission ${PERMISSION}`,
  'dumpsys package org.none',
  'am instrument -w -r org.none/.Runner',
  'content call --uri content://org.none --method m',
];

test.each(LEVELS)('API %i prints as its golden file says', async (sdk) => {
  const parts: string[] = [];
  for (const command of SCRIPT) {
    const { stdout, stderr, code } = await shell(device(sdk), command);
    parts.push(`$ ${command}\n${stdout}${stderr === '' ? '' : `[stderr]\n${stderr}`}[exit ${code}]\n`);
  }
  await expect(parts.join('\n')).toMatchFileSnapshot(`golden/api-${sdk}.txt`);
});

describe('what differs between the versions', () => {
  test.each(LEVELS)('API %i in dumpsys package', async (sdk) => {
    const text = await out(sdk, `dumpsys package ${NOTES}`);
    expect(text).toContain(sdk >= 34 ? '\n    appId=10321\n' : '\n    userId=10321\n');
    expect(text).not.toContain(sdk >= 34 ? ' userId=' : 'appId=');
    expect(text).toMatch(
      sdk >= 28
        ? /\n {4}signatures=PackageSignatures\{[0-9a-f]+ version:2, signatures:\[[0-9a-f]+\], past signatures:\[\]\}\n/
        : /\n {4}signatures=PackageSignatures\{[0-9a-f]+ \[[0-9a-f]+\]\}\n/,
    );
    expect(text).toContain(sdk >= 29 ? 'suspended=false distractionFlags=0 stopped' : 'suspended=false stopped');
    expect(text.includes('\nQueries:\n')).toBe(sdk >= 30);
  });

  test.each(LEVELS)('API %i and --query-flags', async (sdk) => {
    const { stdout, stderr, code } = await shell(
      device(sdk),
      `cmd package query-services --query-flags 128 -a ${ACTION}`,
    );
    if (sdk >= 30) expect([stdout.split('\n')[0], stderr, code]).toEqual(['2 services found:', '', 0]);
    else {
      expect([stdout, code]).toEqual(['', 255]);
      expect(stderr).toContain('java.lang.IllegalArgumentException: Unknown option: --query-flags');
    }
  });
});

describe('cmd package query-services', () => {
  test('lists services that are not exported, and never disabled ones', async () => {
    expect(await out(34, `cmd package query-services --components -a ${ACTION}`)).toBe(
      `${NOTES}/.tool.EntryService\ncom.sample.alarm/.Entry\n`,
    );
    const full = await out(34, `cmd package query-services -a ${ACTION} -p com.sample.alarm`);
    expect(full).toContain('enabled=true exported=false directBootAware=false\n');
    expect(full).toContain(`permission=${PERMISSION}\n`);
    expect(full).toContain('processName=com.sample.alarm:tools\n');
  });

  test('uids are of the user that was asked for', async () => {
    expect(await out(34, `cmd package query-services --user 10 -a ${ACTION} -p ${NOTES}`)).toContain(
      'uid=1010321 flags=',
    );
    expect(await out(34, `cmd package query-services --user 99 -a ${ACTION}`)).toBe('No services found\n');
  });
});

test('dumpsys names authorities, permissions and holders, but never whether a provider is exported', async () => {
  const text = await out(34, 'dumpsys package providers');
  expect(text).toContain(`  [${NOTES_AUTHORITY}]:\n    Provider{`);
  expect(text).not.toContain('exported');
  const holders = await out(34, `dumpsys package permission ${PERMISSION}`);
  expect(holders).toContain(`    sourcePackage=${NOTES}\n`);
  expect(holders).toContain('  Package [com.sample.alarm] (');
  expect(await out(34, 'dumpsys package com.sample.alarm')).not.toContain('com.sample.NEVER: granted');
});

describe('files', () => {
  test.each([
    [`dd if=${APK_PATH} bs=100 skip=3 count=2 2>/dev/null`, APK.subarray(300, 500)],
    [`dd if=${APK_PATH} bs=4096 skip=1 count=9 2>/dev/null`, APK.subarray(4096)],
    [`dd if=${APK_PATH} bs=1k iflag=skip_bytes,count_bytes skip=7 count=11 2>/dev/null`, APK.subarray(7, 18)],
    [`dd if=${APK_PATH} bs=1M skip=1 2>/dev/null`, APK.subarray(0, 0)],
    [`tail -c 22 ${APK_PATH}`, APK.subarray(-22)],
    [`tail -c +4990 ${APK_PATH}`, APK.subarray(4989)],
    [`tail -c +301 ${APK_PATH} | head -c 5`, APK.subarray(300, 305)],
    [`head -c 3 ${APK_PATH}`, APK.subarray(0, 3)],
    [`cat ${APK_PATH}`, APK],
  ])('%s', async (script, bytes) => {
    expect(await drain(open(device(30), `exec:${script}`))).toEqual(Buffer.from(bytes));
  });

  test.each([
    [`stat -L -c '%s %a %n' ${APK_PATH}`, `5000 644 ${APK_PATH}\n`, '', 0],
    [`stat -c %s ${APK_PATH}`, '5000\n', '', 0],
    ['stat -c %s /none', '', "stat: '/none': No such file or directory\n", 1],
    ['ls /data/app', '', 'ls: /data/app: Permission denied\n', 1],
    ['echo hi > /data/local/tmp/a; ls /data/local/tmp; rm /data/local/tmp/a; ls /data/local/tmp', 'a\n', '', 0],
    ['rm /data/local/tmp/none', '', 'rm: /data/local/tmp/none: No such file or directory\n', 1],
    ['rm -f /data/local/tmp/none', '', '', 0],
    [`rm -f ${APK_PATH}`, '', `rm: ${APK_PATH}: Permission denied\n`, 1],
    ['dd if=/none', '', 'dd: /none: No such file or directory\n', 1],
    ['dd bs=0 if=/dev/null', '', 'dd: bad bs=0\n', 1],
    ['dd wat=1', '', "dd: bad operand 'wat=1'\n", 1],
    ['head -c x /dev/null', '', "head: bad number 'x'\n", 1],
    ['printf', '', '/system/bin/sh: printf: inaccessible or not found\n', 127],
    ['echo a > /sdcard/x; dd if=/sdcard/x of=/sdcard/y status=none; cat /sdcard/y', 'a\n', '', 0],
    ['date +%s', '1790000000\n', '', 0],
    [`pidof ${NOTES}`, '5150\n', '', 0],
    ['pidof org.none', '', '', 1],
    ['getprop ro.product.model; getprop none; getprop none dflt', 'Kiwi 7 (test)\n\ndflt\n', '', 0],
  ])('%s', async (script, stdout, stderr, code) => {
    expect(await shell(device(30), script)).toEqual({ stdout, stderr, code });
  });
});

describe('packages', () => {
  test.each([
    ['pm path org.none', '', '', 1],
    ['pm uninstall org.none', 'Failure [DELETE_FAILED_INTERNAL_ERROR]\n', '', 1],
    ['pm uninstall --user 0 org.none', 'Failure [not installed for 0]\n', '', 1],
    [`pm uninstall ${NOTES}; pm list packages`, 'Success\npackage:com.sample.alarm\n', '', 0],
    ['pm list packages --user 10 -U notes', `package:${NOTES} uid:1010321\n`, '', 0],
    ['pm list packages --wat', '', 'Error: Unknown option: --wat\n', 255],
    ['pm install -r /data/local/tmp/none.apk', '', 'Error: Unable to open file: /data/local/tmp/none.apk\n', 1],
    ['pm install --user 77 /x', '', 'Error: User 77 does not exist\n', 255],
    ['pm frob', '', 'Unknown command: frob\n', 255],
    ['cmd nosuch', '', "cmd: Can't find service: nosuch\n", 20],
  ])('%s', async (script, stdout, stderr, code) => {
    expect(await shell(device(30), script)).toEqual({ stdout, stderr, code });
  });

  test('an APK is taken from a file or from the input, byte for byte', async () => {
    const taken: string[] = [];
    const services = createDeviceServices(
      testAndroid({
        installApk: (apk) => {
          taken.push(Buffer.from(apk).toString());
          return taken.length === 2 ? 'INSTALL_FAILED_TEST_ONLY: no' : null;
        },
      }),
      { serial: 'S' },
    );
    expect(
      (await shell(services, 'echo -n one > /data/local/tmp/a; pm install -r -t --user 0 /data/local/tmp/a')).stdout,
    ).toBe('Success\n');
    const stream = open(services, 'exec:cmd package install -S 3');
    stream.write('two and more');
    expect((await drain(stream)).toString()).toBe('Failure [INSTALL_FAILED_TEST_ONLY: no]\n');
    expect(taken).toEqual(['one', 'two']);
  });
});

describe('am instrument', () => {
  const CMP = 'dev.sample.bridge/.Runner';
  const runs = (sdk: number, ended: InstrumentationRun['ended']) => {
    const asked: string[] = [];
    const services = createDeviceServices(
      testAndroid({
        sdk,
        instrument: (component) => {
          asked.push(component);
          return { status: { 'b.socket': 's1', 'a.protocol': '1' }, statusCode: 0, ended };
        },
      }),
      { serial: 'S' },
    );
    return { services, asked };
  };

  test.each(LEVELS)('API %i streams the status, then the end', async (sdk) => {
    const { services, asked } = runs(sdk, Promise.resolve({ result: { shortMsg: 'Process crashed.' }, code: 0 }));
    const { stdout, code } = await shell(services, `am instrument -w -r --user 0 -e k v ${CMP}`);
    const status = ['INSTRUMENTATION_STATUS: a.protocol=1', 'INSTRUMENTATION_STATUS: b.socket=s1'];
    const lines = sdk >= 28 ? status : status.toReversed();
    const end = [
      'INSTRUMENTATION_STATUS_CODE: 0',
      'INSTRUMENTATION_RESULT: shortMsg=Process crashed.',
      'INSTRUMENTATION_CODE: 0',
    ];
    expect(stdout).toBe([...lines, ...end, ''].join('\n'));
    expect(code).toBe(0);
    expect(asked).toEqual(['dev.sample.bridge/dev.sample.bridge.Runner']);
  });

  test('it stays open while the run lasts, and goes with its stream', async () => {
    const { services } = runs(34, new Promise(() => undefined));
    const stream = open(services, `shell:am instrument -w -r ${CMP}; echo after > /sdcard/after`);
    let text = '';
    for await (const chunk of stream) {
      text += String(chunk);
      if (text.endsWith('_CODE: 0\n')) break;
    }
    expect(stream.destroyed).toBe(true);
    expect((await shell(services, 'cat /sdcard/after')).code).toBe(1);
  });

  test('an unknown one is told on both streams', async () => {
    const { stdout, stderr, code } = await shell(device(34), `am instrument -w -r ${CMP}`);
    expect(stdout).toContain(
      'INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{dev.sample.bridge/dev.sample.bridge.Runner}\n',
    );
    expect(stderr).toMatch(
      /^android\.util\.AndroidException: INSTRUMENTATION_FAILED: dev\.sample\.bridge\/\.Runner\n\tat /,
    );
    expect(code).toBe(1);
  });
});

describe('logcat', () => {
  test('text lines, newest last, and a count', async () => {
    const text = await out(34, 'logcat -d -v threadtime');
    expect(text).toMatch(
      /^--------- beginning of main\n\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} {2}1454 {2}2366 I SystemServer: /,
    );
    expect((await out(34, 'logcat -t 1')).split('\n')[1]).toContain('com.sample.alarm versionCode=700');
  });

  test('binary entries with the uid', async () => {
    const bytes = await drain(open(device(34), 'exec:logcat -B -d'));
    const length = bytes.readUInt16LE(0);
    expect([bytes.readUInt16LE(2), bytes.readInt32LE(4), bytes.readUInt32LE(24)]).toEqual([28, 1454, 1000]);
    expect(bytes.subarray(28, 28 + length).toString('latin1')).toBe(
      '\u0004SystemServer\0Entered the Android system server!\0',
    );
    expect(bytes.readUInt16LE(28 + length + 2)).toBe(28);
  });
});
