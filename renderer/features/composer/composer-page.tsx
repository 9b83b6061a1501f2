import { useQuery } from '@tanstack/react-query';
import type { Catalog, ToolDetail } from '../../../shared/model/catalog.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { type OfProvider, useDevices, useProviders } from '../../connection/streams.ts';
import { FlagBadges, WordBadge } from '../../parts/annotation-badges.tsx';
import { links } from '../../parts/links.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { NotConnected } from '../../parts/provider-head.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { PageHead } from '../../ui/page.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Blank, Loading } from '../../ui/widgets.tsx';
import { Workbench } from './workbench.tsx';
import './composer.css';

/** One tool: its arguments, what exactly will be sent, and what came back. */
export function ComposerPage({ of, index }: { readonly of: OfProvider; readonly index: number }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const catalog = useQuery(orpc.catalog.get.queryOptions({ input: { ...of, refresh: false } }));
  const detail = useQuery({
    ...orpc.catalog.tool.queryOptions({ input: { ...of, index } }),
    enabled: catalog.data?.problem === null,
  });
  const tool = detail.data?.row.name ?? null;
  const draft = useQuery({
    ...orpc.calls.getDraft.queryOptions({ input: { ...of, tool: tool ?? '' } }),
    enabled: tool !== null,
    // Read once a visit: while the page is open, the page has the newest text.
    staleTime: 0,
    gcTime: 0,
  });
  const error = catalog.error ?? detail.error ?? draft.error;
  const problem = error === null ? (catalog.data?.problem ?? null) : problemOf(error);
  return (
    <div className="page">
      <Head of={of} index={index} catalog={catalog.data} detail={detail.data} />
      {problem === null ? null : (
        <div className="page-body">
          <ProblemView problem={problem} title={t('uiCatalog.failed')} alert />
        </div>
      )}
      {problem !== null ? null : detail.data !== undefined && tool === null ? (
        <Blank icon="stop" title={t('uiComposer.noName')}>
          <p>{t('uiCatalog.malformedHelp')}</p>
        </Blank>
      ) : detail.data === undefined || tool === null || draft.data === undefined || !draft.isFetchedAfterMount ? (
        <Loading />
      ) : (
        <Workbench
          key={tool}
          of={of}
          tool={tool}
          detail={detail.data}
          initial={draft.data.argsText ?? detail.data.example ?? '{}'}
        />
      )}
    </div>
  );
}

function Head({
  of,
  index,
  catalog,
  detail,
}: {
  readonly of: OfProvider;
  readonly index: number;
  readonly catalog: Catalog | undefined;
  readonly detail: ToolDetail | undefined;
}) {
  const { t } = useI18n();
  const devices = useDevices();
  const providers = useProviders({ deviceKey: of.deviceKey, userId: of.userId });
  const device = devices.value?.devices.find((each) => each.key === of.deviceKey);
  const provider = providers.value?.providers.find((each) => each.key === of.providerKey);
  const annotations = detail?.row.annotations ?? null;
  return (
    <PageHead
      ruled
      actions={devices.value === undefined || device?.state === 'device' ? undefined : <NotConnected />}
      crumbs={[
        { to: links.device(of), label: <SafeText text={device?.model ?? of.deviceKey} limit={40} fixed /> },
        {
          to: links.provider(of),
          label: <SafeText text={provider?.candidate.label ?? of.providerKey} limit={50} fixed />,
        },
        { to: links.tool(of, index), label: t('uiProviders.tools') },
      ]}
      title={
        <span className="mono composer-title">
          {detail?.row.name == null ? `#${index}` : <SafeText text={detail.row.name} limit={120} fixed />}
        </span>
      }
      marks={
        detail === undefined ? null : annotations === null ? (
          <Badge look="dashed" icon="question">
            {catalog?.protocol === 'v1' ? t('uiCatalog.v1NoAnnotations') : t('uiCatalog.noAnnotations')}
          </Badge>
        ) : (
          <span className="row wrap" style={{ gap: 4 }}>
            <WordBadge facet="effect" value={annotations.effect} />
            <WordBadge facet="risk" value={annotations.risk} />
            <WordBadge facet="confirmation" value={annotations.confirmation} />
            <WordBadge facet="execution" value={annotations.execution} />
            <FlagBadges annotations={annotations} />
          </span>
        )
      }
    />
  );
}
