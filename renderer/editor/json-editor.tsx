import { lazy, Suspense } from 'react';
import { useI18n } from '../ui/i18n.tsx';
import './editor.css';

export interface JsonEditorProps {
  readonly value: string;
  readonly onChange?: (text: string) => void;
  /** Guarded (`schema-guard.ts`) JSON Schema for completion, hover and diagnostics; null for none. */
  readonly schema?: unknown;
  readonly readOnly?: boolean;
  readonly label: string;
  /** Ctrl or Cmd with Enter. */
  readonly onRun?: () => void;
  /** Escape, when it closes nothing in the editor. */
  readonly onEscape?: () => void;
}

const MonacoView = lazy(() => import('./monaco-view.tsx').then((module) => ({ default: module.MonacoView })));

/** JSON with Monaco, which is fetched when the first editor is shown. */
export function JsonEditor(props: JsonEditorProps) {
  const { t } = useI18n();
  return (
    <Suspense
      fallback={
        <div className="monaco-wait dim" role="status">
          <span className="spinner" /> {t('uiComposer.editorLoading')}
        </div>
      }
    >
      <MonacoView {...props} />
    </Suspense>
  );
}
