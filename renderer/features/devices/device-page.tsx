import { useMutation } from '@tanstack/react-query';
import type { Device } from '../../../shared/model/device.ts';
import { useClient } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { type OnDevice, useDevices } from '../../connection/streams.ts';
import { DeviceDot } from '../../parts/device-marks.tsx';
import { links } from '../../parts/links.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { navigate } from '../../ui/location.ts';
import { PageBody, PageHead, Tabs } from '../../ui/page.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Blank, Button, Card, Loading, Note } from '../../ui/widgets.tsx';
import { CompanionCard } from './companion-card.tsx';
import { Doctor } from './doctor.tsx';
import { ProvidersCard } from './providers-card.tsx';

export function DevicePage({ on, tab }: { readonly on: OnDevice; readonly tab: 'overview' | 'doctor' }) {
  const { t, known } = useI18n();
  const { value, problem } = useDevices();
  if (value === undefined)
    return problem === null ? (
      <Loading />
    ) : (
      <div className="page-body">
        <ProblemView problem={problem} />
      </div>
    );
  const device = value.devices.find((each) => each.key === on.deviceKey);
  if (device === undefined) {
    return (
      <Blank icon="plug" title={t('uiDevices.gone')}>
        <p>{t('uiDevices.goneHelp')}</p>
        <p className="mono dim">
          <SafeText text={on.deviceKey} />
        </p>
      </Blank>
    );
  }
  const name = [device.manufacturer, device.model].filter((part) => part !== null).join(' ') || device.serial;
  return (
    <div className="page">
      <PageHead
        title={<SafeText text={name} limit={120} />}
        marks={
          <span className="row sub">
            <DeviceDot state={device.state} label="" />
            {known(`deviceState.${device.state}`) ?? device.state}
          </span>
        }
        actions={
          <>
            <UserSelect device={device} on={on} tab={tab} />
            <Disconnect device={device} />
          </>
        }
      />
      <Tabs
        label={t('uiDevices.views')}
        tabs={[
          { to: links.device(on), label: t('uiDevices.overview'), current: tab === 'overview' },
          { to: links.device(on, 'doctor'), label: t('uiDevices.doctor'), current: tab === 'doctor' },
        ]}
      />
      <PageBody label={tab === 'doctor' ? t('uiDevices.doctor') : t('uiDevices.overview')}>
        {tab === 'doctor' ? <Doctor deviceKey={device.key} /> : <Overview device={device} on={on} />}
      </PageBody>
    </div>
  );
}

function Overview({ device, on }: { readonly device: Device; readonly on: OnDevice }) {
  const { t, known } = useI18n();
  const ready = device.state === 'device';
  return (
    <>
      {ready ? null : (
        <Note tone="warn" icon="warning" title={known(`deviceState.${device.state}`) ?? device.state}>
          <SafeText text={known(`deviceHelp.${device.state}`) ?? t('uiDevices.noHelp')} limit={1200} block />
          {device.stateText === '' || device.stateText === device.state ? null : (
            <div className="raw-box">
              <SafeText text={device.stateText} limit={600} block />
            </div>
          )}
        </Note>
      )}
      {device.problem === null ? null : (
        <ProblemView problem={device.problem} tone="warn" title={t('uiDevices.factsIncomplete')} />
      )}
      {ready ? <ProvidersCard on={on} /> : null}
      <div className="columns">
        <Card title={t('uiDevices.facts')}>
          <DeviceFacts device={device} />
        </Card>
        {ready ? <CompanionCard on={on} /> : null}
      </div>
    </>
  );
}

function DeviceFacts({ device }: { readonly device: Device }) {
  const { t } = useI18n();
  const rows: readonly (readonly [string, string | null])[] = [
    [t('uiDevices.fact.manufacturer'), device.manufacturer],
    [t('uiDevices.fact.model'), device.model],
    [t('uiDevices.fact.android'), device.androidRelease],
    [t('uiDevices.fact.sdk'), device.sdk === null ? null : String(device.sdk)],
    [t('uiDevices.fact.serial'), device.serial],
    [t('uiDevices.fact.hardwareSerial'), device.hardwareSerial],
    [t('uiDevices.fact.transport'), t(`uiDevices.transport.${device.transport}`)],
    [t('uiDevices.fact.transportId'), device.transportId],
    [t('uiDevices.fact.state'), device.stateText],
    [
      t('uiDevices.fact.users'),
      device.users
        .map((user) => `${user.id} ${user.name}${user.current ? ` (${t('uiDevices.current')})` : ''}`)
        .join(', ') || null,
    ],
  ];
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <Fact key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | null }) {
  const { t } = useI18n();
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {value === null ? <span className="dim">{t('common.unknown')}</span> : <SafeText text={value} limit={200} />}
      </dd>
    </>
  );
}

/** Asked for only where there is more than one user. */
function UserSelect({
  device,
  on,
  tab,
}: {
  readonly device: Device;
  readonly on: OnDevice;
  readonly tab: 'overview' | 'doctor';
}) {
  const { t } = useI18n();
  if (device.users.length < 2) return null;
  return (
    <label className="row">
      <span className="sub fine">{t('uiDevices.user')}</span>
      <select
        className="select"
        value={on.userId ?? ''}
        onChange={(event) => {
          const userId = event.target.value === '' ? null : Number(event.target.value);
          navigate(links.device({ ...on, userId }, tab === 'doctor' ? 'doctor' : undefined));
        }}
      >
        <option value="">{t('uiDevices.currentUser')}</option>
        {device.users.map((user) => (
          <option key={user.id} value={user.id}>
            {`${user.id} · ${user.name.slice(0, 40)}${user.running ? '' : ` (${t('uiDevices.notRunning')})`}`}
          </option>
        ))}
      </select>
    </label>
  );
}

function Disconnect({ device }: { readonly device: Device }) {
  const { t } = useI18n();
  const client = useClient();
  const match = /^(.+):(\d{1,5})$/.exec(device.serial);
  const act = useMutation({
    mutationFn: (target: { readonly host: string; readonly port: number }) =>
      client.devices.disconnect({ ...target, serverId: device.serverId }),
  });
  if (match?.[1] === undefined || device.transport === 'demo') return null;
  const target = { host: match[1], port: Number(match[2]) };
  return (
    <>
      {act.error === null ? null : <ProblemView problem={problemOf(act.error)} alert />}
      <Button icon="plug" disabled={act.isPending} onClick={() => act.mutate(target)}>
        {t('uiDevices.disconnect')}
      </Button>
    </>
  );
}
