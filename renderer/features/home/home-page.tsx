import { useMutation } from '@tanstack/react-query';
import type { AdbServerInfo, Device } from '../../../shared/model/device.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { useDevices } from '../../connection/streams.ts';
import { DeviceDot, ServerDot, transportIcon } from '../../parts/device-marks.tsx';
import { links } from '../../parts/links.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { navigate } from '../../ui/location.ts';
import { PageHead } from '../../ui/page.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Button, Card, Loading } from '../../ui/widgets.tsx';
import './home.css';

/** Where the app starts: every device of every server, or what to do when there is none. */
export function HomePage() {
  const { t } = useI18n();
  const { value, problem } = useDevices();
  if (value === undefined) {
    return problem === null ? (
      <Loading label={t('uiDevices.loading')} />
    ) : (
      <div className="page-body">
        <ProblemView problem={problem} />
      </div>
    );
  }
  const broken = value.servers.filter((server) => server.problem !== null);
  return (
    <div className="page">
      <PageHead title={value.devices.length === 0 ? t('shell.welcome') : t('shell.devices')} ruled />
      <div className="page-body">
        {broken.map((server) => (
          <ServerProblem key={server.id} server={server} />
        ))}
        {value.devices.length === 0 ? (
          <FirstSteps servers={value.servers} />
        ) : (
          <DeviceTable devices={value.devices} servers={value.servers} />
        )}
      </div>
    </div>
  );
}

function ServerProblem({ server }: { readonly server: AdbServerInfo }) {
  const { t } = useI18n();
  if (server.problem === null) return null;
  return (
    <ProblemView
      problem={server.problem}
      tone="warn"
      title={
        <span className="row">
          <ServerDot state={server.state} /> {t('uiDevices.serverProblem', { host: server.host, port: server.port })}
        </span>
      }
    />
  );
}

function FirstSteps({ servers }: { readonly servers: readonly AdbServerInfo[] }) {
  const { t } = useI18n();
  const up = servers.some((server) => server.state === 'up');
  return (
    <div className="first">
      <p className="first-lead">{up ? t('shell.firstLead') : t('shell.firstLeadNoServer')}</p>
      <div className="first-cards">
        <Card
          title={
            <>
              <Icon name="phone" /> {t('shell.firstPhone')}
            </>
          }
        >
          <ol className="steps">
            <li>{t('shell.firstPhone1')}</li>
            <li>{t('shell.firstPhone2')}</li>
            <li>{t('shell.firstPhone3')}</li>
          </ol>
        </Card>
        <Card
          title={
            <>
              <Icon name="box" /> {t('shell.firstDemo')}
            </>
          }
        >
          <div className="stack">
            <p className="sub">{t('shell.firstDemoText')}</p>
            <div>
              <DemoButton />
            </div>
          </div>
        </Card>
      </div>
      <p className="dim fine">{t('shell.firstMore')}</p>
    </div>
  );
}

function DemoButton() {
  const { t } = useI18n();
  const orpc = useOrpc();
  const start = useMutation(orpc.app.startDemo.mutationOptions());
  return (
    <div className="stack-s">
      <div>
        <Button look="primary" icon="play" disabled={start.isPending} onClick={() => start.mutate(undefined)}>
          {start.isPending ? t('shell.demoStarting') : t('shell.startDemo')}
        </Button>
      </div>
      {start.error === null ? null : <ProblemView problem={problemOf(start.error)} alert />}
    </div>
  );
}

function DeviceTable({
  devices,
  servers,
}: {
  readonly devices: readonly Device[];
  readonly servers: readonly AdbServerInfo[];
}) {
  const { t, known } = useI18n();
  return (
    <>
      <div className="card device-table">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('uiDevices.column.device')}</th>
              <th scope="col">{t('uiDevices.column.android')}</th>
              <th scope="col">{t('uiDevices.column.serial')}</th>
              <th scope="col">{t('uiDevices.column.transport')}</th>
              <th scope="col">{t('uiDevices.column.state')}</th>
            </tr>
          </thead>
          <tbody>
            {devices.map((device) => {
              const to = links.device({ deviceKey: device.key, userId: null });
              const server = servers.find((each) => each.id === device.serverId);
              return (
                <tr key={device.key} className="clickable" onClick={() => navigate(to)}>
                  <td>
                    <a href={`#${to}`} className="row strong">
                      <Icon name={transportIcon(device.transport)} />
                      <span>
                        <SafeText
                          text={
                            [device.manufacturer, device.model].filter((x) => x !== null).join(' ') || device.serial
                          }
                          limit={80}
                          fixed
                        />
                      </span>
                    </a>
                  </td>
                  <td className="num">
                    {device.androidRelease === null ? (
                      <span className="dim">{t('common.unknown')}</span>
                    ) : (
                      <SafeText text={`${device.androidRelease} (API ${device.sdk ?? '?'})`} limit={40} fixed />
                    )}
                  </td>
                  <td className="mono">
                    <SafeText text={device.serial} limit={80} fixed />
                  </td>
                  <td>
                    {t(`uiDevices.transport.${device.transport}`)}
                    {server?.kind === 'remote' ? (
                      <span className="dim">
                        {' '}
                        · {server.host}:{server.port}
                      </span>
                    ) : null}
                  </td>
                  <td>
                    <span className="row">
                      <DeviceDot state={device.state} label="" />
                      {known(`deviceState.${device.state}`) ?? device.state}
                    </span>
                    {device.state === 'device' ? null : (
                      <div className="sub fine device-help">{known(`deviceHelp.${device.state}`)}</div>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {servers.some((server) => server.kind === 'demo') ? null : (
        <div className="row dim fine">
          <span>{t('shell.demoToo')}</span>
          <DemoButton />
        </div>
      )}
    </>
  );
}
