import type { AdbServerInfo, Device, DeviceSnapshot } from '../shared/model/device.ts';
import { type Problem, ProblemError, problem } from '../shared/model/problem.ts';
import type { Provider, ProviderSnapshot } from '../shared/model/provider.ts';
import type { CommandContext } from './context.ts';
import { Interrupted } from './interrupt.ts';
import { UsageError } from './options.ts';

/** How long a first picture of the devices may take, in ms. */
const SETTLE_MS = 15_000;

/** The first value of a stream that satisfies `enough`, or the last one when the time is over. */
async function settled<T>(stream: AsyncIterable<T>, enough: (value: T) => boolean, limitMs: number): Promise<T | null> {
  let last: T | null = null;
  const timer = Promise.withResolvers<'late'>();
  const handle = setTimeout(() => timer.resolve('late'), limitMs);
  const iterator = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), timer.promise]);
      if (next === 'late' || next.done === true) return last;
      last = next.value;
      if (enough(last)) return last;
    }
  } finally {
    clearTimeout(handle);
    void iterator.return?.(undefined);
  }
}

/** A picture in which every server answered or failed, and every ready device told its facts. */
export async function settledDevices({ client, signal }: CommandContext): Promise<DeviceSnapshot> {
  const snapshot = await settled(
    await client.devices.watch(undefined, { signal }),
    ({ servers, devices }) =>
      servers.every((server) => server.state !== 'connecting') &&
      devices.every(
        (device) =>
          (device.state !== 'device' || device.sdk !== null || device.problem !== null) &&
          device.state !== 'connecting' &&
          device.state !== 'authorizing',
      ),
    SETTLE_MS,
  );
  // What an interrupt cut short is no picture.
  if (signal.aborted) throw new Interrupted();
  return snapshot ?? { servers: [], devices: [] };
}

/** Why a server's devices are not known; null where they are. */
export function serverProblem({ id, state, host, port, problem: failure }: AdbServerInfo): Problem | null {
  if (failure !== null) return failure;
  return state === 'connecting' ? problem('server-silent', { server: id, address: `${host}:${port}` }) : null;
}

/** The device of `-s`, or the only ready one; with `--demo`, the first ready demo device. */
export async function selectDevice(context: CommandContext): Promise<Device> {
  const { options } = context;
  const { servers, devices } = await settledDevices(context);
  const candidates =
    options.serial === null
      ? devices.filter(({ state, serverId }) => state === 'device' && (!options.demo || serverId === 'demo'))
      : devices.filter(({ serial, key }) => serial === options.serial || key === options.serial);
  const [first] = candidates;
  if (first === undefined) {
    if (options.serial !== null) throw new ProblemError(problem('no-such-device', { serial: options.serial }));
    const [down] = servers.map(serverProblem).filter((failure) => failure !== null);
    if (down !== undefined && devices.length === 0) throw new ProblemError(down);
    throw new ProblemError(
      problem('no-device', { seen: devices.map((d) => `${d.serial} (${d.stateText})`).join(', ') || '–' }),
    );
  }
  if (candidates.length > 1 && !(options.demo && options.serial === null)) {
    throw new UsageError(context.terminal.t('cli.severalDevices', { list: candidates.map((d) => d.key).join(', ') }));
  }
  if (first.state !== 'device') {
    throw new ProblemError(problem('device-not-ready', { serial: first.serial, state: first.stateText }));
  }
  return first;
}

/** All Providers of a device, or the problem that kept us from looking. */
export async function settledProviders(context: CommandContext, device: Device): Promise<ProviderSnapshot> {
  const { client, options, signal } = context;
  const snapshot = await settled(
    await client.providers.watch({ deviceKey: device.key, userId: options.user }, { signal }),
    ({ state }) => state !== 'looking',
    60_000,
  );
  if (snapshot === null || snapshot.state === 'looking') throw new ProblemError(problem('discovery-timeout'));
  if (snapshot.state === 'failed') throw new ProblemError(snapshot.problem ?? problem('unexpected'));
  return snapshot;
}

/**
 * The Provider of an authority, a key, or a provider_id. A provider_id defaults to the package name; a custom
 * one lies in the package's namespace (v2 3.1), so only Providers whose package begins it are asked.
 */
export async function selectProvider(context: CommandContext, device: Device, name: string): Promise<Provider> {
  const { providers } = await settledProviders(context, device);
  const exact = providers.filter(({ authority, key }) => authority === name || key === name);
  if (exact.length > 0) return single(context, name, exact);
  const byPackage = providers.filter(({ candidate }) => candidate.package === name);
  if (byPackage.length > 0) return single(context, name, byPackage);
  const byId: Provider[] = [];
  for (const provider of providers) {
    if (provider.protocol !== 'v2' || !name.startsWith(`${provider.candidate.package}.`)) continue;
    const session = await context.client.sessions.negotiate({
      deviceKey: device.key,
      userId: context.options.user,
      providerKey: provider.key,
    });
    if (session.providerId === name) byId.push(provider);
  }
  return single(context, name, byId);
}

function single(context: CommandContext, name: string, found: readonly Provider[]): Provider {
  const [first] = found;
  if (first === undefined) throw new ProblemError(problem('no-such-provider', { name }));
  if (found.length > 1) {
    throw new UsageError(
      context.terminal.t('cli.severalProviders', { name, list: found.map((p) => p.key).join(', ') }),
    );
  }
  return first;
}
