import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { filesBelow, readInside, realFolder, removeInside, writeInside } from './folder-access.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'cetp-folder-')));
  folder = path.join(root, 'calls');
  mkdirSync(folder);
  writeFileSync(path.join(root, 'outside.cetp.json'), 'outside');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (file: string, text: string | Buffer = 'text') => writeFileSync(path.join(folder, file), text);
const onDisk = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.problem?.code ?? String(error),
  );
const write = (file: string, before: string | null, text = 'new') =>
  writeInside(folder, file, text, { before, maxBytes: 1000 });
const hash = async (file: string) => (await readInside(folder, file, 1000))?.sha256 ?? 'none';

describe('reading stays inside the folder', () => {
  test('a file is read with its digest; none is null', async () => {
    put('a.cetp.json', 'é');
    expect(await readInside(folder, 'a.cetp.json', 10)).toMatchObject({ text: 'é' });
    expect(await readInside(folder, 'b.cetp.json', 10)).toBeNull();
    expect(await readInside(folder, 'a.cetp.json/b', 10)).toBeNull();
  });

  test('no way up, no link to a file, no link of a folder', async () => {
    symlinkSync(path.join(root, 'outside.cetp.json'), path.join(folder, 'link.cetp.json'));
    symlinkSync(root, path.join(folder, 'up'));
    put('real.cetp.json');
    symlinkSync(path.join(folder, 'real.cetp.json'), path.join(folder, 'inner.cetp.json'));
    for (const file of ['link.cetp.json', 'up/outside.cetp.json', 'inner.cetp.json']) {
      expect(await code(readInside(folder, file, 1000))).toBe('saved-call-outside');
      expect(await code(write(file, null))).toMatch(/saved-call-(outside|exists)/);
      expect(await code(removeInside(folder, file, 'x', 1000))).toBe('saved-call-outside');
    }
    expect(readFileSync(path.join(root, 'outside.cetp.json'), 'utf8')).toBe('outside');
    expect(existsSync(path.join(root, 'new'))).toBe(false);
    expect(await code(write('up/new/x.cetp.json', null))).toBe('saved-call-outside');
    expect(existsSync(path.join(root, 'new'))).toBe(false);
  });

  test('too large, no UTF-8, a folder, a pipe that nobody writes to', async () => {
    put('big.cetp.json', 'x'.repeat(1001));
    put('bytes.cetp.json', Buffer.from([0xff]));
    mkdirSync(path.join(folder, 'dir.cetp.json'));
    expect(await code(readInside(folder, 'big.cetp.json', 1000))).toBe('saved-call-too-large');
    expect(await code(readInside(folder, 'bytes.cetp.json', 1000))).toBe('saved-call-not-utf8');
    expect(await code(readInside(folder, 'dir.cetp.json', 1000))).toMatch(/saved-call-outside|collection-io/);
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [path.join(folder, 'pipe.cetp.json')]);
    expect(await code(readInside(folder, 'pipe.cetp.json', 1000))).toBe('saved-call-outside');
  });
});

describe('writing never loses what somebody else wrote', () => {
  test('a new file, in a new folder too, whole and without traces', async () => {
    await write('a/b/c.cetp.json', null);
    expect(onDisk('a/b/c.cetp.json')).toBe('new');
    expect(readdirSync(path.join(folder, 'a', 'b'))).toEqual(['c.cetp.json']);
  });

  test('a file that is there is not a new one', async () => {
    put('a.cetp.json', 'mine');
    expect(await code(write('a.cetp.json', null))).toBe('saved-call-exists');
    expect(onDisk('a.cetp.json')).toBe('mine');
    expect(readdirSync(folder)).toEqual(['a.cetp.json']);
  });

  test('changed or gone since it was read', async () => {
    put('a.cetp.json', 'one');
    const before = await hash('a.cetp.json');
    put('a.cetp.json', 'two');
    expect(await code(write('a.cetp.json', before))).toBe('saved-call-changed');
    expect(await code(removeInside(folder, 'a.cetp.json', before, 1000))).toBe('saved-call-changed');
    expect(onDisk('a.cetp.json')).toBe('two');
    await write('a.cetp.json', await hash('a.cetp.json'), 'three');
    expect(onDisk('a.cetp.json')).toBe('three');
    const last = await hash('a.cetp.json');
    await removeInside(folder, 'a.cetp.json', last, 1000);
    expect(readdirSync(folder)).toEqual([]);
    expect(await code(write('a.cetp.json', last))).toBe('saved-call-gone');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a folder', () => {
  test('is named by its whole path, and is its real path', async () => {
    symlinkSync(folder, path.join(root, 'alias'));
    expect(await realFolder(path.join(root, 'alias'))).toBe(folder);
    expect(await code(realFolder('calls'))).toBe('collection-not-absolute');
    expect(await code(realFolder(path.join(root, 'none')))).toBe('collection-no-folder');
    expect(await code(realFolder(path.join(root, 'outside.cetp.json')))).toBe('collection-no-folder');
    expect(await code(realFolder(`${root}/a\0b`))).toBe('collection-not-absolute');
  });

  test('is looked through without hidden folders and without end', async () => {
    for (const name of ['.git', 'node_modules', 'environments', 'a']) {
      mkdirSync(path.join(folder, name));
      put(`${name}/x.cetp.json`);
    }
    put('.y.cetp.json');
    put('z.txt');
    symlinkSync(folder, path.join(folder, 'loop'));
    symlinkSync('z.txt', path.join(folder, 'l.cetp.json'));
    const look = (looked: number) =>
      filesBelow(folder, (name) => name.endsWith('.cetp.json'), { depth: 4, looked, skip: new Set(['environments']) });
    const { files, complete } = await look(100);
    expect(complete).toBe(true);
    expect(files).toEqual(
      expect.arrayContaining([
        { file: 'a/x.cetp.json', odd: false },
        { file: 'l.cetp.json', odd: true },
      ]),
    );
    expect(files).toHaveLength(2);
    expect((await look(3)).complete).toBe(false);
  });
});
