import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Catalog, Scope, ToolDetail } from '../../../shared/model/catalog.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import type { OfProvider } from '../../connection/streams.ts';
import { FlagBadges, WordBadge } from '../../parts/annotation-badges.tsx';
import { FindingList } from '../../parts/findings.tsx';
import { links } from '../../parts/links.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { SchemaTree } from '../../parts/schema-tree.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Button, CopyButton, Loading, Note, Segmented } from '../../ui/widgets.tsx';

export function ToolDetailPane({
  of,
  index,
  catalog,
  onClose,
}: {
  readonly of: OfProvider;
  readonly index: number;
  readonly catalog: Catalog;
  readonly onClose: () => void;
}) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const detail = useQuery(orpc.catalog.tool.queryOptions({ input: { ...of, index } }));
  const row = catalog.tools.find((each) => each.index === index);
  return (
    <section className="detail-pane" aria-label={t('uiCatalog.detail')}>
      <header className="detail-head">
        <div className="grow">
          <h2 className="mono anywhere">
            {row?.name == null ? t('uiCatalog.unnamed', { index }) : <SafeText text={row.name} limit={120} />}
          </h2>
          {row?.title == null ? null : (
            <div className="sub">
              <SafeText text={row.title} limit={160} />
            </div>
          )}
        </div>
        {row?.name == null ? null : (
          <a className="btn primary" href={`#${links.call(of, index)}`}>
            <Icon name="play" size={13} /> {t('uiCatalog.compose')}
          </a>
        )}
        <Button look="quiet" icon="cross" aria-label={t('common.close')} onClick={onClose} />
      </header>
      <div className="detail-body">
        {detail.error === null ? null : <ProblemView problem={problemOf(detail.error)} />}
        {detail.data === undefined ? (
          detail.isPending ? (
            <Loading />
          ) : null
        ) : (
          <Detail detail={detail.data} catalog={catalog} />
        )}
      </div>
    </section>
  );
}

function Detail({ detail, catalog }: { readonly detail: ToolDetail; readonly catalog: Catalog }) {
  const { t } = useI18n();
  const { row } = detail;
  return (
    <>
      {row.state === 'malformed' ? (
        <Note tone="bad" icon="stop" title={t('uiCatalog.malformedTitle')}>
          {t('uiCatalog.malformedHelp')}
        </Note>
      ) : null}
      {detail.truncated ? (
        <Note tone="warn" icon="warning">
          {t('uiCatalog.truncated')}
        </Note>
      ) : null}
      {row.findings.length === 0 ? null : (
        <Part title={t('uiProviders.findingsTitle')} aside={t('uiProviders.ourVerdict')}>
          <div className="card">
            <FindingList findings={row.findings} />
          </div>
        </Part>
      )}
      {row.annotations === null ? (
        <Note tone="info" icon="info">
          {catalog.protocol === 'v1' ? t('uiCatalog.v1Banner') : t('uiCatalog.noAnnotationsHelp')}
        </Note>
      ) : (
        <Part title={t('uiCatalog.annotations')} aside={t('uiCatalog.byProvider')}>
          <div className="row wrap">
            <WordBadge facet="effect" value={row.annotations.effect} />
            <WordBadge facet="risk" value={row.annotations.risk} />
            <WordBadge facet="confirmation" value={row.annotations.confirmation} />
            <WordBadge facet="execution" value={row.annotations.execution} />
            <FlagBadges annotations={row.annotations} />
          </div>
        </Part>
      )}
      <Part title={t('uiCatalog.description')} aside={t('uiCatalog.byProvider')}>
        {detail.description === '' ? (
          <p className="dim">{t('uiCatalog.noDescription')}</p>
        ) : (
          <SafeText text={detail.description} limit={1500} block />
        )}
      </Part>
      <Part title={t('uiCatalog.scopes')}>
        <Scopes names={row.scopes} scopes={catalog.info?.scopes ?? []} v1={catalog.protocol === 'v1'} />
      </Part>
      <Part title={t('uiCatalog.consumerName')}>
        {row.consumerName === null ? (
          <span className="dim">{t('common.none')}</span>
        ) : (
          <span className="mono">
            <SafeText text={row.consumerName} limit={200} />
          </span>
        )}
        {row.collidesWith.length === 0 ? null : (
          <Note tone="warn" icon="warning" title={t('uiCatalog.collides')}>
            <ul className="mono fine">
              {row.collidesWith.slice(0, 20).map((other) => (
                <li key={other}>
                  <SafeText text={other} limit={200} />
                </li>
              ))}
            </ul>
          </Note>
        )}
      </Part>
      <Schema title={t('uiCatalog.inputSchema')} text={detail.inputSchema} />
      <Schema title={t('uiCatalog.outputSchema')} text={detail.outputSchema} />
      <RawEntry text={detail.raw} />
    </>
  );
}

