import type { Catalog } from '../../../shared/model/catalog.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import {
  type CatalogFilter,
  FACETS,
  type Facet,
  type FilterResult,
  NO_FILTER,
  toggle,
  UNSET,
} from './catalog-filter.ts';

const SHOWN = 14;
const ORDER: Readonly<Record<Facet, readonly string[]>> = {
  effect: ['read', 'create', 'update', 'delete', 'transaction'],
  risk: ['low', 'moderate', 'high'],
  confirmation: ['never', 'provider_policy', 'always'],
  execution: ['sync', 'sync_or_async'],
  scope: [],
  findings: ['malformed', 'must', 'should', 'advice', 'lenient', 'collision'],
};

/** What the list can be narrowed by, with how many tools each choice would show. */
export function FacetColumn({
  catalog,
  filter,
  counts,
  onChange,
}: {
  readonly catalog: Catalog;
  readonly filter: CatalogFilter;
  readonly counts: FilterResult['counts'];
  readonly onChange: (filter: CatalogFilter) => void;
}) {
  const { t, known } = useI18n();
  const any = FACETS.some((facet) => filter.chosen[facet].length > 0);
  const word = (facet: Facet, value: string): string => {
    if (value === UNSET) return facet === 'scope' || facet === 'findings' ? t('common.none') : t('common.notDeclared');
    if (facet === 'findings') return known(`shell.severity.${value}`) ?? known(`uiCatalog.findings.${value}`) ?? value;
    return facet === 'scope'
      ? (catalog.info?.scopes.find((scope) => scope.name === value)?.title ?? value)
      : (known(`uiCatalog.${facet}.${value}`) ?? value);
  };
  return (
    <section className="facets" aria-label={t('uiCatalog.facets')}>
      {FACETS.map((facet) => {
        const values = valuesOf(facet, counts[facet], filter.chosen[facet]);
        if (values.length === 0) return null;
        return (
          <fieldset key={facet} className="facet">
            <legend>{t(`uiCatalog.facet.${facet}`)}</legend>
            {values.slice(0, SHOWN).map((value) => (
              <label key={value} className="facet-value">
                <input
                  type="checkbox"
                  checked={filter.chosen[facet].includes(value)}
                  onChange={() => onChange(toggle(filter, facet, value))}
                />
                <span
                  className={`grow ellipsis ${value === UNSET ? 'dim' : ''}`}
                  title={facet === 'scope' ? value.slice(0, 200) : undefined}
                >
                  <SafeText text={word(facet, value)} limit={40} fixed />
                </span>
                <span className="tally">{counts[facet].get(value) ?? 0}</span>
              </label>
            ))}
            {values.length > SHOWN ? (
              <span className="dim fine">{t('shell.moreItems', { count: values.length - SHOWN })}</span>
            ) : null}
          </fieldset>
        );
      })}
      {any ? (
        <button type="button" className="text-button" onClick={() => onChange({ ...NO_FILTER, text: filter.text })}>
          {t('uiCatalog.clearFacets')}
        </button>
      ) : null}
    </section>
  );
}

/** Known values in their own order, then unknown ones by name, "not declared" last. A chosen value stays though nothing has it. */
function valuesOf(facet: Facet, counts: ReadonlyMap<string, number>, chosen: readonly string[]): readonly string[] {
  const all = [...new Set([...counts.keys(), ...chosen])];
  const order = ORDER[facet];
  const rank = (value: string) => (value === UNSET ? 1000 : order.includes(value) ? order.indexOf(value) : 500);
  return all.sort(
    (a, b) =>
      rank(a) - rank(b) || (facet === 'scope' ? (counts.get(b) ?? 0) - (counts.get(a) ?? 0) : 0) || (a < b ? -1 : 1),
  );
}
