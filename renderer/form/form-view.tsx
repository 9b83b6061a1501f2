import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Json, type JsonFault, parseJson } from '../../shared/base/json.ts';
import { applyEdit, editFor } from '../../shared/base/json-edit.ts';
import { type JsonPath, nodeAt, readJsonTree } from '../../shared/base/json-tree.ts';
import type { ValueIssue } from '../../shared/model/call.ts';
import { useI18n } from '../ui/i18n.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Button, Note } from '../ui/widgets.tsx';
import { Field } from './field.tsx';
import { type FormActions, FormContext, IssuesContext } from './form-context.ts';
import { collectIssues } from './issues.ts';
import { ShapeReader } from './shape.ts';
import '../parts/parts.css';
import './form.css';

/** Of the text, in UTF-16 units and levels: what is longer is edited as text. */
const LIMITS = { maxLength: 256 * 1024, maxDepth: 100 };
const MAX_SCHEMA = { maxLength: 1024 * 1024, maxDepth: 100 };

export interface FormViewProps {
  /** The arguments as they stand; the form has no other state. */
  readonly text: string;
  /** The schema's JSON text, or null where the tool has none. */
  readonly schemaText: string | null;
  readonly label: string;
  /** Edits of one group belong together for undo; null is a step of its own. */
  readonly onEdit: (text: string, group: string | null) => void;
  /** What the check says, and of which text. */
  readonly verdict: { readonly ofText: string; readonly issues: readonly ValueIssue[] } | null;
  /** Whether a field holds what is not in the text. */
  readonly onUnapplied: (any: boolean) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  /** Shows the text with the cursor at this UTF-16 offset. */
  readonly onOpenText: (offset: number) => void;
}

/** The arguments as a form made from the schema. Each change is one edit of the text: what the form does not know stays. */
export function FormView(props: FormViewProps) {
  const { t } = useI18n();
  const { text, schemaText } = props;
  const tree = useMemo(() => readJsonTree(text, LIMITS), [text]);
  const schema = useMemo(() => readSchema(schemaText), [schemaText]);
  const container = useRef<HTMLDivElement>(null);
  const focus = useRef<string | null>(null);
  const held = useRef(new Set<string>());
  const latest = useRef(props);
  latest.current = props;
  // While only values change, each pointer still leads to the place that the check spoke of.
  const [kept, setKept] = useState<{ readonly ofText: string; readonly text: string } | null>(null);
  const keep = useRef(kept);
  keep.current = kept;

  const actions = useMemo<FormActions>(
    () => ({
      reader: new ShapeReader(schema.value),
      apply(operation, options = {}) {
        const { text: before, verdict, onEdit } = latest.current;
        const edit = editFor(before, operation);
        if (edit === null) return;
        const after = applyEdit(before, edit);
        focus.current = options.focus ?? null;
        const ofText = verdict?.ofText ?? null;
        const follows = ofText === before || (keep.current?.ofText === ofText && keep.current?.text === before);
        setKept(ofText !== null && follows && options.group !== undefined ? { ofText, text: after } : null);
        // Two fields that change one after the other meet the text of the first.
        latest.current = { ...latest.current, text: after };
        onEdit(after, options.group ?? null);
      },
      unapplied(key, any) {
        if (any) held.current.add(key);
        else held.current.delete(key);
        latest.current.onUnapplied(held.current.size > 0);
      },
      openText(path) {
        latest.current.onOpenText(offsetOf(latest.current.text, path));
      },
    }),
    [schema],
  );

  const { verdict } = props;
  const issues = useMemo(() => {
    const fits =
      verdict !== null && (verdict.ofText === text || (kept?.ofText === verdict.ofText && kept.text === text));
    return collectIssues(fits ? verdict.issues : [], verdict?.ofText !== text);
  }, [verdict, text, kept]);

  useLayoutEffect(() => {
    const pointer = focus.current;
    focus.current = null;
    if (pointer === null) return;
    const target = container.current?.querySelector<HTMLElement>(`[data-focus="${CSS.escape(pointer)}"]`);
    (target ?? container.current)?.focus();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const redo = key === 'y' || (key === 'z' && event.shiftKey);
    // What a field holds for itself has its own undo.
    if ((key !== 'z' && !redo) || held.current.size > 0) return;
    event.preventDefault();
    if (redo) latest.current.onRedo();
    else latest.current.onUndo();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a form element would submit on Enter
    <div ref={container} className="form" role="form" tabIndex={-1} aria-label={props.label} onKeyDown={onKeyDown}>
      {schema.note === null ? null : <p className="fine dim form-note">{t(`uiForm.schema.${schema.note}`)}</p>}
      {tree.ok ? (
        <FormContext value={actions}>
          <IssuesContext value={issues}>
            <Field
              schema={schema.value}
              path={[]}
              pointer=""
              node={tree.value}
              source={text.slice(tree.value.start, tree.value.end)}
              name={t('uiComposer.arguments')}
              label={t('uiComposer.arguments')}
              required={false}
            />
          </IssuesContext>
        </FormContext>
      ) : (
        <NoForm fault={tree.error} empty={text.trim() === ''} {...props} />
      )}
    </div>
  );
}

function NoForm({
  fault,
  empty,
  onEdit,
  onOpenText,
}: FormViewProps & { readonly fault: JsonFault; readonly empty: boolean }) {
  const { t } = useI18n();
  const offset = fault.code === 'syntax' ? Number(/ at offset (\d+)$/.exec(fault.message)?.[1] ?? 0) : 0;
  return (
    <Note tone="info" icon="info" title={t(fault.code === 'syntax' ? 'uiForm.noJson' : 'uiForm.tooLarge')}>
      {fault.code === 'syntax' ? (
        <p className="fine">
          <SafeText text={fault.message} limit={200} />
        </p>
      ) : null}
      <div className="row">
        <Button small icon="pencil" onClick={() => onOpenText(offset)}>
          {t('uiForm.editAsText')}
        </Button>
        {empty ? (
          <Button small icon="braces" onClick={() => onEdit('{}', null)}>
            {t('uiForm.startEmpty')}
          </Button>
        ) : null}
      </div>
    </Note>
  );
}

function readSchema(text: string | null): { readonly value: Json; readonly note: 'none' | 'unreadable' | null } {
  if (text === null) return { value: true, note: 'none' };
  const parsed = parseJson(text, MAX_SCHEMA);
  return parsed.ok ? { value: parsed.value.value, note: null } : { value: true, note: 'unreadable' };
}

/** Where the value of a path begins, or the nearest one on the way to it. */
function offsetOf(text: string, path: JsonPath): number {
  const tree = readJsonTree(text);
  if (!tree.ok) return 0;
  for (let length = path.length; length > 0; length--) {
    const node = nodeAt(tree.value, path.slice(0, length));
    if (node !== null) return node.start;
  }
  return tree.value.start;
}
