import { useMutation } from '@tanstack/react-query';
import type { AdbServerInfo } from '../../../shared/model/device.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { useDevices } from '../../connection/streams.ts';
import { ServerDot } from '../../parts/device-marks.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/page.tsx';
import { Button, Card, Loading } from '../../ui/widgets.tsx';
import { DeviceTable } from './device-table.tsx';
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
          <>
            <DeviceTable devices={value.devices} servers={value.servers} />
            {value.servers.some((server) => server.kind === 'demo') ? null : (
              <div className="row dim fine">
                <span>{t('shell.demoToo')}</span>
                <DemoButton look="quiet" />
              </div>
            )}
          </>
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

function DemoButton({ look = 'primary' }: { readonly look?: 'primary' | 'quiet' }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const start = useMutation(orpc.app.startDemo.mutationOptions());
  return (
    <div className="stack-s">
      <div>
        <Button look={look} icon="play" disabled={start.isPending} onClick={() => start.mutate(undefined)}>
          {start.isPending ? t('shell.demoStarting') : t('shell.startDemo')}
        </Button>
      </div>
      {start.error === null ? null : <ProblemView problem={problemOf(start.error)} alert />}
    </div>
  );
}
