import { stringOf } from '../../shared/model/bundle.ts';
import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import type { Candidate } from '../../shared/model/provider.ts';
import {
  ACCESS_PERMISSION,
  META_AUTHORITY,
  TOOL_PROVIDER_ACTION,
} from '../../shared/protocols/cetp/discovery/names.ts';
import type { DeviceIo } from '../adb/device-io.ts';
import type { ContentProviderFacts, ServiceFacts } from './apk/manifest.ts';
import type { ApkFacts } from './apk/read-apk.ts';
import { type ApkCache, createApkCache } from './apk-cache.ts';
import { basePath, dumpAuthorities, dumpPackage, permissionOwner, queryServices } from './device-queries.ts';
import type { AuthorityOwner, PackageDump, PackageUserState } from './dumpsys-package.ts';
import { mapLimit, memo } from './map-limit.ts';
import type { ServiceEntry } from './query-services.ts';

export interface Unreadable {
  /** Package name, or empty where it is not about one package. */
  readonly package: string;
  readonly problem: Problem;
}

export interface ShellDiscovery {
  readonly candidates: readonly Candidate[];
  readonly unreadable: readonly Unreadable[];
  /** Which package defines a permission; null: none does; absent: it could not be told. */
  readonly permissionOwners: ReadonlyMap<string, string | null>;
}

export interface ShellDiscoveryOptions {
  /** Keeps the facts of APKs between looks. */
  readonly cache?: ApkCache;
  /** Services known from elsewhere, as `<package>/<class>`: not read. */
  readonly skip?: ReadonlySet<string>;
}

const MAX_SPLITS = 16;
const AT_ONCE = 4;
const PER_USER_RANGE = 100_000;

/**
 * Discovery without the companion: the package manager's list of Services, and
 * the rest of the facts from each base.apk by ranges. A fact that this way
 * cannot tell is named in `Candidate.unknown`. One broken package costs only
 * itself; that nothing can be listed at all is a `ProblemError`.
 */
export async function discoverByShell(
  io: DeviceIo,
  userId: number | null,
  signal: AbortSignal,
  options: ShellDiscoveryOptions = {},
): Promise<ShellDiscovery> {
  const { cache = createApkCache(), skip = new Set() } = options;
  const listing = await queryServices(io, userId, signal);
  const look: Look = {
    io,
    userId,
    signal,
    cache,
    authorities: memo(() => dumpAuthorities(io, signal)),
    dumps: memo((packageName: string) => dumpPackage(io, packageName, signal)),
  };
  const unreadable: Unreadable[] = listing.problem === null ? [] : [{ package: '', problem: listing.problem }];
  const wanted = listing.services.filter((service) => !skip.has(`${service.package}/${service.name}`));
  const found = await mapLimit(wanted, AT_ONCE, async (service): Promise<Candidate | Unreadable> => {
    try {
      return await readCandidate(look, service);
    } catch (error) {
      signal.throwIfAborted();
      return { package: service.package, problem: toProblem(error) };
    }
  });
  const candidates: Candidate[] = [];
  for (const item of found) {
    if ('problem' in item) unreadable.push(item);
    else candidates.push(item);
  }
  return { candidates, unreadable, permissionOwners: await readPermissionOwners(look, candidates) };
}

