import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Bundle } from '../../../shared/model/bundle.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { Provider } from '../../../shared/model/provider.ts';
import type { EncodedCall } from '../../bridge/bridge.ts';
import { createCompanionBridge } from '../../bridge/companion/companion-bridge.ts';
import { createCompanionManager } from '../../bridge/companion/companion-manager.ts';
import { bundle, GARDEN_AUTHORITY, gardenPackage, startVirtualPhone } from '../../bridge/testing/virtual-phone.ts';
import { openJournal } from '../../journal/open-journal.ts';
import { ResultStore } from '../../results/result-store.ts';
import { createSchemaService } from '../../validation/schema-service.ts';
import { type Clock, systemClock } from '../deps.ts';
import { createSessions } from '../sessions.ts';
import { document, draft, negotiated, newProvider, standard, target } from './scripted.ts';

/** The bytes of one file result on the device, and what the Provider says of them. */
export interface FileAnswer {
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Members of `data` beside `kind`. */
  readonly declared: Readonly<Record<string, unknown>>;
}

/** A file of these bytes, declared as it is unless `over` says otherwise. */
export function fileOf(content: string | Uint8Array, over: Readonly<Record<string, unknown>> = {}): FileAnswer {
  const bytes = Buffer.from(content);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    read: async function* () {
      yield bytes;
    },
    declared: { media_type: 'application/json', size_bytes: bytes.length, sha256, ...over },
  };
}

/** Sessions over a virtual phone behind the embedded adb server, whose Provider answers each execution with a file. */
export async function createFileWorld(
  options: { clock?: Clock; maxFileBytes?: number; asOperation?: boolean; journalFile?: string } = {},
) {
  const closers: (() => Promise<unknown> | unknown)[] = [];
  const state = { answer: fileOf('{"ok":1.0}'), opened: 0, closed: 0 };
  const fd = () => ({
    t: 'fd' as const,
    size: -1,
    read: state.answer.read,
    close: () => {
      state.closed++;
    },
  });
  const call = (entries: Bundle, method: string) => ({ method, extras: entries }) as EncodedCall;
  const garden = gardenPackage(({ method, extras }) => {
    const request = call(extras?.entries ?? [], method);
    const file = { kind: 'file', ...state.answer.declared };
    if (method === 'negotiate') {
      return bundle(
        negotiated({
          capabilities: ['async_operations', 'cancellation', 'large_results'],
          expires_at: '2100-01-01T00:00:00Z',
        }),
      );
    }
    if (method === 'execute_tool' && options.asOperation === true) {
      const data = document(request, { operation_id: 'op-1', poll_after_ms: 200 });
      return bundle(data.map((entry) => (entry.key === 'status' ? { ...entry, t: 'string', v: 'accepted' } : entry)));
    }
    if (method === 'execute_tool' || method === 'get_operation') {
      state.opened++;
      const data = method === 'execute_tool' ? file : { operation_id: 'op-1', state: 'succeeded', result: file };
      return bundle(document(request, data), { objects: { result_fd: fd() } });
    }
    return bundle(standard(request));
  });
  const phone = await startVirtualPhone({ packages: [garden.spec] });
  closers.push(() => phone.close());
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cetp-files-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const journal = openJournal(options.journalFile ?? ':memory:');
  closers.push(() => journal.close());
  const manager = createCompanionManager({ io: phone.io, userId: 0, apk: () => null, foreignLooksMs: [0, 50] });
  closers.push(() => manager.close());
  await manager.discover('cetp');
  const schemas = createSchemaService();
  closers.push(() => schemas.close());
  const clock = options.clock ?? systemClock;
  const store = (at: string) =>
    new ResultStore({
      folder: at,
      settings: () => ({
        maxFileBytes: options.maxFileBytes ?? 2 * 1024 ** 3,
        maxAgeMs: 1e12,
        maxTotalBytes: Number.MAX_SAFE_INTEGER,
      }),
      clock,
      checkFile: schemas.checkFile,
      mask: () => (text) => ({ text, masked: 0 }),
    });
  const results = store(path.join(folder, 'results'));
  const provider: Provider = { ...newProvider(target, 'v2'), authority: GARDEN_AUTHORITY };
  const bridge = createCompanionBridge(manager);
  const sessions = createSessions({
    journal,
    schemas,
    clock,
    uuid: () => randomUUID(),
    access: async () => ({ provider, deviceLabel: 'Phone', bridge }),
    currentUser: () => 0,
    owner: `${process.pid}:files`,
    isAlive: () => false,
    results,
  });
  closers.push(async () => {
    sessions.close();
    await results.close();
  });
  await sessions.catalog(target, false);
  return {
    state,
    phone,
    folder: path.join(folder, 'results'),
    journal,
    results,
    reopened: () => store(path.join(folder, 'results')),
    sessions,
    async run(): Promise<CallRecord> {
      const prepared = await sessions.prepare(draft());
      return sessions.run({ preparedId: prepared.id, confirmed: true, force: true });
    },
    /** Waits for the newest call to look as asked. */
    records: (enough: (newest: CallRecord) => boolean) =>
      newestOf(sessions.watchCalls(target, AbortSignal.timeout(20_000)), enough),
    async close() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}

async function newestOf(stream: AsyncIterable<CallRecord[]>, enough: (newest: CallRecord) => boolean) {
  for await (const [newest] of stream) if (newest !== undefined && enough(newest)) return newest;
  throw new Error('The list ended before.');
}
