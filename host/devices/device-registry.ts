import { formatHostPort, parseHost } from '../../shared/base/host-port.ts';
import type { Result } from '../../shared/base/result.ts';
import type { AdbServerInfo, Device, DeviceSnapshot } from '../../shared/model/device.ts';
import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import { type AdbBinary, findAdb } from '../adb/adb-binary.ts';
import type { DeviceIo } from '../adb/device-io.ts';
import { type AdbServerAddress, type Environment, resolveAdbServerAddress } from '../adb/server-address.ts';
import type { startAdbServer } from '../adb/start-server.ts';
import type { AdbServerConnection } from '../adb/transport.ts';
import { createChanges } from './changes.ts';
import { DeviceStore } from './device-store.ts';
import { recoverLocalServer } from './local-recovery.ts';
import { watchServer } from './server-watcher.ts';
import { createSlots } from './slots.ts';

/** `ready` comes after the first reading of the facts, and again after each return; `gone` when it leaves `device`. */
export type DeviceEvent =
  | { readonly kind: 'ready'; readonly device: Device }
  | { readonly kind: 'gone'; readonly device: Device };

export interface RegistryTiming {
  readonly backoffMs: readonly number[];
  readonly offlineDebounceMs: number;
  /** Of one command that reads facts. */
  readonly factsTimeoutMs: number;
  readonly factsRetryMs: readonly number[];
  /** Between the end of a local server that ran and our starting another. */
  readonly restartGraceMs: number;
}

const TIMING: RegistryTiming = {
  backoffMs: [250, 500, 1_000, 2_000, 5_000],
  offlineDebounceMs: 1_000,
  factsTimeoutMs: 10_000,
  factsRetryMs: [2_000, 5_000, 10_000, 30_000],
  restartGraceMs: 2_000,
};
/** Devices whose facts are read at the same time. */
const FACTS_AT_ONCE = 4;

export interface DeviceRegistryOptions {
  readonly env: Environment;
  readonly connect: (address: AdbServerAddress) => AdbServerConnection;
  /** Whether the local server is watched; default true. */
  readonly watchLocal?: boolean;
  /** `HOST:PORT` of the command line instead of the environment's variables. No server is started there. */
  readonly localAddress?: string | null;
  readonly findAdb?: () => Promise<Result<AdbBinary, Problem>>;
  readonly startServer?: typeof startAdbServer;
  readonly timing?: Partial<RegistryTiming>;
}

/** Every watched adb server and every device on them, live. */
export interface DeviceRegistry {
  snapshot(): DeviceSnapshot;
  /** The picture at once and after each change, until the abort; a slow reader gets the newest only. */
  watch(signal: AbortSignal): AsyncIterable<DeviceSnapshot>;
  /** Waits until each server is up or down and each ready device has told its facts or failed to. */
  settled(signal: AbortSignal): Promise<void>;
  /** Watches one more server; gives its id, `host:port`. Throws `adb-address-invalid`. */
  addServer(host: string, port: number): string;
  /** Watches the embedded demo server; its id is `demo`. */
  addDemoServer(host: string, port: number): string;
  /** Throws `server-unknown`, or `server-fixed` for the local one. */
  removeServer(serverId: string): void;
  /** Each gives the server's own words; throws `server-unknown` and what `AdbServerConnection` throws. */
  connect(serverId: string, host: string, port: number): Promise<string>;
  disconnect(serverId: string, host: string, port: number): Promise<string>;
  pair(serverId: string, host: string, port: number, code: string): Promise<string>;
  /** Throws `device-not-ready` with the state, or `device-unknown`. */
  io(deviceKey: string): DeviceIo;
  /** Reads a device's facts again. */
  refresh(deviceKey: string): void;
  /** Calls the listener for each event from now on; returns the way to stop. */
  onDevice(listener: (event: DeviceEvent) => void): () => void;
  close(): Promise<void>;
}

