import { lazy, type RefObject, Suspense } from 'react';
import { useI18n } from '../ui/i18n.tsx';
import './editor.css';

/** What others may do with an open editor. */
export interface EditorHandle {
  undo(): void;
  redo(): void;
  focus(): void;
  /** The cursor goes to this UTF-16 offset, and the editor has the keyboard. */
  reveal(offset: number): void;
}

export interface JsonEditorProps {
  readonly value: string;
  readonly onChange?: (text: string) => void;
  /** Guarded (`schema-guard.ts`) JSON Schema for completion, hover and diagnostics; null for none. */
  readonly schema?: unknown;
  readonly readOnly?: boolean;
  readonly label: string;
  readonly handle?: RefObject<EditorHandle | null>;
  /** Changes of `value` from outside with the same group are undone together; null is a step of its own. */
  readonly group?: string | null;
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
