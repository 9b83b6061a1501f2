import { type ReactNode, useState } from 'react';
import type { Json } from '../../shared/base/json.ts';
import type { JsonMember, JsonPath } from '../../shared/base/json-tree.ts';
import { useI18n } from '../ui/i18n.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Button } from '../ui/widgets.tsx';
import { useForm } from './form-context.ts';
import { childPointer, isPlainText, startText } from './values.ts';

/** The name of a member that is no property of the schema; it can be changed in its place. */
export function MemberName({
  path,
  name,
  taken,
  parent,
  children,
}: {
  readonly path: JsonPath;
  readonly name: string;
  readonly taken: readonly JsonMember[];
  readonly parent: string;
  readonly children: ReactNode;
}) {
  const { t } = useI18n();
  const form = useForm();
  const [draft, setDraft] = useState<string | null>(null);
  const clash = draft !== null && draft !== name && taken.some(({ key }) => key === draft);
  const put = () => {
    if (draft !== null && draft !== name && !clash)
      form.apply({ kind: 'rename', path, key: draft }, { focus: childPointer(parent, draft) });
    setDraft(null);
  };
  return (
    <>
      {isPlainText(name) && !name.includes('\n') ? (
        <input
          className="text-input mono form-key"
          aria-label={t('uiForm.nameOf', { name })}
          aria-invalid={clash}
          value={draft ?? name}
          spellCheck={false}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={put}
          onKeyDown={(event) => {
            if (event.key === 'Enter') put();
            if (event.key === 'Escape' && draft !== null) {
              event.stopPropagation();
              setDraft(null);
            }
          }}
        />
      ) : (
        <SafeText text={name} limit={120} fixed />
      )}
      {clash ? (
        <span className="fine tone-bad toned" role="status">
          {t('uiForm.nameTaken')}
        </span>
      ) : null}
      {children}
    </>
  );
}

/** Adds a member under a name of one's own. */
export function NewMember({
  path,
  pointer,
  schema,
  taken,
}: {
  readonly path: JsonPath;
  readonly pointer: string;
  readonly schema: Json;
  readonly taken: ReadonlyMap<string, JsonMember>;
}) {
  const { t } = useI18n();
  const form = useForm();
  const [name, setName] = useState('');
  const clash = taken.has(name);
  const add = () => {
    if (name === '' || clash) return;
    const valueText = startText(form.reader, schema);
    form.apply({ kind: 'set', path: [...path, name], valueText }, { focus: childPointer(pointer, name) });
    setName('');
  };
  return (
    <div className="form-new">
      <input
        className="text-input mono form-key"
        value={name}
        placeholder={t('uiForm.newName')}
        aria-label={t('uiForm.newName')}
        aria-invalid={clash}
        spellCheck={false}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          add();
        }}
      />
      <Button small icon="plus" disabled={name === '' || clash} onClick={add}>
        {t('uiForm.addMember')}
      </Button>
      {clash ? (
        <span className="fine tone-bad toned" role="status">
          {t('uiForm.nameTaken')}
        </span>
      ) : null}
    </div>
  );
}
