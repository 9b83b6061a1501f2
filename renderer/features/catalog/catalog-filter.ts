import type { ToolRow } from '../../../shared/model/catalog.ts';

/** Facets of the catalog, in the order of the screen. */
export const FACETS = ['effect', 'risk', 'confirmation', 'execution', 'scope', 'findings'] as const;
export type Facet = (typeof FACETS)[number];

/** Stands for "not declared" and "none" among the values of a facet; no annotation can be it. */
export const UNSET = '';

export interface CatalogFilter {
  readonly text: string;
  readonly chosen: Readonly<Record<Facet, readonly string[]>>;
}

export const NO_FILTER: CatalogFilter = {
  text: '',
  chosen: { effect: [], risk: [], confirmation: [], execution: [], scope: [], findings: [] },
};

export interface IndexedTool {
  readonly row: ToolRow;
  /** Everything that the search looks at, in lower case, made once. */
  readonly haystack: string;
  readonly values: Readonly<Record<Facet, readonly string[]>>;
}

export interface FilterResult {
  readonly rows: readonly ToolRow[];
  /** For each facet: how many tools each value would show, with the other facets and the text as they are. */
  readonly counts: Readonly<Record<Facet, ReadonlyMap<string, number>>>;
}

export function indexTools(tools: readonly ToolRow[]): readonly IndexedTool[] {
  return tools.map((row) => ({
    row,
    haystack: [row.name, row.title, row.description, ...row.scopes]
      .filter((part) => part !== null)
      .join('\n')
      .toLowerCase(),
    values: {
      effect: declared(row, row.annotations?.effect),
      risk: declared(row, row.annotations?.risk),
      confirmation: declared(row, row.annotations?.confirmation),
      execution: declared(row, row.annotations?.execution),
      scope: row.scopes.length === 0 ? [UNSET] : row.scopes,
      findings: findingValues(row),
    },
  }));
}

/** Terms and facets narrow each other; the values of one facet widen it. */
export function filterTools(tools: readonly IndexedTool[], filter: CatalogFilter): FilterResult {
  const terms = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
  const active = FACETS.filter((facet) => filter.chosen[facet].length > 0);
  const counts = Object.fromEntries(FACETS.map((facet) => [facet, new Map<string, number>()])) as Record<
    Facet,
    Map<string, number>
  >;
  const rows: ToolRow[] = [];
  for (const tool of tools) {
    if (!terms.every((term) => tool.haystack.includes(term))) continue;
    const failing = active.filter((facet) => !tool.values[facet].some((value) => filter.chosen[facet].includes(value)));
    if (failing.length === 0) rows.push(tool.row);
    if (failing.length > 1) continue;
    for (const facet of FACETS) {
      if (failing.length === 1 && failing[0] !== facet) continue;
      for (const value of tool.values[facet]) counts[facet].set(value, (counts[facet].get(value) ?? 0) + 1);
    }
  }
  return { rows, counts };
}

export function toggle(filter: CatalogFilter, facet: Facet, value: string): CatalogFilter {
  const before = filter.chosen[facet];
  const after = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
  return { ...filter, chosen: { ...filter.chosen, [facet]: after } };
}

/** The filter as query values; each choice is escaped, so that a comma in a scope stays one. */
export function toQuery(filter: CatalogFilter): Readonly<Record<string, string>> {
  const query: Record<string, string> = { q: filter.text };
  for (const facet of FACETS) {
    query[facet] = filter.chosen[facet]
      .map((value) => (value === UNSET ? '-' : `+${encodeURIComponent(value)}`))
      .join(',');
  }
  return query;
}

export function fromQuery(query: URLSearchParams): CatalogFilter {
  const chosen = { ...NO_FILTER.chosen } as Record<Facet, readonly string[]>;
  for (const facet of FACETS) {
    chosen[facet] = (query.get(facet) ?? '')
      .split(',')
      .filter((part) => part === '-' || part.startsWith('+'))
      .map((part) => (part === '-' ? UNSET : decode(part.slice(1))));
  }
  return { text: query.get('q') ?? '', chosen };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function declared(row: ToolRow, value: string | null | undefined): readonly string[] {
  if (row.annotations === null) return [];
  return [value ?? UNSET];
}

function findingValues(row: ToolRow): readonly string[] {
  const values = new Set<string>(row.findings.map((finding) => finding.severity));
  if (row.state === 'malformed') values.add('malformed');
  if (row.collidesWith.length > 0) values.add('collision');
  return values.size === 0 ? [UNSET] : [...values];
}
