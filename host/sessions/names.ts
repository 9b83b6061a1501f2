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
  const own = namesOf(providerKey, catalog, state.loaded);
  const others = neighbours.flatMap(({ target, loaded }) => {
    return loaded === null ? [] : namesOf(target.providerKey, loaded.catalog, loaded);
  });
  const collisions = findCollisions([...own, ...others]);
  const tools = catalog.tools.map((row, place) => ({
    ...row,
    consumerName: own[place]?.consumerName ?? null,
    collidesWith: [...(collisions.get(toolKey(providerKey, row.index)) ?? [])],
  }));
  return { ...catalog, tools };
}

function namesOf(providerKey: string, catalog: Catalog, loaded: LoadedCatalog | null): ConsumerToolName[] {
  const names = consumerNames({
    protocol: catalog.protocol,
    label: loaded?.label ?? null,
    providerId: loaded?.providerId ?? null,
    tools: catalog.tools.map((row) => row.name),
  });
  return catalog.tools.map((row, place) => ({
    providerKey,
    index: row.index,
    tool: row.name,
    consumerName: names[place] ?? null,
  }));
}
