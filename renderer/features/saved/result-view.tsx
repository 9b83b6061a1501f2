import type { CheckResult, SavedCallResult } from '../../../shared/model/collection.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { formatDuration } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Card } from '../../ui/widgets.tsx';
import { CHECK_LOOK, RESULT_LOOK } from './state-look.ts';

/** Each expectation beside what came, then the answer itself. */
export function ResultView({ result }: { readonly result: SavedCallResult }) {
  const { t } = useI18n();
  const { tone, icon } = RESULT_LOOK[result.state];
  const { answer } = result;
  return (
    <Card
      title={
        <span className="row">
          {t('uiSaved.result')}
          <Badge tone={tone} icon={icon}>
            {t(`savedState.${result.state}`)}
          </Badge>
        </span>
      }
      actions={
        answer === null ? undefined : (
          <a className="link fine" href={`#/history?exchange=${encodeURIComponent(answer.exchangeId)}`}>
            {t('uiSaved.toHistory')}
          </a>
        )
      }
    >
      <div className="stack">
        {result.problem === null ? null : <ProblemView problem={result.problem} tone="own" icon="stop" alert />}
        {result.checks.length === 0 ? null : (
          <table className="table" aria-label={t('uiSaved.expectations')}>
            <thead>
              <tr>
                <th>{t('uiSaved.verdict')}</th>
                <th>{t('uiSaved.expected')}</th>
                <th>{t('uiSaved.came')}</th>
              </tr>
            </thead>
            <tbody>
              {result.checks.map((check, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a list that never reorders
                <CheckRow key={index} check={check} />
              ))}
            </tbody>
          </table>
        )}
        {answer === null ? (
          result.state === 'skipped' ? (
            <p className="dim">{t('uiSaved.skippedHelp')}</p>
          ) : (
            <p className="tone-own toned strong">{t('uiComposer.neverSent')}</p>
          )
        ) : (
          <>
            <dl className="facts fine">
              <dt>{t('uiSaved.end')}</dt>
              <dd>
                {t(`uiComposer.outcome.${answer.outcome}`)}
                {answer.errorCode === null ? null : (
                  <>
                    {' '}
                    <span className="mono">
                      <SafeText text={answer.errorCode} limit={80} />
                    </span>
                  </>
                )}
              </dd>
              <dt>{t('uiSaved.took')}</dt>
              <dd className="num">{answer.durationMs === null ? '–' : formatDuration(answer.durationMs)}</dd>
              <dt>request_id</dt>
              <dd className="mono">
                {answer.requestId === null ? '–' : <SafeText text={answer.requestId} limit={80} />}
              </dd>
            </dl>
            {answer.errorMessage === null ? null : (
              <div className="raw-box">
                <SafeText text={answer.errorMessage} limit={2000} block />
              </div>
            )}
            {answer.valueText === null ? null : (
              <div>
                <h3 className="fine dim">{t('uiSaved.value', { length: answer.valueLength })}</h3>
                <pre className="raw-box">
                  <SafeText text={answer.valueText} limit={4000} block />
                </pre>
              </div>
            )}
          </>
        )}
      </div>
    </Card>
  );
}

function CheckRow({ check }: { readonly check: CheckResult }) {
  const { t, known } = useI18n();
  const { tone, icon } = CHECK_LOOK[check.state];
  return (
    <tr>
      <td>
        <Badge tone={tone} icon={icon} look={check.state === 'not-checked' ? 'dashed' : 'soft'}>
          {t(`uiSaved.check.${check.state}`)}
        </Badge>
      </td>
      <td>
        {t(`savedCheck.${check.kind}`)}{' '}
        {check.at === null ? null : (
          <span className="mono strong">
            <SafeText text={check.at === '' ? '(root)' : check.at} limit={120} />
          </span>
        )}{' '}
        {check.op === null ? null : t(`savedOp.${check.op}`)}{' '}
        <span className="mono">
          <SafeText text={check.expected} limit={300} />
        </span>
      </td>
      <td>
        <span className="mono">
          {check.actual === null ? <span className="dim">–</span> : <SafeText text={check.actual} limit={300} />}
        </span>
        {check.reason === null ? null : (
          <div className="fine dim">{known(`savedReason.${check.reason}`) ?? check.reason}</div>
        )}
        {(check.verdict?.issues ?? []).slice(0, 10).map((issue, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list that never reorders
          <div key={index} className="fine">
            <span className="mono strong">
              <SafeText text={issue.pointer === '' ? '(root)' : issue.pointer} limit={120} />
            </span>{' '}
            <SafeText text={issue.message} limit={300} />
          </div>
        ))}
      </td>
    </tr>
  );
}
