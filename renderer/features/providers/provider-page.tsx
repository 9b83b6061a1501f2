import type { Provider } from '../../../shared/model/provider.ts';
import { type OfProvider, useDevices, useProviders } from '../../connection/streams.ts';
import { links } from '../../parts/links.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { ProviderHead } from '../../parts/provider-head.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { PageBody } from '../../ui/page.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Blank, Loading } from '../../ui/widgets.tsx';
import { Overview } from './overview.tsx';
import { SessionView } from './session-view.tsx';

export function ProviderPage({ of, tab }: { readonly of: OfProvider; readonly tab: 'overview' | 'session' }) {
  const { t } = useI18n();
  const { value, problem } = useProviders({ deviceKey: of.deviceKey, userId: of.userId });
  const devices = useDevices();
  const device = devices.value?.devices.find((each) => each.key === of.deviceKey);
  const provider: Provider | undefined = value?.providers.find((each) => each.key === of.providerKey);
  if (provider === undefined) {
    if (problem !== null)
      return (
        <div className="page-body">
          <ProblemView problem={problem} />
        </div>
      );
    if (value?.state === 'failed' && value.problem !== null) {
      return (
        <div className="page-body">
          <ProblemView problem={value.problem} title={t('uiProviders.lookFailed')} />
        </div>
      );
    }
    if (value === undefined || value.state === 'looking') {
      if (devices.value !== undefined && device?.state !== 'device') {
        return (
          <Blank icon="plug" title={t('uiProviders.deviceNotReady')}>
            <p>{t('uiDevices.goneHelp')}</p>
          </Blank>
        );
      }
      return <Loading label={t('uiProviders.looking')} />;
    }
    return (
      <Blank icon="box" title={t('uiProviders.gone')}>
        <p>{t('uiProviders.goneHelp')}</p>
        <p className="mono dim">
          <SafeText text={of.providerKey} />
        </p>
        <a className="link" href={`#${links.device(of)}`}>
          {t('uiProviders.toDevice')}
        </a>
      </Blank>
    );
  }
  return (
    <div className="page">
      <ProviderHead
        of={of}
        provider={provider}
        device={device}
        connected={devices.value === undefined || device?.state === 'device'}
        tab={tab}
      />
      <PageBody label={tab === 'overview' ? t('uiProviders.overview') : t('uiProviders.session')}>
        {tab === 'overview' ? <Overview of={of} provider={provider} /> : <SessionView of={of} provider={provider} />}
      </PageBody>
    </div>
  );
}
