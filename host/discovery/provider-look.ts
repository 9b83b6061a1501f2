import type { JsonObject } from '../../shared/base/json.ts';
import type { CompanionStatus } from '../../shared/model/device.ts';
import { type Problem, ProblemError, problem } from '../../shared/model/problem.ts';
import type { Candidate, DiscoveryOrigin, Provider } from '../../shared/model/provider.ts';
import type { ShellFacts } from '../../shared/protocols/cetp/discovery/choose-bridge.ts';
import { ACCESS_PERMISSION } from '../../shared/protocols/cetp/discovery/names.ts';
import { candidateKey, setFindings } from '../../shared/protocols/cetp/discovery/set-findings.ts';
import { toProvider } from '../../shared/protocols/cetp/discovery/to-provider.ts';
import type { DeviceIo } from '../adb/device-io.ts';
import type { ApkCache } from './apk-cache.ts';
import { candidateFromCompanion } from './candidate-from-companion.ts';
import { discoverByShell, findPermissionOwners, type ShellDiscovery, type Unreadable } from './shell-discovery.ts';

/** The part of the companion that discovery uses; the companion manager has this form. */
export interface CompanionSource {
  status(): CompanionStatus;
  /** The status, again at each change. */
  watch(signal: AbortSignal): AsyncIterable<CompanionStatus>;
  /** Raw Candidates; asked only while the status is `connected`. Throws `ProblemError`. */
  discover(kind: 'cetp', signal?: AbortSignal): Promise<readonly JsonObject[]>;
  /** From its first `next()` on; throws when events may have been missed. */
  packageEvents(signal: AbortSignal): AsyncIterable<{ readonly action: string; readonly package: string }>;
}

export interface LookInput {
  readonly io: DeviceIo;
  readonly userId: number;
  readonly companion: CompanionSource | null;
  readonly cache: ApkCache;
  readonly shell: ShellFacts;
  readonly signal: AbortSignal;
}

export interface LookResult {
  readonly origin: DiscoveryOrigin;
  readonly providers: Provider[];
  readonly unreadable: Unreadable[];
  /** Why the picture is limited, or null. */
  readonly problem: Problem | null;
}

interface Sighting {
  readonly candidate: Candidate;
  readonly origin: DiscoveryOrigin;
}

/**
 * One full look at a device and user. With a connected companion its
 * Candidates rule, and what only the shell sees is added; without, the shell's
 * view is all there is. Throws `ProblemError` only where neither can be had.
 */
export async function lookForProviders(input: LookInput): Promise<LookResult> {
  const status = input.companion?.status() ?? null;
  if (input.companion === null || status?.state !== 'connected') {
    const shell = await byShell(input, new Set());
    return finish(input, status, shell, { origin: 'shell', problem: problem('discovery-shell-only') });
  }
  const companion = await byCompanion(input.companion, input.signal);
  if ('failure' in companion) {
    const shell = await byShell(input, new Set());
    return finish(input, status, shell, { origin: 'shell', problem: companion.failure });
  }
  const known = new Set(companion.sightings.map(({ candidate }) => candidateKey(candidate)));
  const shell = await byShell(input, known).catch(async (error: unknown): Promise<View> => {
    input.signal.throwIfAborted();
    if (!(error instanceof ProblemError)) throw error;
    const reason = error.problem;
    return {
      sightings: [],
      unreadable: [],
      permissionOwners: new Map(),
      problem: problem('discovery-shell-failed', {}, reason.raw ?? reason.code),
    };
  });
  const sightings = [...companion.sightings, ...shell.sightings];
  const owners = new Map(
    await findPermissionOwners(
      input.io,
      sightings.map(({ candidate }) => candidate),
      input.signal,
    ),
  );
  // Where the shell could not tell, the companion's own look counts.
  if (status.permission === 'undefined' && !owners.has(ACCESS_PERMISSION)) owners.set(ACCESS_PERMISSION, null);
  const merged: View = {
    sightings,
    unreadable: [...companion.unreadable, ...shell.unreadable],
    permissionOwners: owners,
    problem: null,
  };
  return finish(input, status, merged, { origin: 'companion', problem: shell.problem });
}

interface View {
  readonly sightings: readonly Sighting[];
  readonly unreadable: readonly Unreadable[];
  readonly permissionOwners: ReadonlyMap<string, string | null>;
  readonly problem: Problem | null;
}

async function byShell(input: LookInput, skip: ReadonlySet<string>): Promise<View> {
  const { io, userId, signal, cache } = input;
  const found: ShellDiscovery = await discoverByShell(io, userId, signal, { cache, skip });
  return {
    sightings: found.candidates.map((candidate) => ({ candidate, origin: 'shell' })),
    unreadable: found.unreadable,
    permissionOwners: found.permissionOwners,
    problem: null,
  };
}

async function byCompanion(
  companion: CompanionSource,
  signal: AbortSignal,
): Promise<Pick<View, 'sightings' | 'unreadable'> | { readonly failure: Problem }> {
  let rows: readonly JsonObject[];
  try {
    rows = await companion.discover('cetp', signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProblemError)) throw error;
    const reason = error.problem;
    return { failure: problem('discovery-companion-failed', {}, reason.raw ?? reason.code) };
  }
  const sightings: Sighting[] = [];
  const unreadable: Unreadable[] = [];
  for (const row of rows) {
    const candidate = candidateFromCompanion(row);
    if (candidate.ok) sightings.push({ candidate: candidate.value, origin: 'companion' });
    else unreadable.push(candidate.error);
  }
  return { sightings, unreadable };
}

function finish(
  input: LookInput,
  companion: CompanionStatus | null,
  view: View,
  { origin, problem: limited }: Pick<LookResult, 'origin' | 'problem'>,
): LookResult {
  const bySet = setFindings(view.sightings.map(({ candidate }) => candidate));
  const unreadablePackages = new Set(view.unreadable.map((item) => item.package));
  const providers = view.sightings.map(({ candidate, origin: seenBy }) =>
    toProvider(candidate, {
      deviceKey: input.io.deviceKey,
      userId: input.userId,
      origin: seenBy,
      companion,
      shell: input.shell,
      permissionOwners: view.permissionOwners,
      // A package whose companion facts were invalid was seen, only not understood.
      onlyShellSees: origin === 'companion' && seenBy === 'shell' && !unreadablePackages.has(candidate.package),
      setFindings: bySet.get(candidateKey(candidate)) ?? [],
    }),
  );
  providers.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return { origin, providers, unreadable: [...view.unreadable], problem: limited };
}
