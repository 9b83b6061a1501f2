import type { CompanionStatus } from '../../../shared/model/device.ts';
import { formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';

/** Version, identity, grant, and who is connected since when. */
export function CompanionFacts({ status }: { readonly status: CompanionStatus }) {
  const { t } = useI18n();
  const { version, bundledVersion, uid, permission, userId, startedBy, connectedSinceMs } = status;
  const unknown = <span className="dim">{t('common.unknown')}</span>;
  return (
    <dl className="facts">
      <dt>{t('uiDevices.companionVersion')}</dt>
      <dd>
        {version === null ? unknown : <SafeText text={version} limit={60} />}
        {bundledVersion === null || bundledVersion === version ? null : (
          <span className="dim"> · {t('uiCompanion.bundled', { version: bundledVersion })}</span>
        )}
      </dd>
      <dt>{t('uiCompanion.user')}</dt>
      <dd className="num">{userId ?? unknown}</dd>
      <dt>{t('uiDevices.companionUid')}</dt>
      <dd className="num">{uid ?? unknown}</dd>
      <dt>{t('uiDevices.companionPermission')}</dt>
      <dd>
        <span className="mono">ACCESS_TOOLS</span> · {t(`uiDevices.permission.${permission}`)}
      </dd>
      <dt>{t('uiCompanion.connected')}</dt>
      <dd>
        {connectedSinceMs === null
          ? t('uiCompanion.nobody')
          : t('uiCompanion.connectedSince', { time: formatTime(connectedSinceMs).replace(/\.\d{3}$/, '') })}
      </dd>
      {startedBy === null ? null : (
        <>
          <dt>{t('uiCompanion.startedBy')}</dt>
          <dd>{t(`uiCompanion.startedBy.${startedBy}`)}</dd>
        </>
      )}
    </dl>
  );
}
