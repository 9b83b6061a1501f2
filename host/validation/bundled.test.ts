import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cetp-validation-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the worker is found and runs when bundled', async () => {
  const source = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const bundle = await rolldown({
    input: { host: source('./schema-service.ts'), 'schema-worker': source('./schema-worker.ts') },
    platform: 'node',
  });
  await bundle.write({ dir: folder, format: 'es' });
  await bundle.close();
  // Evaluated outside the test runner's own loader, as a shell would.
  const built: typeof import('./schema-service.ts') = await import(
    /* @vite-ignore */ pathToFileURL(path.join(folder, 'host.js')).href
  );
  const service = built.createSchemaService();
  const verdict = await service.validate({ schemaText: '{"type":"string"}', dialect: null, valueText: '1' });
  expect(verdict).toMatchObject({ state: 'invalid', issues: [{ keyword: 'type' }] });
  await service.close();
});
