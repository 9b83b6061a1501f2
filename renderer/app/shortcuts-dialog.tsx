import { Fragment } from 'react';
import { useI18n } from '../ui/i18n.tsx';
import { Dialog } from '../ui/widgets.tsx';

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useI18n();
  const rows = [
    [['/'], t('shell.keySearch')],
    [['↑', '↓'], t('shell.keyArrows')],
    [['Enter'], t('shell.keyEnter')],
    [['Ctrl / ⌘', 'Enter'], t('shell.keyRun')],
    [['Esc'], t('shell.keyEscape')],
    [['Ctrl', 'M'], t('shell.keyTab')],
    [['P'], t('shell.keyPhone')],
    [['?'], t('shell.keyHelp')],
  ] as const;
  return (
    <Dialog title={t('shell.shortcuts')} onClose={onClose}>
      <dl className="facts">
        {rows.map(([keys, text]) => (
          <Fragment key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} style={{ marginRight: 4 }}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