interface Watched {
  info: AdbServerInfo;
  readonly connection: AdbServerConnection | null;
  readonly store: DeviceStore | null;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

export function createDeviceRegistry(options: DeviceRegistryOptions): DeviceRegistry {
  const timing = { ...TIMING, ...options.timing };
  const servers = new Map<string, Watched>();
  const listeners = new Set<(event: DeviceEvent) => void>();
  const changes = createChanges();
  const slots = createSlots(FACTS_AT_ONCE);
  let cached: DeviceSnapshot | null = null;

  const changed = () => {
    cached = null;
    changes.bump();
  };
  const tell = (event: DeviceEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const snapshot = (): DeviceSnapshot => {
    cached ??= {
      servers: [...servers.values()].map((server) => server.info),
      devices: [...servers.values()].flatMap((server) => server.store?.devices() ?? []),
    };
    return cached;
  };

  const add = (id: string, kind: AdbServerInfo['kind'], address: AdbServerAddress): string => {
    const connection = options.connect(address);
    const stop = new AbortController();
    const store = new DeviceStore({
      ...timing,
      server: { id, kind },
      connection,
      slots,
      onChange: changed,
      onReady: (device) => tell({ kind: 'ready', device }),
      onGone: (device) => tell({ kind: 'gone', device }),
    });
    const { host, port } = address;
    const info: AdbServerInfo = { id, kind, host, port, state: 'connecting', version: null, problem: null };
    const recover = async (failed: Problem, wasUp: boolean, signal: AbortSignal) =>
      // An address that somebody named may be a tunnel to another machine: nothing is started in its place.
      kind !== 'local' || typeof options.localAddress === 'string'
        ? failed
        : recoverLocalServer(
            {
              address,
              connection,
              env: options.env,
              findAdb: options.findAdb ?? (() => findAdb({ env: options.env })),
              ...(options.startServer && { startServer: options.startServer }),
              graceMs: timing.restartGraceMs,
            },
            failed,
            wasUp,
            signal,
          );
    const watched: Watched = {
      info,
      connection,
      store,
      stop,
      ended: watchServer({
        connection,
        backoffMs: timing.backoffMs,
        signal: stop.signal,
        recover,
        onRows: (rows) => store.apply(rows),
        onState: (state) => {
          watched.info = { ...watched.info, ...state };
          changed();
        },
      }),
    };
    servers.set(id, watched);
    changed();
    return id;
  };

  const known = (serverId: string): Watched => {
    const server = servers.get(serverId);
    if (server === undefined) throw new ProblemError(problem('server-unknown', { server: serverId.slice(0, 300) }));
    return server;
  };
  const connectionOf = (serverId: string): AdbServerConnection => {
    const server = known(serverId);
    if (server.connection === null) throw new ProblemError(server.info.problem ?? problem('server-unknown'));
    return server.connection;
  };
  const target = (host: string, port: number): string => {
    const valid = parseHost(host);
    if (valid !== null && Number.isInteger(port) && port >= 1 && port <= 65_535) return valid;
    const value = `${host}:${port}`.slice(0, 300);
    throw new ProblemError(problem('adb-address-invalid', { variable: 'host:port', value }));
  };
  const drop = (serverId: string) => {
    const server = servers.get(serverId);
    if (server === undefined) return Promise.resolve();
    servers.delete(serverId);
    server.stop.abort();
    server.store?.apply(null);
    changed();
    return server.ended;
  };

  if (options.watchLocal ?? true) {
    const address = resolveAdbServerAddress(options.env, options.localAddress ?? null);
    if (address.ok) add('local', 'local', { host: address.value.host, port: address.value.port });
    else {
      servers.set('local', {
        info: { id: 'local', kind: 'local', host: '', port: 0, state: 'down', version: null, problem: address.error },
        connection: null,
        store: null,
        stop: new AbortController(),
        ended: Promise.resolve(),
      });
    }
  }

  return {
    snapshot,
    watch: (signal) => changes.watch(snapshot, signal),
    async settled(signal) {
      const isSettled = () =>
        [...servers.values()].every(({ info, store }) => info.state !== 'connecting' && (store?.settled ?? true));
      for await (const settled of changes.watch(isSettled, signal)) if (settled) return;
    },
    addServer(host, port) {
      const valid = target(host, port);
      const same = [...servers.values()].find(({ info }) => info.host === valid && info.port === port);
      return same?.info.id ?? add(formatHostPort(valid, port), 'remote', { host: valid, port });
    },
    addDemoServer(host, port) {
      const demo = servers.get('demo');
      if (demo?.info.host === host && demo.info.port === port) return 'demo';
      void drop('demo');
      return add('demo', 'demo', { host, port });
    },
    removeServer(serverId) {
      if (known(serverId).info.kind === 'local') throw new ProblemError(problem('server-fixed', { server: serverId }));
      void drop(serverId);
    },
    connect: async (serverId, host, port) => connectionOf(serverId).connect(target(host, port), port),
    disconnect: async (serverId, host, port) => connectionOf(serverId).disconnect(target(host, port), port),
    pair: async (serverId, host, port, code) => connectionOf(serverId).pair(target(host, port), port, code),
    io(deviceKey) {
      for (const { store } of servers.values()) {
        const io = store?.io(deviceKey);
        if (io) return io;
        const device = store?.device(deviceKey);
        if (!device) continue;
        throw new ProblemError(
          problem('device-not-ready', { serial: device.serial, state: device.state }, device.stateText),
        );
      }
      throw new ProblemError(problem('device-unknown', { device: deviceKey.slice(0, 300) }));
    },
    refresh(deviceKey) {
      for (const { store } of servers.values()) store?.refresh(deviceKey);
    },
    onDevice(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await Promise.all([...servers.keys()].map(drop));
      changes.close();
    },
  };
}
