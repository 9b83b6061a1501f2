import { useMutation } from '@tanstack/react-query';
import type { CompanionStatus } from '../../../shared/model/device.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { type OnDevice, useCompanion } from '../../connection/streams.ts';
import { CompanionBadge } from '../../parts/companion-badge.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Button, Card } from '../../ui/widgets.tsx';
import { CompanionFacts } from './companion-facts.tsx';
import { UninstallCompanion } from './uninstall-companion.tsx';

/** What the companion is, whether it runs and for whom, and the explicit steps that install and remove it. */
export function CompanionCard({ on }: { readonly on: OnDevice }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const { value, problem } = useCompanion(on);
  const install = useMutation(orpc.companion.install.mutationOptions());
  const uninstall = useMutation(orpc.companion.uninstall.mutationOptions());
  const connect = useMutation(orpc.companion.connect.mutationOptions());
  if (value === undefined) {
    return (
      <Card title={t('uiDevices.companion')}>
        {problem === null ? <span className="spinner" /> : <ProblemView problem={problem} />}
      </Card>
    );
  }
  const busy = install.isPending || uninstall.isPending || connect.isPending;
  // The status tells the last refusal as well, until something else happens.
  const refusals = [install, uninstall, connect]
    .filter(({ error }) => error !== null)
    .map(({ error }) => problemOf(error))
    .filter(({ code }) => code !== value.problem?.code);
  const act = (one: typeof install | typeof uninstall | typeof connect) => {
    for (const each of [install, uninstall, connect]) each.reset();
    one.mutate(on);
  };
  return (
    <Card title={t('uiDevices.companion')} actions={<CompanionBadge state={value.state} />}>
      <div className="stack">
        <p className="sub">{t('uiDevices.companionWhat')}</p>
        <CompanionFacts status={value} />
        {value.problem === null ? null : (
          <ProblemView problem={value.problem} tone={value.state === 'failed' ? 'bad' : 'warn'} />
        )}
        {refusals.map((refusal) => (
          <ProblemView key={refusal.code} problem={refusal} alert />
        ))}
        <div className="row wrap">
          {value.state === 'installed' || value.state === 'failed' ? (
            <Button icon="play" disabled={busy} onClick={() => act(connect)}>
              {t(value.problem?.code === 'companion.taken-over' ? 'uiDevices.takeBack' : 'uiDevices.connectCompanion')}
            </Button>
          ) : null}
          {offersInstall(value) ? (
            <Button icon="plus" look="primary" disabled={busy} onClick={() => act(install)}>
              {t(install.isPending ? 'uiDevices.installing' : installWord(value))}
            </Button>
          ) : null}
          {value.state === 'not-installed' || value.state === 'unknown' ? null : (
            <UninstallCompanion busy={busy} pending={uninstall.isPending} onUninstall={() => act(uninstall)} />
          )}
        </div>
        {offersInstall(value) ? <p className="dim fine">{t('uiDevices.installWhat')}</p> : null}
      </div>
    </Card>
  );
}

function offersInstall({ state, permission, isOlder }: CompanionStatus): boolean {
  return state === 'not-installed' || state === 'failed' || permission === 'denied' || isOlder;
}

function installWord({ state, isOlder }: CompanionStatus) {
  if (state === 'not-installed') return 'uiDevices.install';
  return isOlder ? 'uiCompanion.update' : 'uiDevices.reinstall';
}
