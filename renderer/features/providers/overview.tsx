import type { ReactNode } from 'react';
import type { Provider } from '../../../shared/model/provider.ts';
import type { OfProvider } from '../../connection/streams.ts';
import { BundleTable } from '../../parts/bundle-table.tsx';
import { FindingList } from '../../parts/findings.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Card } from '../../ui/widgets.tsx';
import { OwnWords } from './own-words.tsx';
import './providers.css';

/** Our verdict on the left, the manifest's raw facts on the right. */
export function Overview({ of, provider }: { readonly of: OfProvider; readonly provider: Provider }) {
  const { t, known } = useI18n();
  const { candidate } = provider;
  const reason = known(`protocolReason.${provider.protocolReason}`) ?? provider.protocolReason;
  return (
    <>
      {provider.bridgeProblem === null ? null : (
        <ProblemView
          problem={provider.bridgeProblem}
          tone={provider.bridge === 'none' ? 'bad' : 'warn'}
          icon={provider.bridge === 'none' ? 'ban' : 'warning'}
        />
      )}
      <div className="columns">
        <div className="stack">
          <Card title={t('uiProviders.verdict')}>
            <dl className="facts">
              <dt>{t('uiProviders.protocolUsed')}</dt>
              <dd>
                <span className={`proto ${provider.protocol}`}>
                  {provider.protocol === 'none' ? t('uiProviders.unusable') : provider.protocol}
                </span>
                <div className="sub">
                  <SafeText text={reason} limit={400} />
                </div>
              </dd>
              <dt>{t('uiProviders.versionsDeclared')}</dt>
              <dd>
                {provider.versions === null ? (
                  <span className="dim">{t('uiProviders.versionsNone')}</span>
                ) : (
                  provider.versions.join(', ')
                )}
              </dd>
              <dt>{t('uiProviders.column.calls')}</dt>
              <dd>{t(`uiProviders.bridge.${provider.bridge}`)}</dd>
              <dt>{t('uiProviders.seenBy')}</dt>
              <dd>{t(`uiProviders.origin.${provider.origin}`)}</dd>
            </dl>
          </Card>
          <Card
            flush
            title={t('uiProviders.findingsTitle')}
            actions={<span className="dim fine">{t('uiProviders.ourVerdict')}</span>}
          >
            <FindingList findings={provider.findings} />
          </Card>
          <Card
            flush
            title={t('uiProviders.metaData')}
            actions={<span className="dim fine">{t('uiProviders.rawFacts')}</span>}
          >
            {candidate.unknown.includes('metaData') ? (
              <p className="dim pad">{t('uiProviders.cannotTell')}</p>
            ) : (
              <BundleTable bundle={candidate.metaData} label={t('uiProviders.metaData')} />
            )}
          </Card>
        </div>
        <div className="stack">
          <OwnWords of={of} callable={provider.bridge !== 'none'} />
          <PackageFacts provider={provider} />
          <ServiceFacts provider={provider} />
          <ContentProviderFacts provider={provider} />
        </div>
      </div>
    </>
  );
}

function PackageFacts({ provider }: { readonly provider: Provider }) {
  const { t } = useI18n();
  const { candidate } = provider;
  const cannot = (name: string) => candidate.unknown.includes(name);
  return (
    <Card title={t('uiProviders.package')} actions={<span className="dim fine">{t('uiProviders.rawFacts')}</span>}>
      <dl className="facts">
        <Fact name={t('uiProviders.fact.package')} value={candidate.package} mono />
        <Fact name={t('uiProviders.fact.label')} value={candidate.label} hidden={cannot('label')} />
        <Fact
          name={t('uiProviders.fact.version')}
          value={
            candidate.versionName === null && candidate.versionCode === null
              ? null
              : `${candidate.versionName ?? '?'} (${candidate.versionCode ?? '?'})`
          }
          hidden={cannot('versionName')}
        />
        <Fact name="uid" value={candidate.uid === null ? null : String(candidate.uid)} hidden={cannot('uid')} />
        <Fact name="sharedUserId" value={candidate.sharedUserId} hidden={cannot('sharedUserId')} mono />
        <Fact
          name={t('uiProviders.fact.signers')}
          value={candidate.signingCertSha256.join('\n') || null}
          hidden={cannot('signingCertSha256')}
          mono
        />
        <Fact
          name={t('uiProviders.fact.pastSigners')}
          value={candidate.pastSigningCertSha256.join('\n') || null}
          hidden={cannot('pastSigningCertSha256')}
          mono
        />
        <Fact
          name={t('uiProviders.fact.definesPermissions')}
          value={candidate.definesPermissions.join('\n') || null}
          hidden={cannot('definesPermissions')}
          mono
        />
        <Fact name={t('uiProviders.fact.visible')} hidden={cannot('visibleByQueries')}>
          <YesNo value={candidate.visibleByQueries} />
        </Fact>
      </dl>
    </Card>
  );
}

