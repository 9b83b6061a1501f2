import { useEffect, useRef, useState } from 'react';
import type { GeneratedArgs } from '../../../shared/model/call.ts';
import type { ToolDetail } from '../../../shared/model/catalog.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import type { OfProvider } from '../../connection/streams.ts';
import { type EditorHandle, JsonEditor } from '../../editor/json-editor.tsx';
import { FormView } from '../../form/form-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { indentJson } from '../../ui/json-indent.ts';
import { Button, Segmented } from '../../ui/widgets.tsx';
import { GenerateMenu } from './generate-menu.tsx';
import { GeneratedNote } from './generated-note.tsx';
import { type ArgsView, useArgsView } from './use-args-view.ts';
import type { Draft } from './use-draft.ts';
import type { Preparation } from './use-prepared.ts';

/** The arguments, as text, as a form, or both: one text, one history of undo. */
export function ArgsArea({
  of,
  detail,
  draft,
  schema,
  preparation,
  onRun,
  onEscape,
  onUnapplied,
}: {
  readonly of: OfProvider;
  readonly detail: ToolDetail;
  readonly draft: Draft;
  /** Guarded, for the text editor. */
  readonly schema: unknown;
  readonly preparation: Preparation;
  readonly onRun: () => void;
  readonly onEscape: () => void;
  readonly onUnapplied: (any: boolean) => void;
}) {
  const { t } = useI18n();
  const { view, wide, setView } = useArgsView();
  const editor = useRef<EditorHandle | null>(null);
  const last = useRef<{ readonly text: string; readonly group: string | null } | null>(null);
  const reveal = useRef<number | null>(null);
  const [made, setMade] = useState<{ readonly text: string; readonly args: GeneratedArgs } | null>(null);
  const [failed, setFailed] = useState<Problem | null>(null);
  const put = (text: string, ofGroup: string | null) => {
    last.current = { text, group: ofGroup };
    draft.setText(text);
  };
  const { prepared } = preparation;

  useEffect(() => {
    if (view === 'form') return;
    const offset = reveal.current;
    reveal.current = null;
    if (offset !== null) editor.current?.reveal(offset);
  }, [view]);
  const openText = (offset: number) => {
    if (view === 'form') {
      reveal.current = offset;
      setView('text');
    } else editor.current?.reveal(offset);
  };
  const options: readonly { readonly value: ArgsView; readonly label: string }[] = [
    { value: 'text', label: t('uiForm.viewText') },
    { value: 'form', label: t('uiForm.viewForm') },
    ...(wide ? [{ value: 'both' as const, label: t('uiForm.viewBoth') }] : []),
  ];

  return (
    <>
      <div className="composer-bar">
        <h2>{t('uiComposer.arguments')}</h2>
        <Segmented label={t('uiForm.view')} value={view} options={options} onChange={setView} />
        <span className="grow" />
        <GenerateMenu
          of={of}
          detail={detail}
          onMade={(args) => {
            setFailed(null);
            setMade({ text: args.text, args });
            put(args.text, null);
          }}
          onFailed={setFailed}
        />
        <Button
          small
          look="quiet"
          icon="list"
          title={t('uiComposer.formatHelp')}
          onClick={() => put(indentJson(draft.text), null)}
        >
          {t('uiComposer.format')}
        </Button>
      </div>
      <div className={`composer-args view-${view}`}>
        {/* Kept while the form is shown alone: its history is the form's as well. */}
        <div className="composer-editor" hidden={view === 'form'}>
          <JsonEditor
            value={draft.text}
            onChange={draft.setText}
            schema={schema}
            label={t('uiComposer.arguments')}
            handle={editor}
            // What was put here by another, such as a call to be repeated, is a step of its own.
            group={last.current?.text === draft.text ? last.current.group : null}
            onRun={onRun}
            onEscape={onEscape}
          />
        </div>
        {view === 'text' ? null : (
          <div className="composer-form">
            <FormView
              text={draft.text}
              schemaText={detail.inputSchema}
              label={t('uiForm.label')}
              onEdit={put}
              verdict={
                // What a check that did not run says is of the schema, and of no place in the value.
                prepared === null || prepared.argsVerdict.state === 'not-checked'
                  ? null
                  : { ofText: prepared.draft.argsText, issues: prepared.argsVerdict.issues }
              }
              onUnapplied={onUnapplied}
              onUndo={() => editor.current?.undo()}
              onRedo={() => editor.current?.redo()}
              onOpenText={openText}
            />
          </div>
        )}
      </div>
      <GeneratedNote
        made={made !== null && made.text === draft.text ? made.args : null}
        // The page says already why there is no example.
        problem={failed?.code === detail.exampleProblem?.code ? null : failed}
      />
    </>
  );
}
