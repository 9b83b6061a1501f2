import type { Device } from '../../shared/model/device.ts';
import type { Provider } from '../../shared/model/provider.ts';
import type { OfProvider } from '../connection/streams.ts';
import { useI18n } from '../ui/i18n.tsx';
import { PageHead, Tabs } from '../ui/page.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Badge } from '../ui/widgets.tsx';
import { links } from './links.ts';

/** The head that all pages of one Provider share. */
export function ProviderHead({
  of,
  provider,
  device,
  connected,
  tab,
  toolCount,
}: {
  readonly of: OfProvider;
  readonly provider: Provider | undefined;
  readonly device: Device | undefined;
  /** False where the device is known not to answer: what is shown is the last that was known. */
  readonly connected: boolean;
  readonly tab: 'overview' | 'session' | 'tools';
  readonly toolCount?: number | undefined;
}) {
  const { t, known } = useI18n();
  const name = provider?.candidate.label ?? provider?.candidate.package ?? of.providerKey;
  return (
    <>
      <PageHead
        crumbs={[
          {
            to: links.device(of),
            label: <SafeText text={device?.model ?? device?.serial ?? of.deviceKey} limit={60} fixed />,
          },
        ]}
        title={<SafeText text={name} limit={120} fixed />}
        actions={connected ? undefined : <NotConnected />}
        marks={
          provider === undefined ? null : (
            <>
              <span
                className={`proto ${provider.protocol}`}
                title={known(`protocolReason.${provider.protocolReason}`) ?? provider.protocolReason}
              >
                {provider.protocol === 'none' ? t('uiProviders.unusable') : provider.protocol}
              </span>
              {provider.bridge === 'companion' ? null : (
                <Badge
                  tone={provider.bridge === 'shell' ? 'warn' : 'bad'}
                  look="outline"
                  icon={provider.bridge === 'shell' ? 'warning' : 'ban'}
                >
                  {t(`uiProviders.bridge.${provider.bridge}`)}
                </Badge>
              )}
              <span className="mono dim">
                <SafeText text={provider.authority ?? provider.candidate.package} limit={120} fixed />
              </span>
            </>
          )
        }
      />
      <Tabs
        label={t('uiProviders.views')}
        tabs={[
          {
            to: links.provider(of),
            label: t('uiProviders.overview'),
            current: tab === 'overview',
            count: provider?.findings.length || undefined,
          },
          { to: links.provider(of, 'session'), label: t('uiProviders.session'), current: tab === 'session' },
          {
            to: links.provider(of, 'tools'),
            label: t('uiProviders.tools'),
            current: tab === 'tools',
            count: toolCount,
          },
        ]}
      />
    </>
  );
}

export function NotConnected() {
  const { t } = useI18n();
  return (
    <Badge tone="warn" icon="plug" title={t('uiDevices.goneHelp')}>
      {t('uiProviders.deviceNotReady')}
    </Badge>
  );
}
