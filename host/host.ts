import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { formatHostPort, parseHostPort } from '../shared/base/host-port.ts';
import type { DemoPrompt } from '../shared/model/demo.ts';
import { ProblemError, problem } from '../shared/model/problem.ts';
import { secretScope } from '../shared/redaction/secret-registry.ts';
import { findAdb } from './adb/adb-binary.ts';
import { createAdbkitTransport } from './adb/adbkit-transport.ts';
import type { AdbServerAddress } from './adb/server-address.ts';
import { LatestValue } from './base/latest-value.ts';
import { Collections } from './collections/collections.ts';
import { createDeviceRegistry } from './devices/device-registry.ts';
import { runDoctor } from './devices/doctor.ts';
import { createRouter, type HostRouter } from './handlers/router.ts';
import type { HostServices } from './handlers/services.ts';
import { Hub } from './hub/hub.ts';
import { openJournal } from './journal/open-journal.ts';
import { isAlive, newOwner } from './journal/owner.ts';
import { maskPart } from './results/mask-part.ts';
import { resultSettings } from './results/result-settings.ts';
import { ResultStore } from './results/result-store.ts';
import { resultsFolderOf } from './server/result-download.ts';
import { systemClock } from './sessions/deps.ts';
import { createSessions } from './sessions/sessions.ts';
import { createDemoDevices } from './simulator/demo/demo-devices.ts';
import { DemoScreen } from './simulator/demo/demo-screen.ts';
import { type DemoServer, startDemoServer } from './simulator/demo/demo-server.ts';
import { createSchemaService } from './validation/schema-service.ts';

export interface HostOptions {
  /** The journal's file, or `:memory:`. */
  readonly journalFile: string;
  /** Folder with `companion.apk`; null where there is none. */
  readonly assetsRoot: string | null;
  readonly version: string;
  /** Starts the embedded demo server at once. */
  readonly demo: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** The local adb server, instead of the environment's. */
  readonly adb?: AdbServerAddress;
  /** Whether a local adb server is watched at all; default true. */
  readonly watchLocal?: boolean;
  /** Whether operations that an earlier run left without an end are asked for again; default true. */
  readonly pickUp?: boolean;
}

export interface Host {
  readonly router: HostRouter;
  /** Where files of results are kept; the server of the shell hands them out by call id. */
  readonly resultsFolder: string;
  /** The demo server, once it runs; tests change its devices. */
  demo(): DemoServer | null;
  startDemo(): Promise<unknown>;
  /** Ends calls under way and everything that runs; a second call waits for the first. */
  close(): Promise<void>;
}

/** Settings key with the further adb servers, as a JSON array of `host:port`. */
const SERVERS_SETTING = 'adb.servers';

/** How long servers may take to name their devices before a saved call looks for its own, in ms. */
const DEVICES_LIMIT_MS = 15_000;

