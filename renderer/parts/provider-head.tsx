import type { Device } from '../../shared/model/device.ts';
import type { Provider } from '../../shared/model/provider.ts';
import type { OfProvider } from '../connection/streams.ts';
import { useI18n } from '../ui/i18n.tsx';
import { PageHead, Tabs } from '../ui/page.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Badge } from '../ui/widgets.tsx';
import { FindingCounts } from './findings.tsx';
import { links } from './links.ts';
import { ProtocolMark } from './protocol-mark.tsx';

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
  const { t } = useI18n();
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
              <ProtocolMark of={of} provider={provider} />
              {provider.bridge === 'shell' ? (
                <Badge tone="warn" look="outline" icon="warning">
                  {t('uiProviders.bridge.shell')}
                </Badge>
              ) : null}
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
            marks: provider === undefined ? undefined : <FindingCounts findings={provider.findings} />,
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
