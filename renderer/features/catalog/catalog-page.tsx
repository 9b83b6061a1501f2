import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Catalog } from '../../../shared/model/catalog.ts';
import { useClient, useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { type OfProvider, useDevices, useProviders, useSession } from '../../connection/streams.ts';
import { FlagLegend } from '../../parts/annotation-badges.tsx';
import { FindingCounts, FindingList } from '../../parts/findings.tsx';
import { links } from '../../parts/links.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { ProviderHead } from '../../parts/provider-head.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { currentQuery, navigate, replaceQuery } from '../../ui/location.ts';
import { Button, Loading, Note } from '../../ui/widgets.tsx';
import { CatalogChanges } from './catalog-changes.tsx';
import { filterTools, fromQuery, indexTools, NO_FILTER, toQuery } from './catalog-filter.ts';
import { FacetColumn } from './facet-column.tsx';
import { ToolDetailPane } from './tool-detail.tsx';
import { ToolList } from './tool-list.tsx';
import './catalog.css';

/** The tools of one Provider: facets, list, and the chosen tool beside it. */
export function CatalogPage({ of, index }: { readonly of: OfProvider; readonly index: number | null }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const catalog = useQuery(orpc.catalog.get.queryOptions({ input: { ...of, refresh: false } }));
  const refresh = useRefresh(of);
  const providers = useProviders({ deviceKey: of.deviceKey, userId: of.userId });
  const devices = useDevices();
  const provider = providers.value?.providers.find((each) => each.key === of.providerKey);
  const device = devices.value?.devices.find((each) => each.key === of.deviceKey);
  const { data } = catalog;
  useReplaced(
    provider === undefined ? null : `${provider.candidate.versionCode} ${provider.candidate.versionName}`,
    catalog.refetch,
  );
  // v2 3.3: the host reads the list again in each new session.
  const session = useSession(of).value;
  useReplaced(session?.state === 'open' ? session.id : null, catalog.refetch);
  const listed = data !== undefined && data.problem === null;
  return (
    <div className="page">
      <ProviderHead
        of={of}
        provider={provider}
        device={device}
        connected={devices.value === undefined || device?.state === 'device'}
        tab="tools"
        toolCount={listed ? data.tools.length : undefined}
      />
      {data === undefined && catalog.isPending ? <Loading label={t('uiCatalog.loading')} /> : null}
      {catalog.error !== null && data === undefined ? (
        <div className="page-body">
          <ProblemView problem={problemOf(catalog.error)} title={t('uiCatalog.failed')} alert>
            <Retry of={of} run={refresh.run} busy={refresh.busy || catalog.isFetching} />
          </ProblemView>
          {refresh.error === null ? null : <ProblemView problem={problemOf(refresh.error)} alert />}
        </div>
      ) : null}
      {data === undefined ? null : data.problem !== null ? (
        <div className="page-body">
          <ProblemView problem={data.problem} title={t('uiCatalog.failed')} alert>
            <Retry of={of} run={refresh.run} busy={refresh.busy} />
          </ProblemView>
          {data.findings.length === 0 ? null : <FindingList findings={data.findings} />}
        </div>
      ) : (
        <>
          <CatalogChanges of={of} readAtMs={data.atMs} />
          <Browser of={of} index={index} catalog={data} refresh={refresh} />
        </>
      )}
    </div>
  );
}

function Retry({ of, run, busy }: { readonly of: OfProvider; readonly run: () => void; readonly busy: boolean }) {
  const { t } = useI18n();
  return (
    <div className="row">
      <Button icon="refresh" disabled={busy} onClick={run}>
        {t('common.retry')}
      </Button>
      <a className="btn quiet" href={`#${links.provider(of, 'session')}`}>
        {t('uiCatalog.toSession')}
      </a>
    </div>
  );
}

/** Another version of the package is another list: it is read again when one replaces the other under our eyes. */
function useReplaced(version: string | null, reread: () => unknown): void {
  const seen = useRef<string | null>(null);
  useEffect(() => {
    const before = seen.current;
    if (version !== null) seen.current = version;
    if (before !== null && version !== null && before !== version) reread();
  }, [version, reread]);
}

interface Refresh {
  readonly run: () => void;
  readonly busy: boolean;
  readonly error: unknown;
}

/** Asks the device again; what is on the screen stays until the answer is here. */
function useRefresh(of: OfProvider): Refresh {
  const client = useClient();
  const orpc = useOrpc();
  const queries = useQueryClient();
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: unknown }>({ busy: false, error: null });
  const run = () => {
    setState({ busy: true, error: null });
    client.catalog.get({ ...of, refresh: true }).then(
      (data) => {
        queries.setQueryData(orpc.catalog.get.queryKey({ input: { ...of, refresh: false } }), data);
        void queries.invalidateQueries({ queryKey: orpc.catalog.tool.key() });
        setState({ busy: false, error: null });
      },
      (error: unknown) => setState({ busy: false, error }),
    );
  };
  return { run, ...state };
}

