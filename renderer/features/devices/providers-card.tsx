import { useMutation } from '@tanstack/react-query';
import type { Provider } from '../../../shared/model/provider.ts';
import { useOrpc } from '../../connection/context.tsx';
import { type OnDevice, useProviders } from '../../connection/streams.ts';
import { FindingCounts } from '../../parts/findings.tsx';
import { links } from '../../parts/links.ts';
import { ProblemLine, ProblemView } from '../../parts/problem-view.tsx';
import { ProtocolMark } from '../../parts/protocol-mark.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { navigate } from '../../ui/location.ts';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Blank, Button, Card } from '../../ui/widgets.tsx';

/** The Providers of one device and user; a look that failed never reads as "none". */
export function ProvidersCard({ on }: { readonly on: OnDevice }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const { value, problem } = useProviders(on);
  const refresh = useMutation(orpc.providers.refresh.mutationOptions());
  const looking = value === undefined || value.state === 'looking' || refresh.isPending;
  return (
    <Card
      flush
      title={t('uiProviders.title')}
      actions={
        <>
          {value?.origin == null ? null : (
            <Badge
              icon={value.origin === 'companion' ? 'check' : 'info'}
              tone={value.origin === 'companion' ? 'ok' : 'warn'}
              look="outline"
              title={t(`uiProviders.originHelp.${value.origin}`)}
            >
              {t(`uiProviders.origin.${value.origin}`)}
            </Badge>
          )}
          <Button small look="quiet" icon="refresh" disabled={looking} onClick={() => refresh.mutate(on)}>
            {t('uiProviders.refresh')}
          </Button>
        </>
      }
    >
      {value?.problem == null ? null : (
        <div className="pad">
          <ProblemView
            problem={value.problem}
            tone={value.state === 'failed' ? 'bad' : 'warn'}
            title={value.state === 'failed' ? t('uiProviders.lookFailed') : t('uiProviders.limited')}
          />
        </div>
      )}
      {problem === null ? null : (
        <div className="pad">
          <ProblemView problem={problem} title={t('uiProviders.lookFailed')} />
        </div>
      )}
      {value === undefined || (value.state === 'looking' && value.providers.length === 0) ? (
        problem === null ? (
          <div className="row pad" role="status">
            <span className="spinner" /> <span className="dim">{t('uiProviders.looking')}</span>
          </div>
        ) : null
      ) : null}
      {value?.state === 'ready' && value.providers.length === 0 ? (
        <Blank icon="box" title={t('uiProviders.none')}>
          <p>{t('uiProviders.noneHelp')}</p>
        </Blank>
      ) : null}
      {value !== undefined && value.providers.length > 0 ? <ProviderTable providers={value.providers} on={on} /> : null}
      {value !== undefined && value.unreadable.length > 0 ? (
        <div className="pad stack-s">
          <h3>{t('uiProviders.unreadable', { count: value.unreadable.length })}</h3>
          <ul>
            {value.unreadable.map((each) => (
              <li key={each.package} className="fine">
                <span className="mono">
                  <SafeText text={each.package} limit={160} />
                </span>
                {': '}
                <ProblemLine problem={each.problem} />
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </Card>
  );
}

function ProviderTable({ providers, on }: { readonly providers: readonly Provider[]; readonly on: OnDevice }) {
  const { t, known } = useI18n();
  return (
    <table className="table provider-table">
      <thead>
        <tr>
          <th scope="col">{t('uiProviders.column.provider')}</th>
          <th scope="col">{t('uiProviders.column.authority')}</th>
          <th scope="col">{t('uiProviders.column.protocol')}</th>
          <th scope="col">{t('uiProviders.column.calls')}</th>
          <th scope="col">{t('uiProviders.column.findings')}</th>
        </tr>
      </thead>
      <tbody>
        {providers.map((provider) => {
          const of = { ...on, providerKey: provider.key };
          const to = links.provider(of);
          return (
            <tr key={provider.key} className="clickable" onClick={() => navigate(to)}>
              <td>
                <a href={`#${to}`} className="strong">
                  <SafeText text={provider.candidate.label ?? provider.candidate.package} limit={80} fixed />
                </a>{' '}
                <span className="dim num">
                  <SafeText text={provider.candidate.versionName ?? ''} limit={30} fixed />
                </span>
                <div className="mono dim">
                  <SafeText text={provider.candidate.package} limit={100} fixed />
                </div>
              </td>
              <td className="mono">
                {provider.authority === null ? (
                  <span className="dim">{t('common.none')}</span>
                ) : (
                  <SafeText text={provider.authority} limit={120} fixed />
                )}
              </td>
              <td>
                {provider.bridge === 'none' && provider.protocol !== 'none' ? (
                  <span className={`proto ${provider.protocol}`}>{provider.protocol}</span>
                ) : (
                  <ProtocolMark of={of} provider={provider} />
                )}
              </td>
              <td>
                {provider.bridge === 'none' ? (
                  <span className="toned tone-bad">{t('uiProviders.bridge.none')}</span>
                ) : (
                  t(`uiProviders.bridge.${provider.bridge}`)
                )}
                {provider.bridgeProblem === null ? null : (
                  <div className="sub fine bridge-why">
                    {known(`problem.${provider.bridgeProblem.code}`, provider.bridgeProblem.params) ??
                      provider.bridgeProblem.code}
                  </div>
                )}
              </td>
              <td>
                <span className="row wrap">
                  {provider.findings.length === 0 ? (
                    <span className="dim">{t('common.none')}</span>
                  ) : (
                    <FindingCounts findings={provider.findings} />
                  )}
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