function Part({
  title,
  aside,
  actions,
  children,
}: {
  readonly title: string;
  readonly aside?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="stack-s">
      <div className="row">
        <h3>{title}</h3>
        {aside === undefined ? null : <span className="dim fine">{aside}</span>}
        <span className="grow" />
        {actions}
      </div>
      {children}
    </section>
  );
}

function Scopes({
  names,
  scopes,
  v1,
}: {
  readonly names: readonly string[];
  readonly scopes: readonly Scope[];
  readonly v1: boolean;
}) {
  const { t } = useI18n();
  if (names.length === 0) return <span className="dim">{v1 ? t('uiCatalog.v1NoScopes') : t('common.none')}</span>;
  return (
    <ul className="stack-s">
      {names.map((name) => {
        const scope = scopes.find((each) => each.name === name);
        return (
          <li key={name} className="scope">
            <div className="row wrap">
              <span className="mono strong">
                <SafeText text={name} limit={120} />
              </span>
              {scope === undefined ? (
                <Badge look="dashed" icon="question">
                  {t('uiCatalog.scopeUndescribed')}
                </Badge>
              ) : (
                <>
                  <ScopeWord name={t('uiCatalog.access')} value={scope.access} />
                  <ScopeWord name={t('uiCatalog.sensitivity')} value={scope.sensitivity} />
                </>
              )}
            </div>
            {scope?.title == null && scope?.description == null ? null : (
              <div className="sub fine">
                <SafeText
                  text={[scope.title, scope.description].filter((part) => part !== null).join(': ')}
                  limit={300}
                />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function ScopeWord({ name, value }: { readonly name: string; readonly value: string | null }) {
  const { t } = useI18n();
  if (value === null) {
    return (
      <Badge look="dashed" icon="question">
        {t('uiCatalog.undeclared', { name })}
      </Badge>
    );
  }
  return (
    <Badge look="outline">
      {name}: <SafeText text={value} limit={30} fixed />
    </Badge>
  );
}

function Schema({ title, text }: { readonly title: string; readonly text: string | null }) {
  const { t } = useI18n();
  const [view, setView] = useState<'tree' | 'raw'>('tree');
  return (
    <Part
      title={title}
      actions={
        text === null ? null : (
          <>
            <Segmented
              label={title}
              value={view}
              options={[
                { value: 'tree', label: t('uiCatalog.tree') },
                { value: 'raw', label: t('uiCatalog.raw') },
              ]}
              onChange={setView}
            />
            <CopyButton text={text} />
          </>
        )
      }
    >
      {text === null ? (
        <span className="dim">{t('uiCatalog.noSchema')}</span>
      ) : view === 'tree' ? (
        <div className="card pad detail-block">
          <SchemaTree text={text} />
        </div>
      ) : (
        <pre className="raw-box">
          <SafeText text={text} limit={6000} block />
        </pre>
      )}
    </Part>
  );
}

function RawEntry({ text }: { readonly text: string }) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  return (
    <Part
      title={t('uiCatalog.rawEntry')}
      actions={
        <>
          <Button small look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('uiCatalog.hide') : t('uiCatalog.show')}
          </Button>
          <CopyButton text={text} />
        </>
      }
    >
      {open ? (
        <pre className="raw-box detail-block">
          <SafeText text={text} limit={6000} block />
        </pre>
      ) : null}
    </Part>
  );
}
