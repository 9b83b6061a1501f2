import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runVector, type VectorCase } from './vector-runner.ts';

const directory = join(import.meta.dirname, '../../../companion/vectors');
const files = readdirSync(directory).filter((name) => name.endsWith('.json'));

describe('companion vectors', () => {
  it('are there', () => {
    expect(files.length).toBeGreaterThanOrEqual(8);
  });

  describe.each(files)('%s', (file) => {
    const { cases } = JSON.parse(readFileSync(join(directory, file), 'utf8')) as { cases: VectorCase[] };
    it.each(cases.map((item) => [item.name, item] as const))('%s', { timeout: 10_000 }, async (_, item) => {
      await runVector(item);
    });
  });

  it('can fail', async () => {
    const steps = [{ open: 'a' }, { on: 'a', send: { id: 1, op: 'ping' } }, { on: 'a', expect: { id: 1, ok: {} } }];
    await expect(runVector({ name: 'wrong', steps })).rejects.toThrow('wrong, step 3');
    await expect(runVector({ name: 'unread', steps: steps.slice(0, 2) })).rejects.toThrow('unread bytes');
  });
});
