import type { AdbServerInfo, Device, DeviceState } from '../../shared/model/device.ts';
import type { Problem } from '../../shared/model/problem.ts';
import type { DeviceIo } from '../adb/device-io.ts';
import { createDeviceIo } from '../adb/device-io-adb.ts';
import type { AdbDeviceRow, AdbServerConnection } from '../adb/transport.ts';
import { type DeviceFacts, readDeviceFacts } from './device-facts.ts';
import { toDeviceState, toTransport } from './device-state.ts';
import type { Slots } from './slots.ts';

export interface StoreOptions {
  readonly server: { readonly id: string; readonly kind: AdbServerInfo['kind'] };
  readonly connection: AdbServerConnection;
  /** How long a device that just appeared may be `offline` before it is shown so, in ms. */
  readonly offlineDebounceMs: number;
  readonly factsTimeoutMs: number;
  /** Pauses before facts are read again after a failure, in ms; the last one repeats. */
  readonly factsRetryMs: readonly number[];
  readonly slots: Slots;
  readonly onChange: () => void;
  /** The facts were read, or could not be. */
  readonly onReady: (device: Device) => void;
  readonly onGone: (device: Device) => void;
}

interface Entry {
  readonly key: string;
  row: AdbDeviceRow;
  state: DeviceState;
  hiddenTimer: NodeJS.Timeout | null;
  facts: DeviceFacts;
  problem: Problem | null;
  /** While the device is `device`. */
  online: { readonly io: DeviceIo; readonly stop: AbortController; announced: boolean } | null;
}

const NO_FACTS: DeviceFacts = {
  manufacturer: null,
  model: null,
  androidRelease: null,
  sdk: null,
  hardwareSerial: null,
  users: [],
};
/** Facts of devices that are away now. */
const REMEMBERED = 200;

/** The devices of one server, with what each told about itself. */
export class DeviceStore {
  readonly #options: StoreOptions;
  readonly #remembered = new Map<string, { readonly facts: DeviceFacts; readonly transportId: string | null }>();
  #entries = new Map<string, Entry>();

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** Takes the server's list; null means that nothing is known any more. */
  apply(rows: readonly AdbDeviceRow[] | null): void {
    const before = this.#entries;
    this.#entries = new Map();
    for (const row of rows ?? []) {
      const key = this.#freeKey(row.serial);
      const known = before.get(key);
      before.delete(key);
      const entry = known ?? this.#newEntry(key, row);
      this.#entries.set(key, entry);
      this.#update(entry, row, known === undefined);
    }
    for (const entry of before.values()) this.#leave(entry);
    this.#options.onChange();
  }