/** Who defines the permissions that these candidates name. One that cannot be told is left out. */
export async function findPermissionOwners(
  io: DeviceIo,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string | null>> {
  return readPermissionOwners({ io, signal }, candidates);
}

interface Look {
  readonly io: DeviceIo;
  readonly userId: number | null;
  readonly signal: AbortSignal;
  readonly cache: ApkCache;
  readonly authorities: (all: 'all') => Promise<ReadonlyMap<string, AuthorityOwner>>;
  readonly dumps: (packageName: string) => Promise<PackageDump>;
}

async function readPermissionOwners(
  { io, signal }: Pick<Look, 'io' | 'signal'>,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<string, string | null>> {
  const owners = new Map<string, string | null>();
  if (candidates.length === 0) return owners;
  const names = candidates.flatMap(({ provider }) => [provider?.readPermission, provider?.writePermission]);
  const wanted = [...new Set([ACCESS_PERMISSION, ...names.filter((name) => typeof name === 'string')])];
  await mapLimit(wanted.slice(0, 50), AT_ONCE, async (name) => {
    try {
      owners.set(name, await permissionOwner(io, name, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProblemError)) throw error;
    }
  });
  return owners;
}

interface Declared {
  readonly service: ServiceFacts;
  readonly providers: readonly ContentProviderFacts[];
  readonly apk: ApkFacts;
}

async function readCandidate(look: Look, entry: ServiceEntry): Promise<Candidate> {
  if (entry.sourceDir === null) {
    throw new ProblemError(problem('apk-path-unknown', { package: entry.package }, entry.raw.slice(0, 4000)));
  }
  const unknown = new Set<string>();
  const { service, providers, apk } = await findDeclaration(look, entry, entry.sourceDir);
  const { manifest, signing } = apk;
  const dump = await dumpOrNull(look, entry.package, unknown);
  const user = dump?.users.get(userOf(look, entry)) ?? null;
  if (signing === null) unknown.add('signingCertSha256').add('pastSigningCertSha256');
  if (manifest.labelHasLocales) unknown.add('label.locale');
  if (manifest.unresolved.length > 0 && manifest.label === null) unknown.add('label');
  const authority = stringOf([...service.metaData], META_AUTHORITY);
  const provider =
    authority === undefined ? null : await findProvider(look, entry, authority, providers, user, unknown);
  return {
    package: entry.package,
    label: manifest.label,
    versionName: manifest.versionName ?? dump?.versionName ?? null,
    versionCode: entry.versionCode ?? manifest.versionCode,
    uid: entry.uid,
    sharedUserId: dump === null ? manifest.sharedUserId : dump.sharedUserId,
    signingCertSha256: [...(signing?.current ?? [])],
    pastSigningCertSha256: [...(signing?.past ?? [])],
    component: {
      name: entry.name,
      exported: entry.exported ?? service.exported,
      enabled: isEnabled(entry.name, (entry.enabled ?? service.enabled) && entry.applicationEnabled !== false, user),
      permission: entry.permission ?? (entry.exported === null ? service.permission : null),
      processName: entry.processName ?? service.processName,
    },
    metaData: [...service.metaData],
    provider,
    definesPermissions: [...manifest.definesPermissions],
    visibleByQueries: manifest.exportedActions.has(TOOL_PROVIDER_ACTION),
    unknown: [...unknown],
  };
}

async function dumpOrNull(look: Look, packageName: string, unknown: Set<string>): Promise<PackageDump | null> {
  try {
    return await look.dumps(packageName);
  } catch (error) {
    look.signal.throwIfAborted();
    if (!(error instanceof ProblemError)) throw error;
    unknown.add('componentState');
    return null;
  }
}

function userOf(look: Look, entry: ServiceEntry): number {
  return look.userId ?? Math.floor((entry.uid ?? 0) / PER_USER_RANGE);
}

/** What was set at run time rules over the manifest. */
function isEnabled(name: string, byManifest: boolean, user: PackageUserState | null): boolean {
  if (user === null) return byManifest;
  if (user.enabled === 2 || user.enabled === 3) return false;
  if (user.disabledComponents.has(name)) return false;
  return user.enabledComponents.has(name) || byManifest;
}

/** The Service in base.apk, or else in a split that declares it. */
async function findDeclaration(look: Look, entry: ServiceEntry, basePathOfEntry: string): Promise<Declared> {
  const base = await look.cache.read(look.io, { path: basePathOfEntry, versionCode: entry.versionCode }, look.signal);
  if (base.manifest.package !== entry.package) {
    throw new ProblemError(
      problem('apk-other-package', {
        package: entry.package,
        found: base.manifest.package,
        file: basePathOfEntry,
      }),
    );
  }
  const inBase = base.manifest.services.find((service) => service.name === entry.name);
  if (inBase !== undefined) return { service: inBase, providers: base.manifest.providers, apk: base };
  for await (const split of splitsOf(look, entry)) {
    const service = split.manifest.services.find((candidate) => candidate.name === entry.name);
    if (service === undefined) continue;
    return { service, providers: [...base.manifest.providers, ...split.manifest.providers], apk: base };
  }
  throw new ProblemError(problem('service-not-in-apk', { service: entry.name, file: basePathOfEntry }));
}

async function* splitsOf(look: Look, entry: ServiceEntry): AsyncGenerator<ApkFacts> {
  for (const path of entry.splitSourceDirs.slice(0, MAX_SPLITS)) {
    yield await look.cache.read(look.io, { path, versionCode: entry.versionCode }, look.signal);
  }
}

/** The ContentProvider behind an authority, also where it belongs to another package (v2 2.1). */
async function findProvider(
  look: Look,
  entry: ServiceEntry,
  authority: string,
  own: readonly ContentProviderFacts[],
  user: PackageUserState | null,
  unknown: Set<string>,
): Promise<Candidate['provider']> {
  const holds = (provider: ContentProviderFacts): boolean => provider.authorities.includes(authority);
  const applicationEnabled = entry.applicationEnabled !== false;
  const mine = own.find(holds);
  if (mine !== undefined)
    return toFacts(mine, entry.package, isEnabled(mine.name, mine.enabled && applicationEnabled, user));
  let isOurs = false;
  try {
    const owner = (await look.authorities('all')).get(authority);
    if (owner === undefined) return null;
    isOurs = owner.package === entry.package;
    if (isOurs) {
      for await (const split of splitsOf(look, entry)) {
        const found = split.manifest.providers.find(holds);
        if (found === undefined) continue;
        return toFacts(found, entry.package, isEnabled(found.name, found.enabled && applicationEnabled, user));
      }
    } else {
      const found = await foreignProvider(look, entry, owner.package, holds, unknown);
      if (found !== null) return found;
    }
  } catch (error) {
    look.signal.throwIfAborted();
    if (!(error instanceof ProblemError)) throw error;
  }
  unknown.add('provider');
  if (!isOurs) unknown.add('provider.package');
  return null;
}

async function foreignProvider(
  look: Look,
  entry: ServiceEntry,
  owner: string,
  holds: (provider: ContentProviderFacts) => boolean,
  unknown: Set<string>,
): Promise<Candidate['provider']> {
  const path = await basePath(look.io, owner, look.userId, look.signal);
  if (path === null) return null;
  const apk = await look.cache.read(look.io, { path, versionCode: null }, look.signal);
  const theirs = apk.manifest.providers.find(holds);
  if (theirs === undefined) return null;
  const dump = await dumpOrNull(look, owner, unknown);
  const user = dump?.users.get(userOf(look, entry)) ?? null;
  return toFacts(theirs, owner, isEnabled(theirs.name, theirs.enabled, user));
}

function toFacts(
  provider: ContentProviderFacts,
  packageName: string,
  enabled: boolean,
): NonNullable<Candidate['provider']> {
  return { ...provider, authorities: [...provider.authorities], package: packageName, enabled };
}
