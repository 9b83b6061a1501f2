import type { AcquireOutcome, InstalledPackage, ManifestProvider } from '../virtual-device.ts';
import type { PackageStore } from './package-store.ts';
import type { Processes } from './processes.ts';
import { seesPackage } from './visibility.ts';

export const ROOT_UID = 0;
export const SYSTEM_UID = 1000;
export const SHELL_UID = 2000;

export interface AcquireRules {
  readonly sdk: number;
  readonly store: PackageStore;
  readonly processes: Processes;
  /** Packages that a vendor's autostart manager keeps down. */
  readonly unstartable: ReadonlySet<string>;
}

/** Who may open a Provider: AOSP `checkContentProviderPermission` and the package visibility filter (android-facts 2, 4.4). */
export function acquireProvider(rules: AcquireRules, callerUid: number, authority: string): AcquireOutcome {
  const found = find(rules.store, authority);
  if (!found) return { kind: 'unknown-authority', resolved: false };
  const { item, provider } = found;
  const caller = rules.store.list().filter((other) => other.uid === callerUid);
  const isPlatform = callerUid === ROOT_UID || callerUid === SYSTEM_UID || callerUid === SHELL_UID;
  if (!isPlatform && !seesPackage(rules.sdk, caller, item)) return { kind: 'unknown-authority', resolved: false };
  if (!mayOpen(rules.store, callerUid, item, provider)) {
    return { kind: 'security', message: denial(rules, callerUid, caller[0], item, provider) };
  }
  const app = item.spec.apps[authority];
  if (!app || rules.unstartable.has(item.spec.package)) return { kind: 'unknown-authority', resolved: true };
  return { kind: 'ok', app: rules.processes.guard(item.spec, item.uid, app), package: item.spec.package };
}

function find(store: PackageStore, authority: string): { item: InstalledPackage; provider: ManifestProvider } | null {
  for (const item of store.list()) {
    if (!item.enabled) continue;
    const provider = item.spec.providers.find((entry) => entry.enabled && entry.authorities.includes(authority));
    if (provider) return { item, provider };
  }
  return null;
}

/** The shell is not special: only root, system and the app itself pass an unexported or protected Provider. */
function mayOpen(store: PackageStore, uid: number, item: InstalledPackage, provider: ManifestProvider): boolean {
  if (uid === ROOT_UID || uid === SYSTEM_UID || uid === item.uid) return true;
  if (!provider.exported) return false;
  const { readPermission, writePermission } = provider;
  const holds = (permission: string | null): boolean => permission === null || store.holds(uid, permission);
  return holds(readPermission) || holds(writePermission);
}

function denial(
  rules: AcquireRules,
  uid: number,
  caller: InstalledPackage | undefined,
  item: InstalledPackage,
  provider: ManifestProvider,
): string {
  const pid = caller ? (rules.processes.pidOf(caller.spec.package) ?? 0) : 4_711;
  const from = caller ? `ProcessRecord{5f0c9d1 ${pid}:${caller.spec.package}/u0a${uid - 10_000}}` : '(null)';
  const reason = provider.exported
    ? ` requires ${provider.readPermission} or ${provider.writePermission}`
    : ` that is not exported from UID ${item.uid}`;
  return `Permission Denial: opening provider ${provider.name} from ${from} (pid=${pid}, uid=${uid})${reason}`;
}
