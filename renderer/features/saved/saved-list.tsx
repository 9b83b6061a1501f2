import type { KeyboardEvent } from 'react';
import type { SavedCallEntry } from '../../../shared/model/collection.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge } from '../../ui/widgets.tsx';
import { RESULT_LOOK } from './state-look.ts';
import type { RunState } from './use-run.ts';

/** The calls of a folder, by folder and name; each with its last result. */
export function SavedList({
  entries,
  run,
  selected,
  onSelect,
}: {
  readonly entries: readonly SavedCallEntry[];
  readonly run: RunState;
  readonly selected: string | null;
  readonly onSelect: (file: string) => void;
}) {
  const { t } = useI18n();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = entries[entries.findIndex(({ file }) => file === selected) + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onSelect(next.file);
    document.getElementById(`saved-${next.file}`)?.focus();
  };
  let above = '';
  return (
    <ul className="saved-list" aria-label={t('uiSaved.calls')} onKeyDown={onKeyDown}>
      {entries.map((entry) => {
        const folder = entry.file.split('/').slice(0, -1).join('/');
        const heading = folder === above ? null : folder;
        above = folder;
        return (
          <li key={entry.file}>
            {heading === null || heading === '' ? null : (
              <div className="saved-folder">
                <Icon name="box" size={12} /> <SafeText text={heading} limit={80} fixed />
              </div>
            )}
            <button
              type="button"
              id={`saved-${entry.file}`}
              className={`saved-item ${entry.file === selected ? 'selected' : ''}`}
              aria-pressed={entry.file === selected}
              onClick={() => onSelect(entry.file)}
            >
              <span className="grow nav-two">
                <span className="ellipsis strong">
                  <SafeText text={entry.call?.name ?? entry.call?.tool ?? entry.file} limit={80} fixed />
                </span>
                <span className="ellipsis dim fine mono">
                  <SafeText text={entry.file.split('/').at(-1) ?? entry.file} limit={80} fixed />
                </span>
              </span>
              {entry.call?.allowEffects === true ? (
                <span className="tone-warn toned" title={t('uiSaved.mayChange')}>
                  <Icon name="bolt" size={13} />
                  <span className="sr-only">{t('uiSaved.mayChange')}</span>
                </span>
              ) : null}
              <State entry={entry} run={run} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function State({ entry, run }: { readonly entry: SavedCallEntry; readonly run: RunState }) {
  const { t } = useI18n();
  if (run.current === entry.file) {
    return (
      <span className="row dim fine">
        <span className="spinner" /> {t('uiSaved.running')}
      </span>
    );
  }
  const result = run.results.get(entry.file);
  if (result !== undefined) {
    const { tone, icon } = RESULT_LOOK[result.state];
    return (
      <Badge tone={tone} icon={icon}>
        {t(`savedState.${result.state}`)}
      </Badge>
    );
  }
  return entry.problem === null ? null : (
    <Badge tone="warn" icon="warning">
      {t('uiSaved.unreadable')}
    </Badge>
  );
}
