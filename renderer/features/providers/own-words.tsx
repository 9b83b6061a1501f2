import { skipToken, useQuery } from '@tanstack/react-query';
import type { ProviderInfo } from '../../../shared/model/catalog.ts';
import { useOrpc } from '../../connection/context.tsx';
import type { OfProvider } from '../../connection/streams.ts';
import { FindingList } from '../../parts/findings.tsx';
import { links } from '../../parts/links.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Card } from '../../ui/widgets.tsx';

/**
 * `get_provider_info`, as far as the tools were read already: looking at the
 * overview asks the Provider nothing.
 */
export function OwnWords({ of, callable }: { readonly of: OfProvider; readonly callable: boolean }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const { queryKey } = orpc.catalog.get.queryOptions({ input: { ...of, refresh: false } });
  const { data: catalog } = useQuery<{
    info: ProviderInfo | null;
    infoProblem: Parameters<typeof ProblemView>[0]['problem'] | null;
  }>({
    queryKey,
    queryFn: skipToken,
  });
  return (
    <Card title={t('uiProviders.ownWords')} actions={<span className="dim fine">get_provider_info</span>}>
      {catalog === undefined ? (
        <p className="dim">
          {callable ? (
            <>
              {t('uiProviders.ownWordsUnread')}{' '}
              <a className="link" href={`#${links.provider(of, 'tools')}`}>
                {t('uiProviders.readTools')}
              </a>
            </>
          ) : (
            t('uiProviders.ownWordsUnreachable')
          )}
        </p>
      ) : catalog.info === null ? (
        catalog.infoProblem === null ? (
          <p className="dim">{t('common.none')}</p>
        ) : (
          <ProblemView problem={catalog.infoProblem} tone="warn" />
        )
      ) : (
        <Info info={catalog.info} />
      )}
    </Card>
  );
}

function Info({ info }: { readonly info: ProviderInfo }) {
  const { t } = useI18n();
  const none = <span className="dim">{t('common.notDeclared')}</span>;
  return (
    <div className="stack">
      <dl className="facts">
        <dt>provider_id</dt>
        <dd className="mono">{info.providerId === null ? none : <SafeText text={info.providerId} />}</dd>
        <dt>provider_name</dt>
        <dd>{info.providerName === null ? none : <SafeText text={info.providerName} />}</dd>
        <dt>description</dt>
        <dd>{info.description === null ? none : <SafeText text={info.description} limit={600} />}</dd>
        <dt>schema_dialect</dt>
        <dd className="mono">{info.schemaDialect === null ? none : <SafeText text={info.schemaDialect} />}</dd>
        <dt>scopes</dt>
        <dd>
          {info.scopes.length === 0 ? <span className="dim">{t('common.none')}</span> : null}
          {info.scopes.slice(0, 200).map((scope) => (
            <div key={scope.name} className="scope">
              <span className="row wrap">
                <span className="mono strong">
                  <SafeText text={scope.name} limit={130} />
                </span>
                {[scope.access, scope.sensitivity].map((word) =>
                  word === null ? null : (
                    <Badge key={word} look="outline">
                      <SafeText text={word} limit={30} fixed />
                    </Badge>
                  ),
                )}
              </span>
              <div className="sub fine">
                <SafeText
                  text={[scope.title, scope.description].filter((text) => text !== null).join(': ')}
                  limit={300}
                />
              </div>
            </div>
          ))}
          {info.scopes.length > 200 ? (
            <span className="dim">{t('shell.moreItems', { count: info.scopes.length - 200 })}</span>
          ) : null}
        </dd>
      </dl>
      {info.findings.length === 0 ? null : <FindingList findings={info.findings} />}
    </div>
  );
}
