import { useCallback, useEffect, useState } from 'react';
import type { DoctorCheck } from '../../../shared/model/device.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { useClient } from '../../connection/context.tsx';
import { isAbort, problemOf } from '../../connection/problem-of.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Button, Card, type Tone } from '../../ui/widgets.tsx';
import './devices.css';

const STATUS = {
  running: { tone: 'info', icon: 'hourglass' },
  ok: { tone: 'ok', icon: 'check' },
  warning: { tone: 'warn', icon: 'warning' },
  failed: { tone: 'bad', icon: 'stop' },
  skipped: { tone: 'plain', icon: 'minus' },
} as const satisfies Record<DoctorCheck['status'], { tone: Tone; icon: IconName }>;

/** The chain from adb to the Providers, one check after the other, each with its remedy. */
export function Doctor({ deviceKey }: { readonly deviceKey: string | null }) {
  const { t } = useI18n();
  const client = useClient();
  const [checks, setChecks] = useState<readonly DoctorCheck[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [round, setRound] = useState(0);
  const [running, setRunning] = useState(true);
  const again = useCallback(() => setRound((before) => before + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks for another run
  useEffect(() => {
    const abort = new AbortController();
    setChecks([]);
    setProblem(null);
    setRunning(true);
    const run = async () => {
      for await (const check of await client.devices.doctor({ deviceKey }, { signal: abort.signal })) {
        setChecks((before) => [...before.filter((each) => each.id !== check.id), check]);
      }
    };
    run()
      .catch((error: unknown) => {
        if (!abort.signal.aborted && !isAbort(error)) setProblem(problemOf(error));
      })
      .finally(() => {
        if (!abort.signal.aborted) setRunning(false);
      });
    return () => abort.abort();
  }, [client, deviceKey, round]);
  return (
    <Card
      flush
      title={t('uiDevices.doctorTitle')}
      actions={
        <Button small look="quiet" icon="refresh" disabled={running} onClick={again}>
          {t('uiDevices.doctorAgain')}
        </Button>
      }
    >
      {problem === null ? null : (
        <div className="pad">
          <ProblemView problem={problem} alert />
        </div>
      )}
      <ol className="checks" aria-live="polite">
        {checks.map((check) => (
          <Check key={check.id} check={check} />
        ))}
        {running && checks.length === 0 ? (
          <li className="row pad">
            <span className="spinner" /> <span className="dim">{t('uiDevices.doctorRunning')}</span>
          </li>
        ) : null}
      </ol>
    </Card>
  );
}

function Check({ check }: { readonly check: DoctorCheck }) {
  const { t, known } = useI18n();
  const look = STATUS[check.status];
  const through = known(`uiDevices.origin.${check.params['origin']}`);
  const origin = through === null ? {} : { origin: through };
  const text =
    check.status === 'skipped'
      ? t('doctor.skipped', { after: known(`doctorCheck.${check.params['after']}`) ?? String(check.params['after']) })
      : (known(`doctor.${check.id}.${check.code}`, { ...check.params, ...origin }) ??
        known(`problem.${check.code}`, check.params));
  const params = Object.entries(check.params).map(([key, value]) => `${key}=${value}`);
  const remedy = check.remedy === null ? null : known(`remedy.${check.remedy}`, check.params);
  return (
    <li className={`check tone-${look.tone}`}>
      <span className="check-mark">
        {check.status === 'running' ? <span className="spinner" /> : <Icon name={look.icon} size={14} />}
      </span>
      <div className="row check-name">
        <span className="strong grow">{known(`doctorCheck.${check.id}`) ?? check.id}</span>
        <Badge tone={look.tone} look="outline">
          {t(`uiDevices.check.${check.status}`)}
        </Badge>
      </div>
      <div className="grow stack-s">
        {check.status === 'running' ? null : (
          <div className="sub">
            <SafeText text={text ?? [check.code, ...params].join(' ')} limit={600} />
          </div>
        )}
        {check.remedy === null ? null : (
          <div>
            <span className="strong">{t('uiDevices.remedy')} </span>
            <SafeText text={remedy ?? check.remedy} limit={800} />
          </div>
        )}
        {check.raw === null || check.raw === '' ? null : (
          <div className="raw-box">
            <SafeText text={check.raw} limit={800} block />
          </div>
        )}
      </div>
    </li>
  );
}
