import { EventEmitter } from 'node:events';
import os from 'node:os';
import { expect, test, vi } from 'vitest';
import type { HostReport } from './electron-entry.ts';

test('a host that cannot start says why before it ends; a page and a wish in between do no harm', async () => {
  const reports: HostReport[] = [];
  const parentPort = Object.assign(new EventEmitter(), { postMessage: (report: HostReport) => reports.push(report) });
  Object.assign(process, { parentPort });
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  await import('./electron-entry.ts');
  const send = (data: unknown, ports: unknown[] = []) => parentPort.emit('message', { data, ports });

  send({ type: 'connect' }, [{ on: () => {}, postMessage: () => {}, start: () => {} }]);
  // A folder is no journal.
  const options = { journalFile: os.tmpdir(), assetsRoot: null, version: '0', demo: false, watchLocal: false };
  send({ type: 'start', options });
  send({ type: 'connect' }, [{ on: () => {}, postMessage: () => {}, start: () => {} }]);
  send({ type: 'demo' });

  await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(1));
  expect(reports).toMatchObject([{ type: 'failed', problem: { code: 'journal-cannot-open' } }]);
  exit.mockRestore();
  Reflect.deleteProperty(process, 'parentPort');
});
