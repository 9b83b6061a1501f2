import { createHash } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { problem } from '../../shared/model/problem.ts';
import { checkFile } from '../validation/check-file.ts';
import { SchemaCompiler } from '../validation/compile.ts';
import type { FileInput } from '../validation/worker-messages.ts';
import type { FileOnDisk } from './receive-file.ts';
import { MAX_CHECKED_BYTES, verifyFile } from './verify-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cetp-verify-'));
});
afterEach(() => rm(folder, { recursive: true }));

const VALID = { state: 'valid', issues: [], reason: null };
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function came(content: Uint8Array | string, change: Partial<FileOnDisk> = {}): Promise<FileOnDisk> {
  const bytes = Buffer.from(content);
  const file = path.join(folder, 'result');
  await writeFile(file, bytes);
  return { path: file, bytes: bytes.length, sha256: digest(bytes), durationMs: 1, stopped: null, ...change };
}

function declaring(content: string, change: object = {}) {
  const bytes = Buffer.from(content);
  return { mediaType: 'application/json', sizeBytes: String(bytes.length), sha256: digest(bytes), ...change };
}

function options(asked: FileInput[] = []) {
  const check = async (input: FileInput) => {
    asked.push(input);
    return checkFile(new SchemaCompiler(), input);
  };
  return { outputSchema: { type: 'array' }, dialect: null, checkFile: check };
}

const rules = (verdict: { findings: readonly { rule: string }[] }) => verdict.findings.map(({ rule }) => rule);

test('v2 4.5: a file as declared is verified, and the schema sees its exact text', async () => {
  const asked: FileInput[] = [];
  const verdict = await verifyFile(await came('[1.0, 2]'), declaring('[1.0, 2]'), options(asked));
  const checks = { size: 'same', digest: 'same', mediaType: 'same' };
  expect(verdict).toEqual({ verified: true, checks, findings: [], outputVerdict: VALID });
  expect(asked).toMatchObject([{ schemaText: '{"type":"array"}', dialect: null }]);
});

test('v2 4.5: a byte changed on the way is told with both digests', async () => {
  const file = await came('[9]');
  const declared = declaring('[1]');
  const verdict = await verifyFile(file, declared, options());
  expect(verdict.verified).toBe(false);
  expect(verdict.findings).toEqual([
    {
      rule: 'file-digest-differs',
      clause: 'v2 4.5',
      severity: 'must',
      params: { declared: declared.sha256, actual: file.sha256 },
      where: '/sha256',
    },
  ]);
});

test.each(['[1]', '[1,2,3,4]'])('v2 4.5: a short or long file (%s) is told with both sizes', async (content) => {
  const verdict = await verifyFile(await came(content), declaring('[1,2]'), options());
  expect(verdict.verified).toBe(false);
  expect(rules(verdict)).toEqual(['file-bytes-differ', 'file-digest-differs']);
  expect(verdict.findings[0]?.params).toEqual({ declared: '5', actual: content.length });
});

test('what did not come whole is never verified, even where its numbers fit', async () => {
  const stopped = problem('companion.read-cut', { bytes: 3 });
  const verdict = await verifyFile(await came('[1]', { stopped }), declaring('[1]'), options());
  expect(verdict).toMatchObject({ verified: false, outputVerdict: { state: 'not-checked', reason: 'file-not-whole' } });
  expect(verdict.findings[0]?.params).toEqual({ code: 'companion.read-cut', bytes: 3 });
});

test.each([
  ['sizeBytes', null],
  ['sha256', null],
])('nothing is verified without a declared %s', async (name, value) => {
  const verdict = await verifyFile(await came('[1]'), declaring('[1]', { [name]: value }), options());
  expect(verdict).toMatchObject({ verified: false, findings: [], outputVerdict: { state: 'valid' } });
  expect(Object.values(verdict.checks)).toContain('not-declared');
});

test('an upper-case digest is of the same content', async () => {
  const declared = declaring('[1]');
  const upper = { ...declared, sha256: declared.sha256.toUpperCase() };
  expect((await verifyFile(await came('[1]'), upper, options())).verified).toBe(true);
});

test.each([
  ['broken JSON', Buffer.from('[1,')],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
])('%s are a finding, and no schema is asked', async (_, content) => {
  const file = await came(content);
  const declared = { mediaType: 'application/json', sizeBytes: String(file.bytes), sha256: file.sha256 };
  const verdict = await verifyFile(file, declared, options());
  expect(verdict).toMatchObject({ verified: false, checks: { mediaType: 'differs' } });
  expect(verdict.outputVerdict).toMatchObject({ state: 'not-checked', reason: 'file-not-json' });
  expect(rules(verdict)).toEqual(['file-not-json']);
});

test('another media type is verified by its bytes and not checked as JSON', async () => {
  const verdict = await verifyFile(await came('a,b'), declaring('a,b', { mediaType: 'text/csv' }), options());
  expect(verdict).toMatchObject({ verified: true, outputVerdict: { reason: 'file-not-json-type' } });
});

test('a file above 64 MiB says that its schema was not checked', async () => {
  const target = path.join(folder, 'large');
  const handle = await open(target, 'w');
  await handle.truncate(MAX_CHECKED_BYTES + 1);
  await handle.close();
  const file = { path: target, bytes: MAX_CHECKED_BYTES + 1, sha256: 'ab', durationMs: 1, stopped: null };
  const declared = { mediaType: 'application/json', sizeBytes: String(file.bytes), sha256: 'ab' };
  expect(await verifyFile(file, declared, options())).toMatchObject({
    verified: true,
    outputVerdict: { state: 'not-checked', reason: 'file-too-large' },
  });
});

test('no schema, no verdict on it', async () => {
  const verdict = await verifyFile(await came('[1]'), declaring('[1]'), { ...options(), outputSchema: null });
  expect(verdict).toMatchObject({ verified: true, outputVerdict: { state: 'not-checked', reason: 'no-schema' } });
});
