import { useI18n } from '../../ui/i18n.tsx';
import { PageBody, PageHead } from '../../ui/page.tsx';
import { ConfirmationsSection } from './confirmations-section.tsx';
import { OperationsSection } from './operations-section.tsx';

/** What has not ended, of every device: one section for each kind of waiting. */
export function ActivityPage() {
  const { t } = useI18n();
  return (
    <div className="page">
      <PageHead title={t('uiActivity.heading')} ruled />
      <PageBody label={t('uiActivity.heading')}>
        <ConfirmationsSection />
        <OperationsSection />
      </PageBody>
    </div>
  );
}
