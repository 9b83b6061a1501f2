import { useI18n } from '../ui/i18n.tsx';
import { SafeText } from '../ui/safe-text.tsx';

/** Text that was to be JSON and is none: shown as it is, and said so. */
export function NotJson({ text }: { readonly text: string }) {
  const { t } = useI18n();
  return (
    <div className="stack-s">
      <p className="dim">{t('shell.notJson')}</p>
      <pre className="raw-box">
        <SafeText text={text} limit={4000} block />
      </pre>
    </div>
  );
}
