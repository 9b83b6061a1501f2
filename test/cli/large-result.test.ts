import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import {
  ARCHIVE_PACKAGE,
  archiveBytes,
  archivePackage,
  createArchive,
} from '../../host/simulator/provider-kit/archive.ts';
import { wellBehavedPackages } from '../../host/simulator/provider-kit/kit.ts';
import { type PluggedPhone, plugIn } from '../harness/virtual-phone.ts';

const CLI = path.resolve(import.meta.dirname, '..', '..', 'cli', 'cetp.js');
const archive = createArchive();
let folder: string;
let server: RealAdbServer;
let phone: PluggedPhone;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cetp-cli-large-'));
  server = await startRealAdbServer();
  const packages = [...wellBehavedPackages(), archivePackage(archive.app)];
  phone = await plugIn(server, { sdk: 34, serialno: 'CLILARGE', packages });
});
afterAll(async () => {
  await phone?.unplug();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function call(args: object, ...more: string[]) {
  const line = ['call', ARCHIVE_PACKAGE, 'export_records', '--args', JSON.stringify(args)];
  const where = ['-s', phone.serial, '--adb', `127.0.0.1:${server.port}`, '--journal', ':memory:'];
  const env = { ...process.env, LANG: 'en_US.UTF-8', LC_ALL: '', ADB: '/nonexistent' };
  const child = spawn(process.execPath, [CLI, ...line, ...where, ...more], { env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('v2 4.5: --out writes the very bytes, of more than one part, and --json tells every verdict', async () => {
  const out = path.join(folder, 'records.json');
  const { code, stdout } = await call({ records: 20_000 }, '--json', '--out', out);
  expect(code).toBe(0);
  const answer = JSON.parse(stdout);
  const bytes = readFileSync(out);
  expect(answer).toMatchObject({
    status: 'success',
    kind: 'file',
    verified: true,
    declared: { mediaType: 'application/json', sizeBytes: String(archiveBytes(20_000)) },
    received: { state: 'verified', bytes: archiveBytes(20_000), sha256: sha256(bytes) },
    outputVerdict: { state: 'valid' },
    out: { path: out, bytes: bytes.length },
  });
  expect(answer.declared.sha256).toBe(sha256(bytes));
});

test('a file that is there is not written over without --force, and nothing is sent', async () => {
  const out = path.join(folder, 'mine.json');
  writeFileSync(out, 'mine');
  const before = archive.descriptors.opened;
  expect(await call({ records: 1 }, '--out', out)).toMatchObject({ code: 1, stdout: '' });
  expect(readFileSync(out, 'utf8')).toBe('mine');
  expect(archive.descriptors.opened).toBe(before);
  expect((await call({ records: 1 }, '--out', out, '--force')).code).toBe(0);
  expect(readFileSync(out).length).toBe(archiveBytes(1));
});

test('v2 4.5: a tampered file ends with the code of a conformance failure, and is written as it came', async () => {
  const out = path.join(folder, 'tampered.json');
  const { code, stdout, stderr } = await call({ records: 2, fault: 'tampered' }, '--out', out);
  expect(code).toBe(8);
  expect(stderr).toContain('not as declared');
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'file', verified: false, received: { state: 'mismatch' } });
  expect(JSON.parse(stdout).received.sha256).toBe(sha256(readFileSync(out)));
  await expect.poll(() => archive.descriptors.closed).toBe(archive.descriptors.opened);
});

test('--out goes with a call only, and into a folder that exists', async () => {
  const { code, stderr } = await call({ records: 1 }, '--out', path.join(folder, 'no', 'such', 'file'));
  expect(code).toBe(1);
  expect(stderr).toContain('no such folder');
});
