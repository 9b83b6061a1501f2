import { type ReactNode, useState } from 'react';
import { useI18n } from '../ui/i18n.tsx';
import { Icon } from '../ui/icon.tsx';
import type { ControlProps } from './field-props.ts';
import { useIssues } from './form-context.ts';

/** How many levels are open at first. */
const OPEN_LEVELS = 4;

/** The parts of an object or array, which fold away below the first levels; what is wrong inside is counted then. */
export function Fold({
  path,
  pointer,
  id,
  count,
  children,
}: ControlProps & {
  /** Members or items in the text. */
  readonly count: number;
  readonly children: ReactNode;
}) {
  const { t } = useI18n();
  const issues = useIssues();
  const [open, setOpen] = useState(path.length < OPEN_LEVELS);
  const inside = open ? 0 : issues.below(pointer) - (issues.at.get(pointer)?.length ?? 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in all engines
    <div className="form-body" role="group" aria-labelledby={`${id}-name`}>
      {path.length === 0 ? null : (
        <button
          type="button"
          className="disclosure fine dim"
          aria-expanded={open}
          data-focus={pointer}
          onClick={() => setOpen(!open)}
        >
          <Icon name="chevron" size={10} />
          {t('uiForm.parts', { count })}
          {inside > 0 ? <span className="tone-bad toned"> {t('uiForm.issuesInside', { count: inside })}</span> : null}
        </button>
      )}
      {open ? children : null}
    </div>
  );
}
