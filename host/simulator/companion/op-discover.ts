import type { Bundle, BundleEntry } from '../../../shared/model/bundle.ts';
import { CETP_ACTION, HANDLE_PROPOSAL_ACTION, INSTALL_AGENT_ACTION, visibleByQueries } from '../android/visibility.ts';
import type { InstalledPackage, ManifestMetaData, ManifestService } from '../virtual-device.ts';
import { encodeBundle } from './bundle-codec.ts';
import type { Params } from './params.ts';
import type { CompanionProcess, OpResult } from './process.ts';

const AUTHORITY_KEY = 'com.clawseed.tools.authority';

interface Component {
  readonly name: string;
  readonly exported: boolean;
  readonly enabled: boolean;
  readonly permission: string | null;
  readonly processName: string | null;
  readonly metaData: readonly ManifestMetaData[];
}

/** `discover`: raw facts of each matching component, in order of package, in pages of whole packages. */
export function discoverOp(process: CompanionProcess, params: Params): OpResult {
  const kind = params.oneOf('kind', ['cetp', 'agent-provider']);
  const after = params.optionalString('after');
  const limit = params.optionalCount('limit') ?? Number.MAX_SAFE_INTEGER;
  const candidates: string[] = [];
  let more = false;
  const packages = [...process.host.android.packages()].sort((a, b) => (a.spec.package < b.spec.package ? -1 : 1));
  for (const item of packages) {
    if (after !== null && item.spec.package <= after) continue;
    const found = componentsOf(item, kind);
    if (found.length === 0) continue;
    if (candidates.length > 0 && candidates.length + found.length > limit) {
      more = true;
      break;
    }
    for (const component of found) candidates.push(candidate(process, item, component, kind));
  }
  return { text: `{"candidates":[${candidates.join(',')}],"more":${more}}` };
}

function componentsOf(item: InstalledPackage, kind: 'cetp' | 'agent-provider'): readonly Component[] {
  if (kind === 'cetp') return item.spec.services.filter((service) => service.actions.includes(CETP_ACTION));
  return (item.spec.activities ?? [])
    .filter((activity) => activity.actions.includes(INSTALL_AGENT_ACTION))
    .map((activity) => ({ ...activity, processName: null, metaData: [] }));
}

function candidate(
  process: CompanionProcess,
  item: InstalledPackage,
  component: Component,
  kind: 'cetp' | 'agent-provider',
): string {
  const { spec } = item;
  const proposal = (spec.activities ?? []).find((activity) => activity.actions.includes(HANDLE_PROPOSAL_ACTION));
  const action = proposal ? { ...proposal, processName: null } : null;
  const facts = {
    package: spec.package,
    label: spec.label,
    versionName: spec.versionName,
    versionCode: String(spec.versionCode),
    uid: item.uid,
    sharedUserId: spec.sharedUserId,
    signingCertSha256: process.host.signingCertSha256(item),
    pastSigningCertSha256: [],
    component: componentFacts(item, component),
    actionComponent: kind === 'agent-provider' && action ? componentFacts(item, action) : null,
    provider: kind === 'cetp' ? providerFacts(process, component) : null,
    definesPermissions: spec.definesPermissions,
    visibleByQueries: visibleByQueries(item),
  };
  return `${JSON.stringify(facts).slice(0, -1)},"metaData":${encodeBundle(metaData(component.metaData))}}`;
}

function componentFacts(
  item: InstalledPackage,
  component: Omit<ManifestService, 'actions' | 'metaData'>,
): Record<string, unknown> {
  return {
    name: component.name,
    exported: component.exported,
    enabled: component.enabled && item.enabled,
    permission: component.permission,
    processName: processName(item, component.processName),
  };
}

/** The Provider that the authority in the meta-data resolves to, of whatever package. */
function providerFacts(process: CompanionProcess, component: Component): Record<string, unknown> | null {
  const value = component.metaData.find((entry) => entry.name === AUTHORITY_KEY)?.value;
  if (value?.t !== 'string' && value?.t !== 'stringRef') return null;
  for (const item of process.host.android.packages()) {
    const provider = item.spec.providers.find((entry) => entry.authorities.includes(value.v));
    if (!provider) continue;
    return {
      ...provider,
      package: item.spec.package,
      enabled: provider.enabled && item.enabled,
      processName: processName(item, provider.processName),
    };
  }
  return null;
}

function processName(item: InstalledPackage, name: string | null): string {
  if (name === null) return item.spec.package;
  return name.startsWith(':') ? `${item.spec.package}${name}` : name;
}

/** References to resources are resolved when the package is parsed (android-facts 3.4). */
function metaData(items: readonly ManifestMetaData[]): Bundle {
  return items.map((item) => metaEntry(item));
}

function metaEntry({ name: key, value }: ManifestMetaData): BundleEntry {
  switch (value.t) {
    case 'string':
    case 'stringRef':
      return { key, t: 'string', v: value.v };
    case 'int':
      return { key, t: 'int', v: value.v };
    case 'boolean':
      return { key, t: 'boolean', v: value.v };
    case 'float':
      return { key, t: 'float', v: Math.fround(value.v) };
  }
}
