import type { DeviceIo } from '../adb/device-io.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { createCompanionBridge } from '../bridge/companion/companion-bridge.ts';
import { type CompanionManager, createCompanionManager } from '../bridge/companion/companion-manager.ts';
import { createShellBridge } from '../bridge/shell/content-call.ts';
import { createProviderWatcher, type ProviderWatcher } from '../discovery/provider-watcher.ts';

export interface RuntimeOptions {
  readonly io: DeviceIo;
  readonly apk: () => Promise<Uint8Array | null> | null;
}

/** One plugged-in device: its watcher of Providers, and for each user the companion and the bridges. */
export class DeviceRuntime {
  readonly io: DeviceIo;
  readonly watcher: ProviderWatcher;
  /** Aborts when the device goes away. */
  readonly gone = new AbortController();
  readonly #apk: RuntimeOptions['apk'];
  readonly #companions = new Map<number, CompanionManager>();
  readonly #bridges = new Map<string, Bridge>();

  constructor({ io, apk }: RuntimeOptions) {
    this.io = io;
    this.#apk = apk;
    this.watcher = createProviderWatcher({ io, companion: (userId) => this.companion(userId) });
  }

  companion(userId: number): CompanionManager {
    let manager = this.#companions.get(userId);
    if (manager === undefined) {
      manager = createCompanionManager({ io: this.io, userId, apk: this.#apk });
      this.#companions.set(userId, manager);
    }
    return manager;
  }

  /**
   * Connects the companion where it is installed; never installs it. What went
   * wrong stands in its status: discovery goes on without it.
   */
  async connectCompanion(userId: number): Promise<void> {
    const manager = this.companion(userId);
    try {
      const status = await manager.probe();
      if (status.state !== 'not-installed') await manager.ensure();
    } catch {
      // Told by `status()`.
    }
  }

  bridge(kind: Bridge['kind'], userId: number): Bridge {
    const key = `${kind} ${userId}`;
    let bridge = this.#bridges.get(key);
    if (bridge === undefined) {
      bridge =
        kind === 'companion'
          ? createCompanionBridge(this.companion(userId))
          : createShellBridge(this.io, this.io.sdk, userId);
      this.#bridges.set(key, bridge);
    }
    return bridge;
  }

  close(): void {
    this.gone.abort();
    for (const manager of this.#companions.values()) manager.close();
  }
}
