import { createHash } from 'node:crypto';
import type { InstalledPackage, PackageEvent, PackageSpec } from '../virtual-device.ts';

/** Why `pm install` refuses: the text inside `Failure […]`. */
export type InstallFailure = string;

interface Definition {
  readonly package: string;
  readonly signer: string;
}

const FIRST_APP_UID = 10_100;

/**
 * Installed packages, UIDs and permission grants by the rules of the platform:
 * a normal permission is granted when its requester is installed or replaced,
 * never later (android-facts 4.3).
 */
export class PackageStore {
  private readonly installed = new Map<string, InstalledPackage>();
  private readonly definitions = new Map<string, Definition>();
  private readonly sharedUids = new Map<string, number>();
  private readonly listeners = new Set<(event: PackageEvent) => void>();
  private readonly sdk: number;
  private nextUid = FIRST_APP_UID;
  private installs = 0;

  constructor(sdk: number) {
    this.sdk = sdk;
  }

  list(): readonly InstalledPackage[] {
    return [...this.installed.values()].sort((a, b) => (a.spec.package < b.spec.package ? -1 : 1));
  }

  get(name: string): InstalledPackage | null {
    return this.installed.get(name) ?? null;
  }

  /** Platform permissions are always defined. */
  isDefined(permission: string): boolean {
    return permission.startsWith('android.permission.') || this.definitions.has(permission);
  }

  holds(uid: number, permission: string): boolean {
    return this.list().some((item) => item.uid === uid && item.grantedPermissions.has(permission));
  }

  refusal(spec: PackageSpec): InstallFailure | null {
    const current = this.installed.get(spec.package);
    if (current && current.spec.signer !== spec.signer) {
      return `INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package ${spec.package} signatures do not match previously installed version; ignoring!`;
    }
    if (current && current.spec.versionCode > spec.versionCode) {
      return `INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code ${spec.versionCode} is older than current ${current.spec.versionCode}`;
    }
    for (const permission of spec.definesPermissions) {
      const owner = this.definitions.get(permission);
      if (owner && owner.package !== spec.package && owner.signer !== spec.signer) {
        return `INSTALL_FAILED_DUPLICATE_PERMISSION: Package ${spec.package} attempting to redeclare permission ${permission} already owned by ${owner.package}`;
      }
    }
    return this.authorityConflict(spec) ?? this.sharedUserConflict(spec);
  }

  /** Installs or replaces; the caller has asked `refusal` before. */
  put(spec: PackageSpec): PackageEvent {
    const current = this.installed.get(spec.package);
    if (current) this.withdraw(current.spec, spec);
    for (const permission of spec.definesPermissions) {
      if (!this.definitions.has(permission)) {
        this.definitions.set(permission, { package: spec.package, signer: spec.signer });
      }
    }
    this.installs++;
    this.installed.set(spec.package, {
      spec,
      uid: current?.uid ?? this.assignUid(spec),
      codePath: this.codePath(spec.package),
      enabled: current?.enabled ?? true,
      grantedPermissions: new Set(spec.usesPermissions.filter((permission) => this.isDefined(permission))),
    });
    return { action: current ? 'replaced' : 'added', package: spec.package };
  }

  remove(name: string): PackageEvent | null {
    const current = this.installed.get(name);
    if (!current) return null;
    this.installed.delete(name);
    this.withdraw(current.spec, null);
    return { action: 'removed', package: name };
  }

  setEnabled(name: string, enabled: boolean): void {
    const current = this.installed.get(name);
    if (current) this.installed.set(name, { ...current, enabled });
  }

  announce(event: PackageEvent): void {
    for (const listener of [...this.listeners]) listener(event);
  }

  onEvent(listener: (event: PackageEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Takes away what `old` defined and `next` no longer does, with everyone's grant of it. */
  private withdraw(old: PackageSpec, next: PackageSpec | null): void {
    const gone = old.definesPermissions.filter(
      (permission) =>
        this.definitions.get(permission)?.package === old.package && !next?.definesPermissions.includes(permission),
    );
    for (const permission of gone) this.definitions.delete(permission);
    for (const item of this.installed.values()) {
      if (!gone.some((permission) => item.grantedPermissions.has(permission))) continue;
      const left = [...item.grantedPermissions].filter((permission) => !gone.includes(permission));
      this.installed.set(item.spec.package, { ...item, grantedPermissions: new Set(left) });
    }
  }

  private authorityConflict(spec: PackageSpec): InstallFailure | null {
    const wanted = new Set(spec.providers.flatMap((provider) => provider.authorities));
    for (const item of this.installed.values()) {
      if (item.spec.package === spec.package) continue;
      const taken = item.spec.providers.flatMap((provider) => provider.authorities).find((name) => wanted.has(name));
      if (taken !== undefined) {
        return `INSTALL_FAILED_CONFLICTING_PROVIDER: Can't install because provider name ${taken} (in package ${spec.package}) is already used by ${item.spec.package}`;
      }
    }
    return null;
  }

  private sharedUserConflict(spec: PackageSpec): InstallFailure | null {
    if (spec.sharedUserId === null) return null;
    const other = this.list().find((item) => item.spec.sharedUserId === spec.sharedUserId);
    if (!other || other.spec.signer === spec.signer) return null;
    return `INSTALL_FAILED_SHARED_USER_INCOMPATIBLE: Package ${spec.package} has no signatures that match those in shared user ${spec.sharedUserId}; ignoring!`;
  }

  private assignUid(spec: PackageSpec): number {
    if (spec.sharedUserId === null) return this.nextUid++;
    const shared = this.sharedUids.get(spec.sharedUserId) ?? this.nextUid++;
    this.sharedUids.set(spec.sharedUserId, shared);
    return shared;
  }

  /** Android 11 added a random parent directory; each install moves. */
  private codePath(name: string): string {
    const part = (salt: string): string =>
      createHash('md5').update(`${salt}:${name}:${this.installs}`).digest('base64url');
    const own = `${name}-${part('own')}==`;
    return this.sdk >= 30 ? `/data/app/~~${part('parent')}==/${own}` : `/data/app/${own}`;
  }
}
