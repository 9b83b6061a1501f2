import type { SchemaVerdict } from '../../shared/model/call.ts';
import { useI18n } from '../ui/i18n.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Badge, Note } from '../ui/widgets.tsx';

const SHOWN = 30;

/** Whether a value matches its schema. A check that did not run never looks passed. */
export function Verdict({
  verdict,
  subject,
  brief = false,
}: {
  readonly verdict: SchemaVerdict;
  readonly subject: 'args' | 'output';
  readonly brief?: boolean;
}) {
  const { t, known } = useI18n();
  const reason = verdict.reason === null ? '' : (known(`notChecked.${verdict.reason}`) ?? verdict.reason);
  if (brief) {
    if (verdict.state === 'valid') {
      return (
        <Badge tone="ok" icon="check">
          {t(`uiComposer.verdict.${subject}.valid`)}
        </Badge>
      );
    }
    if (verdict.state === 'not-checked') {
      return (
        <Badge look="dashed" icon="question" title={reason}>
          {t(`uiComposer.verdict.${subject}.notChecked`)}
        </Badge>
      );
    }
    return (
      <Badge tone="warn" icon="warning">
        {t(`uiComposer.verdict.${subject}.invalid`, { count: verdict.issues.length })}
      </Badge>
    );
  }
  if (verdict.state === 'valid') return null;
  if (verdict.state === 'not-checked') {
    return (
      <p className="dim fine">
        <SafeText text={reason} limit={400} />
      </p>
    );
  }
  return (
    <Note
      tone="warn"
      icon="warning"
      title={t(`uiComposer.verdict.${subject}.invalid`, { count: verdict.issues.length })}
    >
      <ul className="stack-s">
        {verdict.issues.slice(0, SHOWN).map((issue, index) => (
          // Issues may be equal in every member.
          // biome-ignore lint/suspicious/noArrayIndexKey: a list that never reorders
          <li key={index} className="fine">
            <span className="mono strong">
              <SafeText text={issue.pointer === '' ? '(root)' : issue.pointer} limit={160} />
            </span>{' '}
            <SafeText text={issue.message} limit={300} /> <span className="mono dim">{issue.keyword}</span>
          </li>
        ))}
      </ul>
      {verdict.issues.length > SHOWN ? (
        <span className="dim fine">{t('shell.moreItems', { count: verdict.issues.length - SHOWN })}</span>
      ) : null}
    </Note>
  );
}
