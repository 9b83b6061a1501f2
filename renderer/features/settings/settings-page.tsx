import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { useDevices } from '../../connection/streams.ts';
import { ServerDot } from '../../parts/device-marks.tsx';
import { ProblemLine, ProblemView } from '../../parts/problem-view.tsx';
import { setAppearance, useAppearance } from '../../ui/appearance.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { PageHead } from '../../ui/page.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Button, Card, Segmented } from '../../ui/widgets.tsx';
import { ResultsCard } from './results-card.tsx';

export function SettingsPage() {
  const { t } = useI18n();
  const client = useClient();
  const orpc = useOrpc();
  const appearance = useAppearance();
  const info = useQuery(orpc.app.info.queryOptions());
  return (
    <div className="page">
      <PageHead title={t('shell.settings')} ruled />
      <div className="page-body" style={{ maxWidth: 780 }}>
        <Card title={t('shell.appearance')}>
          <div className="stack">
            <div className="row wrap">
              <span style={{ width: 140 }}>{t('shell.theme')}</span>
              <Segmented
                label={t('shell.theme')}
                value={appearance.theme}
                options={(['system', 'light', 'dark', 'contrast'] as const).map((value) => ({
                  value,
                  label: t(`shell.theme.${value}`),
                }))}
                onChange={(theme) => setAppearance(client, { ...appearance, theme })}
              />
            </div>
            <div className="row wrap">
              <span style={{ width: 140 }}>{t('shell.language')}</span>
              <Segmented
                label={t('shell.language')}
                value={appearance.language}
                options={[
                  { value: 'system', label: t('shell.theme.system') },
                  { value: 'en', label: 'English' },
                  { value: 'zh-CN', label: '简体中文' },
                ]}
                onChange={(language) => setAppearance(client, { ...appearance, language })}
              />
            </div>
          </div>
        </Card>
        <Servers />
        <ResultsCard />
        <Card title={t('shell.about')}>
          {info.error === null ? null : <ProblemView problem={problemOf(info.error)} />}
          {info.data === undefined ? null : (
            <dl className="facts">
              <dt>{t('shell.version')}</dt>
              <dd>{info.data.version}</dd>
              <dt>{t('shell.platform')}</dt>
              <dd>{info.data.platform}</dd>
              <dt>{t('shell.journalFile')}</dt>
              <dd className="mono">
                <SafeText text={info.data.journalFile} />
              </dd>
              <dt>{t('shell.companionApk')}</dt>
              <dd>{info.data.hasCompanionApk ? t('common.yes') : t('common.no')}</dd>
            </dl>
          )}
        </Card>
      </div>
    </div>
  );
}

function Servers() {
  const { t } = useI18n();
  const orpc = useOrpc();
  const { value } = useDevices();
  const [host, setHost] = useState('');
  const [port, setPort] = useState('5037');
  const add = useMutation(orpc.devices.addServer.mutationOptions({ onSuccess: () => setHost('') }));
  const remove = useMutation(orpc.devices.removeServer.mutationOptions());
  const number = Number(port);
  const ready = host.trim() !== '' && /^\d{1,5}$/.test(port) && number >= 1 && number <= 65_535;
  return (
    <Card title={t('shell.servers')}>
      <div className="stack">
        <ul className="stack-s">
          {(value?.servers ?? []).map((server) => (
            <li key={server.id} className="row">
              <ServerDot state={server.state} />
              <span className="mono">
                {server.host}:{server.port}
              </span>
              <span className="dim">
                {t(`uiDevices.server.${server.kind}`)} · {t(`uiDevices.serverState.${server.state}`)}
                {server.version === null ? '' : ` · ${t('uiDevices.serverVersion', { version: server.version })}`}
              </span>
              <span className="grow fine toned tone-bad">
                {server.problem === null ? null : <ProblemLine problem={server.problem} />}
              </span>
              {server.kind === 'remote' ? (
                <Button
                  small
                  look="quiet"
                  icon="cross"
                  disabled={remove.isPending}
                  onClick={() => remove.mutate({ serverId: server.id })}
                >
                  {t('shell.removeServer')}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
        {remove.error === null ? null : <ProblemView problem={problemOf(remove.error)} alert />}
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            if (ready) add.mutate({ host: host.trim(), port: number });
          }}
        >
          <input
            className="text-input mono"
            style={{ maxWidth: 260 }}
            value={host}
            onChange={(event) => setHost(event.target.value)}
            aria-label={t('shell.serverHost')}
            placeholder={t('shell.serverHost')}
            spellCheck={false}
          />
          <input
            className="text-input mono"
            style={{ width: 90 }}
            value={port}
            onChange={(event) => setPort(event.target.value)}
            aria-label={t('shell.serverPort')}
            inputMode="numeric"
          />
          <Button type="submit" icon="plus" disabled={!ready || add.isPending}>
            {t('uiDevices.addServer')}
          </Button>
        </form>
        {add.error === null ? null : <ProblemView problem={problemOf(add.error)} alert />}
      </div>
    </Card>
  );
}
