import type { GeneratedArgs } from '../../../shared/model/call.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Note } from '../../ui/widgets.tsx';

/** What the check says of arguments that were filled in, while they stand as they were made. A valid one says nothing. */
export function GeneratedNote({
  made,
  problem,
}: {
  readonly made: GeneratedArgs | null;
  readonly problem: Problem | null;
}) {
  const { t } = useI18n();
  const { verdict, leftOut } = made ?? { verdict: null, leftOut: [] };
  const invalid = verdict?.state === 'invalid';
  const shown = made !== null && (verdict?.state !== 'valid' || leftOut.length > 0);
  if (!shown && problem === null) return null;
  return (
    <div className="composer-notes" role="status">
      {problem === null ? null : <ProblemView problem={problem} title={t('uiForm.generateFailed')} />}
      {!shown || verdict === null ? null : (
        <Note
          tone={verdict.state === 'valid' ? 'info' : 'warn'}
          icon={verdict.state === 'valid' ? 'info' : 'warning'}
          title={
            verdict.state === 'valid'
              ? undefined
              : invalid
                ? t('uiForm.generatedInvalid', { count: verdict.issues.length })
                : t('uiForm.generatedNotChecked')
          }
        >
          {verdict.issues.slice(0, 3).map((issue) => (
            <p key={`${issue.pointer} ${issue.message}`} className="fine">
              <code>
                <SafeText text={issue.pointer === '' ? '/' : issue.pointer} limit={120} fixed />
              </code>{' '}
              <SafeText text={issue.message} limit={200} />
            </p>
          ))}
          {leftOut.length === 0 ? null : (
            <p className="fine">
              <SafeText text={t('uiForm.leftOut', { places: leftOut.join(', ') })} limit={300} />
            </p>
          )}
        </Note>
      )}
    </div>
  );
}
