import { useState } from 'react';
import type { Problem } from '../../../shared/model/problem.ts';
import { useClient } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Button, Dialog } from '../../ui/widgets.tsx';

/** The deliberate act that lets the app touch a folder. */
export function OpenFolder({
  onClose,
  onOpened,
}: {
  readonly onClose: () => void;
  readonly onOpened: (folder: string) => void;
}) {
  const { t } = useI18n();
  const client = useClient();
  const [path, setPath] = useState('');
  const [failure, setFailure] = useState<Problem | null>(null);
  const open = () => {
    setFailure(null);
    client.collections.open({ path: path.trim(), remember: true }).then(
      ({ folder }) => onOpened(folder),
      (error: unknown) => setFailure(problemOf(error)),
    );
  };
  return (
    <Dialog
      title={t('uiSaved.openFolder')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="primary" disabled={path.trim() === ''} onClick={open}>
            {t('uiSaved.open')}
          </Button>
        </>
      }
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (path.trim() !== '') open();
        }}
      >
        <label className="stack-s">
          <span>{t('uiSaved.path')}</span>
          <input
            className="text-input mono"
            data-autofocus
            value={path}
            spellCheck={false}
            placeholder="~/project/calls"
            onChange={(event) => setPath(event.target.value)}
          />
        </label>
        <p className="dim fine">{t('uiSaved.openHelp')}</p>
        {failure === null ? null : <ProblemView problem={failure} alert />}
      </form>
    </Dialog>
  );
}
