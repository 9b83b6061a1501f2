import type { Catalog } from '../../shared/model/catalog.ts';
import {
  type ConsumerToolName,
  consumerNames,
  findCollisions,
  toolKey,
} from '../../shared/protocols/cetp/common/consumer-names.ts';
import type { LoadedCatalog, ProviderState } from './provider-state.ts';

/**
 * A catalog with the names that a Consumer would register, and with what
 * collides among the lists read so far of the same user and device.
 */
export function named(catalog: Catalog, state: ProviderState, all: Iterable<ProviderState>): Catalog {
  const { deviceKey, userId, providerKey } = state.target;
  const neighbours = [...all].filter(
    (other) => other !== state && other.target.deviceKey === deviceKey && other.target.userId === userId,
  );
  const own = namesOf(providerKey, catalog, state.loaded?.label ?? null);
  const others = neighbours.flatMap((other) => (other.loaded === null ? [] : namesOfLoaded(other, other.loaded)));
  const collisions = findCollisions([...own, ...others]);
  const tools = catalog.tools.map((row, place) => ({
    ...row,
    consumerName: own[place]?.consumerName ?? null,
    collidesWith: [...(collisions.get(toolKey(providerKey, row.index)) ?? [])],
  }));
  return { ...catalog, tools };
}

function namesOfLoaded(state: ProviderState, { catalog, label }: LoadedCatalog): ConsumerToolName[] {
  return namesOf(state.target.providerKey, catalog, label);
}

function namesOf(providerKey: string, catalog: Catalog, label: string | null): ConsumerToolName[] {
  const names = consumerNames({
    protocol: catalog.protocol,
    label,
    providerId: catalog.info?.providerId ?? null,
    tools: catalog.tools.map((row) => row.name),
  });
  return catalog.tools.map((row, place) => ({
    providerKey,
    index: row.index,
    tool: row.name,
    consumerName: names[place] ?? null,
  }));
}
