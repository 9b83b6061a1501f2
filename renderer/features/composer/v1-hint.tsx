import type { CallRecord } from '../../../shared/model/call.ts';
import { useDevices } from '../../connection/streams.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { CopyButton } from '../../ui/widgets.tsx';
import { startCommand } from './start-command.ts';

/** v1 2.4: an action of the Provider, never followed by itself. The command that would open it is there to copy. */
export function V1Hint({ call, action }: { readonly call: CallRecord; readonly action: string }) {
  const { t } = useI18n();
  const { value } = useDevices();
  const { deviceKey, userId, providerKey } = call.prepared.draft;
  const serial = value?.devices.find(({ key }) => key === deviceKey)?.serial ?? null;
  const command = startCommand({ serial, userId, packageName: providerKey.split('/')[0] ?? '', action });
  return (
    <div className="stack-s fine">
      <p className="sub">{t('uiConfirmations.hintText')}</p>
      {command === null ? (
        <p className="dim">{t('uiConfirmations.hintUnusable')}</p>
      ) : (
        <div className="row">
          <span className="raw-box mono grow anywhere">
            <SafeText text={command} limit={600} />
          </span>
          <CopyButton text={command} label={t('uiConfirmations.hintCopy')} />
        </div>
      )}
    </div>
  );
}
