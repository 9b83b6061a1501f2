import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRouterClient } from '@orpc/server';
import { type RealAdbServer, startRealAdbServer } from '../../host/adb/testing/real-adb-server.ts';
import { createHost } from '../../host/host.ts';
import {
  ARCHIVE_PACKAGE,
  archiveBlocks,
  archiveBytes,
  RECORD_BYTES,
} from '../../host/simulator/provider-kit/archive.ts';

import type { HostClient } from '../../shared/contract/client.ts';

const FILE_ON_PHONE = '/data/local/tmp/records.json';
const MIB = 1024 * 1024;

/** One pair: MiB a second of a result, from its first byte to its last on the disk, and of `adb exec-out cat` from its start to its end. */
export interface StreamPair {
  readonly ours: number;
  readonly peer: number;
  /** Of this process while a result came, in CPU seconds for each GiB: what a busy machine does not blur. */
  readonly cpu: number;
}

/** Streams the same bytes from the same virtual phone through the same real adb server, in turns. Both write a file. */
export async function measureStreaming(mib: number, runs: number, told: (pair: StreamPair) => void): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cetp-bench-stream-'));
  const records = (mib * MIB) / RECORD_BYTES;
  const server = await startRealAdbServer();
  const phone = fork(path.join(import.meta.dirname, 'stream-device.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const host = await createHost({
    journalFile: path.join(folder, 'journal.sqlite'),
    assetsRoot: null,
    version: 'bench',
    demo: false,
    env: {},
    adb: { host: '127.0.0.1', port: server.port },
  });
  try {
    const serial = await plug(server, phone);
    const source = path.join(folder, 'source');
    const file = openSync(source, 'w');
    for (const block of archiveBlocks(records)) writeSync(file, block);
    closeSync(file);
    await adb(server, ['-s', serial, 'push', source, FILE_ON_PHONE]);
    const client = createRouterClient(host.router, { context: {} });
    const providerKey = `${ARCHIVE_PACKAGE}/${ARCHIVE_PACKAGE}.cetp.ToolProviderService`;
    const target = { deviceKey: `local/${serial}`, userId: null, providerKey };
    await providerSeen(client, target);
    const ours = async (count: number) => {
      const draft = { ...target, tool: 'export_records', argsText: JSON.stringify({ records: count }) };
      const prepared = await client.calls.prepare({ ...draft, timeoutMs: 60_000, requestId: null });
      const before = process.cpuUsage();
      const { outcome, id } = await client.calls.run({ preparedId: prepared.id, confirmed: true, force: true });
      const received = outcome?.kind === 'success' ? outcome.file?.received : null;
      if (received?.state !== 'verified') throw new Error(`not verified: ${JSON.stringify(outcome)}`);
      await client.results.discard({ callId: id });
      const { user, system } = process.cpuUsage(before);
      const size = archiveBytes(count) / MIB;
      return { ours: size / (received.durationMs / 1000), cpu: (user + system) / 1e6 / (size / 1024) };
    };
    const peer = async () => {
      const started = performance.now();
      await adb(server, ['-s', serial, 'exec-out', 'cat', FILE_ON_PHONE], path.join(folder, 'peer'));
      return archiveBytes(records) / MIB / ((performance.now() - started) / 1000);
    };
    // The phone computes the digest that it declares once; and both ways are warm then.
    await ours(records);
    await peer();
    for (let run = 0; run < runs; run++) told({ ...(await ours(records)), peer: await peer() });
  } finally {
    await host.close();
    phone.disconnect();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function plug(server: RealAdbServer, phone: ChildProcess): Promise<string> {
  const [line] = (await once(phone.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const port = Number(line.toString().trim());
  await server.connection.connect('127.0.0.1', port);
  return `127.0.0.1:${port}`;
}

async function providerSeen(
  client: HostClient,
  target: { deviceKey: string; userId: null; providerKey: string },
): Promise<void> {
  for (;;) {
    try {
      await client.catalog.get({ ...target, refresh: false });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function adb(server: RealAdbServer, args: readonly string[], toFile: string | null = null): Promise<void> {
  const out = toFile === null ? 'ignore' : openSync(toFile, 'w');
  const child = spawn('adb', ['-P', String(server.port), ...args], { stdio: ['ignore', out, 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (typeof out === 'number') closeSync(out);
  if (code !== 0) throw new Error(`adb ${args[2]} ended with ${code}`);
}
