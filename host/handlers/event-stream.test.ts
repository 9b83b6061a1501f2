import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from '../journal/open-journal.ts';
import { eventsAsTheyHappen } from './event-stream.ts';

test('events come in order, none twice and none left out, also those that another process wrote', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cetp-follow-'));
  const file = path.join(folder, 'journal.sqlite');
  const [own, other] = [openJournal(file), openJournal(file)];
  const event = (exchangeId: string) => ({
    kind: 'notice' as const,
    exchangeId,
    deviceKey: 'd',
    providerKey: null,
    method: null,
    tool: null,
    requestId: null,
    payload: {},
  });
  own.append(event('before'));
  const stop = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { exchangeId } of eventsAsTheyHappen(own, 0, stop.signal)) {
      seen.push(exchangeId);
      if (exchangeId === 'before') for (let i = 0; i < 450; i++) own.append(event(`own-${i}`));
      if (exchangeId === 'own-449') other.append(event('other'));
      if (exchangeId === 'other') stop.abort();
    }
  })();
  await reading;
  expect(seen).toEqual(['before', ...Array.from({ length: 450 }, (_, i) => `own-${i}`), 'other']);
  own.close();
  other.close();
  rmSync(folder, { recursive: true, force: true });
});
