import type { Device } from '../../shared/model/device.ts';
import { ProblemError, problem } from '../../shared/model/problem.ts';
import type { Provider, ProviderSnapshot } from '../../shared/model/provider.ts';
import type { Session } from '../../shared/model/session.ts';
import type { Target } from '../sessions/deps.ts';

export interface OnDevice {
  readonly deviceKey: string;
  readonly userId: number | null;
}

/** What finding a device and a Provider by their names needs. */
export interface FindDeps {
  /** Every known device, once the servers have answered. */
  readonly devices: () => Promise<readonly Device[]>;
  readonly discover: (deviceKey: string, userId: number | null) => Promise<ProviderSnapshot>;
  readonly negotiate: (target: Target) => Promise<Session>;
}

/** The device that a call names; else that of the run; else the only one that is ready. Never a guess among several. */
export async function findDevice(deps: FindDeps, named: string | null, ofRun: OnDevice | null): Promise<OnDevice> {
  if (named === null && ofRun !== null) return ofRun;
  const devices = await deps.devices();
  const found =
    named === null
      ? devices.filter(({ state }) => state === 'device')
      : devices.filter(({ serial, key }) => serial === named || key === named);
  const [first] = found;
  if (first === undefined) {
    if (named !== null) throw new ProblemError(problem('no-such-device', { serial: named.slice(0, 200) }));
    const seen = devices.map(({ serial, stateText }) => `${serial} (${stateText})`).join(', ');
    throw new ProblemError(problem('no-device', { seen: seen.slice(0, 1_000) || '–' }));
  }
  if (found.length > 1) {
    throw new ProblemError(problem('several-devices', { list: found.map(({ key }) => key).join(', ') }));
  }
  if (first.state !== 'device') {
    throw new ProblemError(problem('device-not-ready', { serial: first.serial, state: first.stateText }));
  }
  const sameDevice = ofRun?.deviceKey === first.key;
  return { deviceKey: first.key, userId: sameDevice ? ofRun.userId : null };
}

/**
 * The Provider of an authority, a key, a package or a provider_id. A custom
 * provider_id lies in the package's namespace (v2 3.1), so only Providers
 * whose package begins it are asked.
 */
export async function findProvider(deps: FindDeps, on: OnDevice, name: string): Promise<Provider> {
  const { providers } = await deps.discover(on.deviceKey, on.userId);
  const exact = providers.filter(({ authority, key }) => authority === name || key === name);
  if (exact.length > 0) return single(name, exact);
  const byPackage = providers.filter(({ candidate }) => candidate.package === name);
  if (byPackage.length > 0) return single(name, byPackage);
  const byId: Provider[] = [];
  for (const provider of providers) {
    if (provider.protocol !== 'v2' || !name.startsWith(`${provider.candidate.package}.`)) continue;
    const session = await deps.negotiate({ ...on, providerKey: provider.key });
    if (session.providerId === name) byId.push(provider);
  }
  return single(name, byId);
}

function single(name: string, found: readonly Provider[]): Provider {
  const [first] = found;
  if (first === undefined) throw new ProblemError(problem('no-such-provider', { name: name.slice(0, 200) }));
  if (found.length > 1) {
    const list = found.map(({ key }) => key).join(', ');
    throw new ProblemError(problem('several-providers', { name: name.slice(0, 200), list: list.slice(0, 1_000) }));
  }
  return first;
}