/** The one composition root: everything of the engine is made here. */
export async function createHost(options: HostOptions): Promise<Host> {
  const journal = openJournal(options.journalFile);
  const owner = newOwner();
  const registry = createDeviceRegistry({
    env: options.env,
    connect: createAdbkitTransport,
    watchLocal: options.watchLocal ?? true,
    localAddress: options.adb === undefined ? null : formatHostPort(options.adb.host, options.adb.port),
  });
  const apkFile = options.assetsRoot === null ? null : path.join(options.assetsRoot, 'companion.apk');
  const schemas = createSchemaService();
  const isInMemory = options.journalFile === ':memory:';
  const resultsFolder = isInMemory
    ? path.join(os.tmpdir(), `cetp-results-${randomUUID()}`)
    : resultsFolderOf(options.journalFile);
  const results = new ResultStore({
    folder: resultsFolder,
    settings: () => resultSettings((key) => journal.getSetting(key)),
    clock: systemClock,
    checkFile: (input) => schemas.checkFile(input),
    mask: (deviceKey, providerKey) => maskPart(journal.secrets, secretScope(deviceKey, providerKey)),
  });
  // What cannot be deleted now is tried again after the next result.
  void results.prune().catch(() => {});
  const hub: Hub = new Hub({
    registry,
    apk: () => (apkFile !== null && existsSync(apkFile) ? readFile(apkFile) : null),
    onGone: (device) => sessions.deviceGone(device.key, problem('device-gone', { serial: device.serial })),
    onProviderGone: (target, change) =>
      sessions.providerGone(target, problem(`provider-${change}`, { provider: target.providerKey })),
  });
  const sessions = createSessions({
    journal,
    schemas,
    clock: systemClock,
    uuid: randomUUID,
    access: (target) => hub.access(target),
    owner: owner.name,
    isAlive,
    currentUser: (deviceKey) => hub.currentUser(deviceKey),
    results,
  });
  registry.onDevice(({ kind, device }) => {
    if (kind === 'ready') sessions.deviceReady(device.key);
  });
  if (options.pickUp ?? true) sessions.pickUpOperations();

  const collections = new Collections({
    settings: journal,
    secrets: journal.secrets,
    sessions,
    schemas,
    clock: systemClock,
    uuid: randomUUID,
    devices: async () => {
      await registry.settled(AbortSignal.timeout(DEVICES_LIMIT_MS));
      return registry.snapshot().devices;
    },
    discover: (deviceKey, userId) => hub.discover(deviceKey, userId),
    negotiate: (target) => sessions.negotiate(target),
  });

  const screen = new DemoScreen();
  const prompts = new LatestValue<DemoPrompt[]>([]);
  screen.subscribe((open) => prompts.set([...open]));
  let demo: Promise<DemoServer> | null = null;
  let demoServer: DemoServer | null = null;
  const startDemo = async () => {
    if (closing !== null) throw new ProblemError(problem('host-closed'));
    demo ??= startDemoServer(createDemoDevices(screen));
    try {
      demoServer = await demo;
    } catch (error) {
      // The next wish for a demo tries anew.
      demo = null;
      throw error;
    }
    // Again where it was removed from the list meanwhile; else this changes nothing.
    if (closing === null) registry.addDemoServer(demoServer.host, demoServer.port);
    return { serverId: 'demo' };
  };

  let closing: Promise<void> | null = null;
  const close = async () => {
    collections.shutDown();
    sessions.close();
    // Readings end with their records, while the journal is open.
    await results.close();
    hub.close();
    await registry.close();
    await schemas.close();
    screen.close();
    // One that is still starting, too.
    await (await demo?.catch(() => null))?.close();
    journal.close();
    owner.giveUp();
    if (isInMemory) await rm(resultsFolder, { recursive: true, force: true });
  };

  const rememberedServers = (): string[] => readServers(journal.getSetting(SERVERS_SETTING));
  for (const address of rememberedServers()) addRemembered(address, registry.addServer);

  const services: HostServices = {
    journal,
    results,
    info: () => ({
      version: options.version,
      platform: process.platform,
      journalFile: journal.file,
      hasCompanionApk: apkFile !== null && existsSync(apkFile),
      demoRunning: demoServer !== null,
    }),
    startDemo,
    demo: {
      screen: (signal) => prompts.watch(signal),
      answer: (promptId, decision) => {
        if (!screen.answer(promptId, decision)) throw new ProblemError(problem('demo-prompt-gone'));
      },
    },
    devices: {
      watch: (signal) => registry.watch(signal),
      addServer: async (host, port) => {
        const id = registry.addServer(host, port);
        journal.putSetting(SERVERS_SETTING, JSON.stringify([...new Set([...rememberedServers(), id])]));
        return id;
      },
      removeServer: async (serverId) => {
        registry.removeServer(serverId);
        journal.putSetting(SERVERS_SETTING, JSON.stringify(rememberedServers().filter((id) => id !== serverId)));
      },
      connect: registry.connect,
      disconnect: registry.disconnect,
      pair: registry.pair,
      doctor: (deviceKey, signal) =>
        runDoctor(
          {
            settled: registry.settled,
            snapshot: registry.snapshot,
            findAdb: () => findAdb({ env: options.env }),
            companionStatus: (key, userId) => hub.companionStatus(key, userId),
            clock: (deviceKey, userId) => hub.measureClock({ deviceKey, userId }),
            discover: (key, userId) => hub.discover(key, userId),
            signal,
          },
          deviceKey,
        ),
    },
    companion: {
      watch: (target, signal) => hub.watchCompanion(target, signal),
      install: (target) => hub.installCompanion(target),
      uninstall: (target) => hub.uninstallCompanion(target),
      connect: (target) => hub.takeCompanion(target),
    },
    providers: {
      watch: (target, signal) => hub.watchProviders(target, signal),
      refresh: (target) => hub.refresh(target),
    },
    sessions,
    collections,
  };
  if (options.demo) await startDemo();
  return {
    router: createRouter(services),
    resultsFolder,
    demo: () => demoServer,
    startDemo,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** A setting may be of another version, or damaged: what is no list of texts counts as none. */
function readServers(text: string | null): string[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

/** An address that is none must not keep the whole app from starting. */
function addRemembered(address: string, add: (host: string, port: number) => string): void {
  const parsed = parseHostPort(address);
  if (parsed === null) return;
  try {
    add(parsed.host, parsed.port);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
  }
}
