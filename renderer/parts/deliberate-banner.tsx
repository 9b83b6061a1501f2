import type { PreparedCall } from '../../shared/model/call.ts';
import type { DeliberateMark } from '../../shared/model/deviation.ts';
import { useI18n } from '../ui/i18n.tsx';
import { Badge, Note } from '../ui/widgets.tsx';

/** What a call breaks on purpose, in words; nothing where it breaks nothing. */
export function DeliberateBanner({ prepared }: { readonly prepared: PreparedCall }) {
  const { t } = useI18n();
  const { deliberate, burst } = prepared;
  if (deliberate.length === 0) return null;
  return (
    <Note tone="warn" icon="bolt" title={t('uiDeliberate.banner')}>
      <ul className="stack-s">
        {deliberate.map((mark) => (
          <li key={mark}>
            <span className="strong">{t(`deviation.${mark}`)}</span>{' '}
            <span className="sub">{t(`deviationHelp.${mark}`)}</span>
          </li>
        ))}
      </ul>
      {burst === null ? null : (
        <p className="num fine">{t('uiDeliberate.burst', { index: burst.index + 1, count: burst.count })}</p>
      )}
    </Note>
  );
}

/** One word of it, for tight places. */
export function DeliberateBadge({
  marks,
  brief = false,
}: {
  readonly marks: readonly DeliberateMark[] | boolean;
  /** The sign alone; the word is there for who cannot see it. */
  readonly brief?: boolean;
}) {
  const { t } = useI18n();
  const names = typeof marks === 'boolean' ? [] : marks.map((mark) => t(`deviation.${mark}`));
  if (marks === false || (typeof marks !== 'boolean' && marks.length === 0)) return null;
  const title = [t('uiDeliberate.banner'), ...names].join(' · ');
  return (
    <Badge tone="warn" icon="bolt" title={title}>
      {brief ? <span className="sr-only">{t('uiDeliberate.mark')}</span> : t('uiDeliberate.mark')}
    </Badge>
  );
}
