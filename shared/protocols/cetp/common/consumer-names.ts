/** A Provider's tools as a Consumer would register them. */
export interface NamedProvider {
  readonly protocol: 'v1' | 'v2';
  /** The application label; v1's namespace. */
  readonly label: string | null;
  /** As negotiated; v2's namespace. */
  readonly providerId: string | null;
  /** In the order of the list; null where an entry has no usable name. */
  readonly tools: readonly (string | null)[];
}

/**
 * The names under which a ClawSeed Consumer registers the tools: v1
 * `{label}__{tool}` (v1 3.1); v2 routes by (provider_id, tool) and not by a
 * flat name (v2 3.1), written here as `provider_id/tool`. Null where the
 * namespace or the tool's name is unknown.
 */
export function consumerNames(provider: NamedProvider): (string | null)[] {
  const space = provider.protocol === 'v1' ? provider.label : provider.providerId;
  const separator = provider.protocol === 'v1' ? '__' : '/';
  return provider.tools.map((tool) => (space === null || tool === null ? null : `${space}${separator}${tool}`));
}

export interface ConsumerToolName {
  readonly providerKey: string;
  /** Place in the Provider's list. */
  readonly index: number;
  readonly tool: string | null;
  readonly consumerName: string | null;
}

/** The key of a tool in the answer of `findCollisions`. */
export function toolKey(providerKey: string, index: number): string {
  return `${providerKey}#${index}`;
}

/**
 * Tools that would be registered under one name, over all Providers of a
 * device. For each tool that has any (by `toolKey`): the others, as
 * `<provider key>#<tool>`.
 */
export function findCollisions(all: readonly ConsumerToolName[]): ReadonlyMap<string, readonly string[]> {
  const byName = Map.groupBy(
    all.filter((tool) => tool.consumerName !== null),
    (tool) => tool.consumerName,
  );
  const collisions = new Map<string, readonly string[]>();
  for (const group of byName.values()) {
    if (group.length < 2) continue;
    const counts = new Map<string, number>();
    for (const tool of group) counts.set(labelOf(tool), (counts.get(labelOf(tool)) ?? 0) + 1);
    // One answer for all entries of a label: a hostile list may repeat one name a hundred thousand times.
    const othersOf = new Map<string, readonly string[]>();
    for (const [own, count] of counts) {
      const others: string[] = [];
      for (const label of counts.keys()) {
        if (others.length >= MAX_OTHERS) break;
        if (label !== own || count > 1) others.push(label);
      }
      othersOf.set(own, others);
    }
    for (const tool of group) collisions.set(toolKey(tool.providerKey, tool.index), othersOf.get(labelOf(tool)) ?? []);
  }
  return collisions;
}

/** A thousand entries of one name must not make a list of a million. */
const MAX_OTHERS = 50;

function labelOf(tool: ConsumerToolName): string {
  return `${tool.providerKey}#${tool.tool}`;
}
