import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Protocol } from 'electron';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveRenderer } from './app-protocol.ts';

const CALL = '0e2a5c1e-7d7e-4f6e-9f0c-6a4f2f1f0a03';
let folder: string;
let answer: (request: Request) => Promise<Response>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cetp-protocol-'));
  const file = { mediaType: null, sizeBytes: null, sha256: null, received: null };
  const outputVerdict = { state: 'not-checked', issues: [], reason: 'test' };
  const entry = { version: 1, callId: CALL, deviceKey: 'd', providerKey: 'p', tool: 'export', pid: 1 };
  const whole = { ...entry, startedAtMs: 1, endedAtMs: 2, file, findings: [], outputVerdict };
  await writeFile(path.join(folder, `${CALL}.json`), JSON.stringify(whole));
  await writeFile(path.join(folder, `${CALL}.result`), 'bytes');
  const protocol = {
    handle: (_scheme: string, handler: typeof answer) => {
      answer = handler;
    },
  };
  serveRenderer(protocol as unknown as Protocol, folder, folder);
});
afterAll(() => rm(folder, { recursive: true }));

const get = (url: string) => answer({ url } as Request);

test('the file of a result is handed out as a download, by its call alone', async () => {
  const response = await get(`cetp-app://app/results/${CALL}`);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('bytes');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="export-0e2a5c1e.bin"');
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
});

test.each([`cetp-app://other/results/${CALL}`, `cetp-app://app/results/${CALL}.json`, 'cetp-app://app/results/x'])(
  'nothing else: %s',
  async (url) => {
    expect((await get(url)).status).toBe(404);
  },
);
