import { Fragment, type ReactNode } from 'react';
import type { Problem } from '../../shared/model/problem.ts';
import { useI18n } from '../ui/i18n.tsx';
import type { IconName } from '../ui/icon.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Note, type Tone } from '../ui/widgets.tsx';

/** What went wrong in our words, what to do, and what the other side said, verbatim. */
export function ProblemView({
  problem,
  tone = 'bad',
  icon = 'warning',
  title,
  alert = false,
  children,
}: {
  readonly problem: Problem;
  readonly tone?: Tone;
  readonly icon?: IconName;
  /** Stands above the text; says of what this is the problem. */
  readonly title?: ReactNode;
  readonly alert?: boolean;
  readonly children?: ReactNode;
}) {
  const { known, t } = useI18n();
  const text = known(`problem.${problem.code}`, problem.params);
  const remedy = known(`remedy.${problem.code}`, problem.params);
  const params = Object.entries(problem.params);
  const main =
    text ?? `${t('shell.problemCode', { code: problem.code })} ${params.map(([k, v]) => `${k}=${v}`).join(' ')}`;
  return (
    <Note tone={tone} icon={icon} alert={alert} title={title ?? <SafeText text={main} limit={600} />}>
      {title === undefined ? null : <SafeText text={main} limit={600} />}
      {remedy === null ? null : (
        <div className="sub">
          <SafeText text={remedy} limit={800} block />
        </div>
      )}
      {problem.raw === null || problem.raw === '' ? null : (
        <div className="raw-box">
          <SafeText text={problem.raw} limit={1200} block />
        </div>
      )}
      <AnswerFacts problem={problem} />
      {children}
    </Note>
  );
}

/** What else an error of the Provider said (v2 5), under the names of the specification. */
const ANSWER_FACTS = ['retryable', 'retry_after_ms', 'error_details'] as const;

function AnswerFacts({ problem }: { readonly problem: Problem }) {
  const said = ANSWER_FACTS.filter((name) => problem.params[name] !== undefined);
  if (said.length === 0) return null;
  return (
    <dl className="facts fine">
      {said.map((name) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd className="mono">
            <SafeText text={String(problem.params[name])} limit={1200} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** One line for tight places; the whole is elsewhere. */
export function ProblemLine({ problem }: { readonly problem: Problem }) {
  const { known } = useI18n();
  const text = known(`problem.${problem.code}`, problem.params) ?? problem.code;
  return <SafeText text={problem.raw === null ? text : `${text} ${problem.raw}`} limit={240} />;
}