function Browser({
  of,
  index,
  catalog,
  refresh,
}: {
  readonly of: OfProvider;
  readonly index: number | null;
  readonly catalog: Catalog;
  readonly refresh: Refresh;
}) {
  const { t } = useI18n();
  const [filter, setFilter] = useState(() => fromQuery(currentQuery()));
  const [facets, setFacets] = useState(true);
  const indexed = useMemo(() => indexTools(catalog.tools), [catalog]);
  const { rows, counts } = useMemo(() => filterTools(indexed, filter), [indexed, filter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path has lost the query, so it is written again
  useEffect(() => {
    const timer = setTimeout(() => replaceQuery(toQuery(filter)), 250);
    return () => clearTimeout(timer);
  }, [filter, index]);
  const filtered = filter !== NO_FILTER && rows.length !== catalog.tools.length;
  return (
    <>
      <div className={`catalog-bar ${index === null ? '' : 'with-detail'}`}>
        <label className="search grow">
          <Icon name="search" size={14} />
          <input
            className="text-input"
            type="search"
            data-search
            aria-label={t('uiCatalog.search')}
            placeholder={t('uiCatalog.search')}
            value={filter.text}
            spellCheck={false}
            onChange={(event) => setFilter({ ...filter, text: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown') {
                event.preventDefault();
                document.getElementById('tool-list')?.focus();
              }
            }}
          />
          <kbd>/</kbd>
        </label>
        <span className="dim num nowrap" role="status">
          {filtered
            ? t('uiCatalog.countOf', { shown: rows.length, total: catalog.tools.length })
            : t('uiCatalog.count', { total: catalog.tools.length })}
        </span>
        <span className="facet-toggle">
          <Button icon="filter" look="quiet" aria-pressed={facets} onClick={() => setFacets(!facets)}>
            {t('uiCatalog.facets')}
          </Button>
        </span>
        <Button icon="refresh" look="quiet" disabled={refresh.busy} onClick={refresh.run}>
          {refresh.busy ? t('uiCatalog.refreshing') : t('uiProviders.refresh')}
        </Button>
        {index === null || catalog.protocol === 'v1' ? null : (
          <>
            <span className="grow" />
            <FlagLegend />
          </>
        )}
      </div>
      <Banners catalog={catalog} error={refresh.error} />
      <div className={`catalog ${index === null ? '' : 'with-detail'}`}>
        {facets ? <FacetColumn catalog={catalog} filter={filter} counts={counts} onChange={setFilter} /> : null}
        <ToolList
          rows={rows}
          total={catalog.tools.length}
          selected={index}
          v1={catalog.protocol === 'v1'}
          onSelect={(next) => navigate(links.tool(of, next), { replace: index !== null })}
          onOpen={(next) => navigate(links.call(of, next))}
          onClear={() => setFilter(NO_FILTER)}
        />
        {index === null ? null : (
          <ToolDetailPane
            of={of}
            index={index}
            catalog={catalog}
            onClose={() => navigate(links.provider(of, 'tools'))}
          />
        )}
      </div>
    </>
  );
}

function Banners({ catalog, error }: { readonly catalog: Catalog; readonly error: unknown }) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const findings = [...catalog.findings, ...(catalog.info?.findings ?? [])];
  return (
    <div className="catalog-banners">
      {error === null ? null : <ProblemView problem={problemOf(error)} title={t('uiCatalog.refreshFailed')} alert />}
      {catalog.protocol === 'v1' ? (
        <Note tone="info" icon="info">
          {t('uiCatalog.v1Banner')}
        </Note>
      ) : null}
      {catalog.infoProblem === null ? null : (
        <ProblemView problem={catalog.infoProblem} tone="warn" title={t('uiCatalog.infoFailed')} />
      )}
      {findings.length === 0 ? null : (
        <div className="card">
          <button
            type="button"
            className="disclosure banner-findings"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <Icon name="chevron" size={11} />
            <span className="grow">{t('uiCatalog.listFindings')}</span>
            <span className="row">
              <FindingCounts findings={findings} />
            </span>
          </button>
          {open ? <FindingList findings={findings} /> : null}
        </div>
      )}
    </div>
  );
}
