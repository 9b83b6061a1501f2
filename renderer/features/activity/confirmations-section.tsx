import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/widgets.tsx';

/** Calls that wait until someone decides on the device (v2 4.3). */
export function ConfirmationsSection() {
  const { t } = useI18n();
  return (
    <Card
      title={
        <span className="row">
          <Icon name="hand" /> {t('uiActivity.person')}
        </span>
      }
    >
      <p className="sub">{t('uiActivity.personHelp')}</p>
    </Card>
  );
}
