import { expect, test } from 'vitest';
import { installed, NOTES, notesSpec, testAndroid } from '../userland/test-android.ts';
import { FileStore, normalizePath } from './file-store.ts';

const APK = new Uint8Array([1, 2, 3]);
const CODE = `/data/app/~~c2FtcGxl==/${NOTES}-bm90ZXM=`;
const store = (packages = [installed(notesSpec)]) =>
  new FileStore(testAndroid({ packages, apks: { [NOTES]: APK } }), () => 1_790_000_000_999);

const errno = (action: () => unknown): string => {
  try {
    action();
    return 'none';
  } catch (error) {
    return (error as { errno?: string }).errno ?? String(error);
  }
};

test.each([
  ['/a/../b//./c/', '/b/c'],
  ['../../x', '/x'],
  ['', '/'],
])('the path %j is %j', (given, path) => {
  expect(normalizePath(given)).toBe(path);
});

test('a written file is read back, stated and listed', () => {
  const files = store();
  files.write('/data/local/tmp/dir/a.bin', new Uint8Array([9, 8]), 0o600);
  expect([...files.read('/data/local/tmp/./dir/a.bin')]).toEqual([9, 8]);
  expect(files.stat('/data/local/tmp/dir/a.bin')).toEqual({ mode: 0o100600, size: 2, mtime: 1_790_000_000 });
  expect(files.list('/data/local/tmp').map(({ name, mode }) => [name, (mode & 0o040000) !== 0])).toEqual([
    ['dir', true],
  ]);
});

test('the bytes of the writer are copied, and appear only at the end', () => {
  const files = store();
  const chunk = new Uint8Array([1]);
  const writer = files.open('/sdcard/f');
  writer.write(chunk);
  chunk[0] = 7;
  expect(errno(() => files.read('/sdcard/f'))).toBe('ENOENT');
  writer.commit(0o644, 5);
  expect([...files.read('/sdcard/f')]).toEqual([1]);
});

test('an APK is there as long as its package is, without a copy', () => {
  const packages = [installed(notesSpec)];
  const android = testAndroid({ packages, apks: { [NOTES]: APK } });
  const files = new FileStore(android);
  expect(files.read(`${CODE}/base.apk`)).toBe(APK);
  expect(files.stat(CODE).mode & 0o040000).not.toBe(0);
  expect(files.list(CODE).map(({ name }) => name)).toEqual(['base.apk']);
  android.uninstall(NOTES);
  expect(errno(() => files.stat(`${CODE}/base.apk`))).toBe('ENOENT');
});

test.each([
  ['writes outside', () => store().open('/data/app/x'), 'EACCES'],
  ['writes to the system', () => store().open('/system/bin/sh'), 'EROFS'],
  ['writes over a folder', () => store().open('/sdcard/..//sdcard'), 'EACCES'],
  ['escapes by dots', () => store().open('/data/local/tmp/../../app/x'), 'EACCES'],
  ['lists what it may not', () => store().list('/data/app'), 'EACCES'],
  ['lists a file', () => store().list(`${CODE}/base.apk`), 'ENOTDIR'],
  ['reads a folder', () => store().read('/sdcard'), 'EISDIR'],
  ['removes a folder without -r', () => store().remove('/data/local/tmp', false), 'EACCES'],
  ['removes nothing', () => store().remove('/sdcard/none', true), 'ENOENT'],
])('one who %s is told so', (_what, action, code) => {
  expect(errno(action)).toBe(code);
});

test('a file cannot be a folder of another, and a folder goes with what is in it', () => {
  const files = store();
  files.write('/sdcard/d/f', new Uint8Array(1));
  expect(errno(() => files.write('/sdcard/d/f/g', new Uint8Array(1)))).toBe('ENOTDIR');
  expect(errno(() => files.remove('/sdcard/d', false))).toBe('EISDIR');
  files.remove('/sdcard/d', true);
  expect(errno(() => files.stat('/sdcard/d/f'))).toBe('ENOENT');
});