  devices(): readonly Device[] {
    return [...this.#entries.values()].filter((entry) => entry.hiddenTimer === null).map((entry) => this.#shown(entry));
  }

  io(key: string): DeviceIo | null {
    return this.#entries.get(key)?.online?.io ?? null;
  }

  device(key: string): Device | null {
    const entry = this.#entries.get(key);
    return entry === undefined ? null : this.#shown(entry);
  }

  /** Whether each device is either shown with its facts (or why there are none), or not ready. */
  get settled(): boolean {
    return [...this.#entries.values()].every(
      (entry) => entry.hiddenTimer === null && (entry.online === null || entry.online.announced),
    );
  }

  /** Reads the facts again, such as after a change of user. */
  refresh(key: string): void {
    const entry = this.#entries.get(key);
    if (entry?.online) void this.#readFacts(entry, entry.online, 0);
  }

  /** Two devices may show one serial (`????????????`); each row stays visible. */
  #freeKey(serial: string): string {
    const key = `${this.#options.server.id}/${serial}`;
    let free = key;
    for (let n = 2; this.#entries.has(free); n++) free = `${key}#${n}`;
    return free;
  }

  #newEntry(key: string, row: AdbDeviceRow): Entry {
    const remembered = this.#remembered.get(key);
    this.#remembered.delete(key);
    const transport = toTransport(row, this.#options.server.kind);
    // An address may belong to another phone now; a serial number may not.
    const sameDevice =
      transport !== 'tcp' || (remembered?.transportId ?? '') === (row.properties['transport_id'] ?? null);
    return {
      key,
      row,
      state: toDeviceState(row.stateText),
      hiddenTimer: null,
      facts: sameDevice ? (remembered?.facts ?? NO_FACTS) : NO_FACTS,
      problem: null,
      online: null,
    };
  }

  #update(entry: Entry, row: AdbDeviceRow, isNew: boolean): void {
    const transportChanged = row.properties['transport_id'] !== entry.row.properties['transport_id'];
    // The same address with another transport may be another phone.
    if (transportChanged && toTransport(row, this.#options.server.kind) === 'tcp') entry.facts = NO_FACTS;
    entry.row = row;
    entry.state = toDeviceState(row.stateText);
    if (isNew && entry.state === 'offline') {
      entry.hiddenTimer = setTimeout(() => {
        entry.hiddenTimer = null;
        this.#options.onChange();
      }, this.#options.offlineDebounceMs);
    } else if (entry.state !== 'offline') this.#reveal(entry);
    if (entry.online !== null && (entry.state !== 'device' || transportChanged)) this.#goOffline(entry);
    if (entry.online === null && entry.state === 'device') this.#goOnline(entry);
  }

  #reveal(entry: Entry): void {
    if (entry.hiddenTimer !== null) clearTimeout(entry.hiddenTimer);
    entry.hiddenTimer = null;
  }

  #goOnline(entry: Entry): void {
    const io = createDeviceIo({
      connection: this.#options.connection,
      serial: entry.row.serial,
      deviceKey: entry.key,
      get sdk() {
        return entry.facts.sdk;
      },
    });
    entry.online = { io, stop: new AbortController(), announced: false };
    void this.#readFacts(entry, entry.online, 0);
  }

  async #readFacts(entry: Entry, online: NonNullable<Entry['online']>, attempt: number): Promise<void> {
    const { signal } = online.stop;
    const { slots, factsTimeoutMs, factsRetryMs } = this.#options;
    const reading = await slots.run(() => readDeviceFacts(online.io, factsTimeoutMs, signal));
    if (signal.aborted || entry.online !== online) return;
    entry.facts = { ...entry.facts, ...reading.properties, users: reading.users ?? entry.facts.users };
    entry.problem = reading.problem;
    if (reading.problem !== null) {
      const pause = factsRetryMs[Math.min(attempt, factsRetryMs.length - 1)] ?? 30_000;
      const timer = setTimeout(() => void this.#readFacts(entry, online, attempt + 1), pause);
      timer.unref();
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    }
    const first = !online.announced;
    online.announced = true;
    this.#options.onChange();
    if (first) this.#options.onReady(this.#shown(entry));
  }

  #goOffline(entry: Entry): void {
    const online = entry.online;
    entry.online = null;
    entry.problem = null;
    if (online === null) return;
    online.stop.abort();
    if (online.announced) this.#options.onGone(this.#shown(entry));
  }

  #leave(entry: Entry): void {
    this.#reveal(entry);
    this.#goOffline(entry);
    if (entry.facts === NO_FACTS) return;
    const transportId = entry.row.properties['transport_id'] ?? null;
    this.#remembered.set(entry.key, { facts: entry.facts, transportId });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }

  #shown(entry: Entry): Device {
    const { server } = this.#options;
    return {
      key: entry.key,
      serverId: server.id,
      serial: entry.row.serial,
      transportId: entry.row.properties['transport_id'] ?? null,
      state: entry.state,
      stateText: entry.row.stateText,
      transport: toTransport(entry.row, server.kind),
      ...entry.facts,
      // Before it may be asked, the server knows a device's model in its own spelling.
      model: entry.facts.model ?? entry.row.properties['model']?.replaceAll('_', ' ') ?? null,
      users: [...entry.facts.users],
      problem: entry.problem,
    };
  }
}
