import { useMutation } from '@tanstack/react-query';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { type OnDevice, useCompanion } from '../../connection/streams.ts';
import { ClockOffset } from '../../parts/clock-offset.tsx';
import { CompanionBadge } from '../../parts/companion-badge.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Button, Card } from '../../ui/widgets.tsx';

/** What the companion is, whether it runs, and the one explicit step that installs it. */
export function CompanionCard({ on }: { readonly on: OnDevice }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const { value, problem } = useCompanion(on);
  const install = useMutation(orpc.companion.install.mutationOptions());
  const connect = useMutation(orpc.companion.connect.mutationOptions());
  if (value === undefined) {
    return (
      <Card title={t('uiDevices.companion')}>
        {problem === null ? <span className="spinner" /> : <ProblemView problem={problem} />}
      </Card>
    );
  }
  const idle = value.state === 'installed' || value.state === 'failed';
  const offer = value.state === 'not-installed' || value.state === 'failed' || value.permission === 'denied';
  return (
    <Card title={t('uiDevices.companion')} actions={<CompanionBadge state={value.state} />}>
      <div className="stack">
        <p className="sub">{t('uiDevices.companionWhat')}</p>
        <dl className="facts">
          <dt>{t('uiDevices.companionVersion')}</dt>
          <dd>
            {value.version === null ? (
              <span className="dim">{t('common.unknown')}</span>
            ) : (
              <SafeText text={value.version} />
            )}
          </dd>
          <dt>{t('uiDevices.companionUid')}</dt>
          <dd className="num">{value.uid ?? <span className="dim">{t('common.unknown')}</span>}</dd>
          <dt>{t('uiDevices.companionPermission')}</dt>
          <dd>
            <span className="mono">ACCESS_TOOLS</span> · {t(`uiDevices.permission.${value.permission}`)}
          </dd>
          <dt>{t('uiClock.title')}</dt>
          <dd>
            <ClockOffset clock={value.clock} />
          </dd>
        </dl>
        {value.problem === null ? null : (
          <ProblemView problem={value.problem} tone={value.state === 'failed' ? 'bad' : 'warn'} />
        )}
        {install.error === null ? null : <ProblemView problem={problemOf(install.error)} alert />}
        {connect.error === null ? null : <ProblemView problem={problemOf(connect.error)} alert />}
        {idle ? (
          <div>
            <Button icon="play" disabled={connect.isPending} onClick={() => connect.mutate(on)}>
              {t(value.problem?.code === 'companion.taken-over' ? 'uiDevices.takeBack' : 'uiDevices.connectCompanion')}
            </Button>
          </div>
        ) : null}
        {offer ? (
          <div className="stack-s">
            <div>
              <Button icon="plus" look="primary" disabled={install.isPending} onClick={() => install.mutate(on)}>
                {install.isPending
                  ? t('uiDevices.installing')
                  : value.state === 'not-installed'
                    ? t('uiDevices.install')
                    : t('uiDevices.reinstall')}
              </Button>
            </div>
            <p className="dim fine">{t('uiDevices.installWhat')}</p>
          </div>
        ) : null}
      </div>
    </Card>
  );
}
