import { useState } from 'react';
import { useI18n } from '../../ui/i18n.tsx';
import { Button, Dialog } from '../../ui/widgets.tsx';

/** Asks once more before it removes the companion. */
export function UninstallCompanion({
  busy,
  pending,
  onUninstall,
}: {
  readonly busy: boolean;
  readonly pending: boolean;
  readonly onUninstall: () => void;
}) {
  const { t } = useI18n();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button disabled={busy} onClick={() => setAsking(true)}>
        {t(pending ? 'uiCompanion.uninstalling' : 'uiCompanion.uninstall')}
      </Button>
      {asking ? (
        <Dialog
          title={t('uiCompanion.uninstallTitle')}
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button data-autofocus onClick={() => setAsking(false)}>
                {t('uiCompanion.keep')}
              </Button>
              <Button
                look="danger"
                onClick={() => {
                  setAsking(false);
                  onUninstall();
                }}
              >
                {t('uiCompanion.uninstallSure')}
              </Button>
            </>
          }
        >
          <p>{t('uiCompanion.uninstallWhat')}</p>
        </Dialog>
      ) : null}
    </>
  );
}