function ServiceFacts({ provider }: { readonly provider: Provider }) {
  const { t } = useI18n();
  const { component, unknown } = provider.candidate;
  const cannot = (name: string) => unknown.includes('component') || unknown.includes(`component.${name}`);
  return (
    <Card title={t('uiProviders.service')} actions={<span className="dim fine">{t('uiProviders.rawFacts')}</span>}>
      <dl className="facts">
        <Fact name={t('uiProviders.fact.class')} value={component.name} mono />
        <Fact name="exported" hidden={cannot('exported')}>
          <YesNo value={component.exported} />
        </Fact>
        <Fact name="enabled" hidden={cannot('enabled')}>
          <YesNo value={component.enabled} />
        </Fact>
        <Fact name="permission" value={component.permission} hidden={cannot('permission')} mono />
        <Fact name="processName" value={component.processName} hidden={cannot('processName')} mono />
      </dl>
    </Card>
  );
}

function ContentProviderFacts({ provider }: { readonly provider: Provider }) {
  const { t } = useI18n();
  const { provider: content, unknown, package: own } = provider.candidate;
  const cannot = (name: string) => unknown.includes('provider') || unknown.includes(`provider.${name}`);
  return (
    <Card
      title={t('uiProviders.contentProvider')}
      actions={<span className="dim fine">{t('uiProviders.rawFacts')}</span>}
    >
      {content === null ? (
        <p className="dim">
          {unknown.includes('provider') ? t('uiProviders.cannotTell') : t('uiProviders.noContentProvider')}
        </p>
      ) : (
        <dl className="facts">
          <Fact
            name={t('uiProviders.column.authority')}
            value={content.authorities.join('\n') || null}
            hidden={cannot('authorities')}
            mono
          />
          <Fact name={t('uiProviders.fact.package')} hidden={cannot('package')}>
            <span className="mono">
              <SafeText text={content.package} />
            </span>
            {content.package === own ? null : (
              <span className="tone-bad toned strong">
                {' '}
                <Icon name="warning" size={12} /> {t('uiProviders.otherPackage')}
              </span>
            )}
          </Fact>
          <Fact name={t('uiProviders.fact.class')} value={content.name} hidden={cannot('name')} mono />
          <Fact name="exported" hidden={cannot('exported')}>
            <YesNo value={content.exported} />
          </Fact>
          <Fact name="enabled" hidden={cannot('enabled')}>
            <YesNo value={content.enabled} />
          </Fact>
          <Fact name="readPermission" value={content.readPermission} hidden={cannot('readPermission')} mono />
          <Fact name="writePermission" value={content.writePermission} hidden={cannot('writePermission')} mono />
          <Fact name="grantUriPermissions" hidden={cannot('grantUriPermissions')}>
            <YesNo value={content.grantUriPermissions} />
          </Fact>
          <Fact name="initOrder" value={String(content.initOrder)} hidden={cannot('initOrder')} />
          <Fact name="processName" value={content.processName} hidden={cannot('processName')} mono />
        </dl>
      )}
    </Card>
  );
}

/** `null` is "the device says there is none"; `hidden` is "this way of looking cannot tell". The two never look alike. */
function Fact({
  name,
  value = null,
  hidden = false,
  mono = false,
  children,
}: {
  readonly name: string;
  readonly value?: string | null;
  readonly hidden?: boolean;
  readonly mono?: boolean;
  readonly children?: ReactNode;
}) {
  const { t } = useI18n();
  const shown =
    children ??
    (value === null ? <span className="dim">{t('common.none')}</span> : <SafeText text={value} limit={400} block />);
  return (
    <>
      <dt>{name}</dt>
      <dd className={mono ? 'mono' : ''}>
        {hidden ? <span className="cannot">{t('uiProviders.cannotTell')}</span> : shown}
      </dd>
    </>
  );
}

function YesNo({ value }: { readonly value: boolean | null }) {
  const { t } = useI18n();
  if (value === null) return <span className="dim">{t('common.unknown')}</span>;
  return (
    <span className="row" style={{ gap: 5 }}>
      <Icon name={value ? 'check' : 'cross'} size={12} /> {value ? t('common.yes') : t('common.no')}
    </span>
  );
}
