import { useMemo, useState } from 'react';
import { isJsonObject, type Json, type JsonObject, member, parseJson, printJson } from '../../shared/base/json.ts';
import { useI18n } from '../ui/i18n.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Badge } from '../ui/widgets.tsx';
import { NotJson } from './not-json.tsx';
import { childrenOf, constraintsOf, typeOf } from './schema-reading.ts';
import './parts.css';

const PAGE = 60;

/** A JSON Schema for reading. It draws what is open, and shows every keyword that it does not lay out. */
export function SchemaTree({ text }: { readonly text: string }) {
  const parsed = useMemo(() => parseJson(text), [text]);
  if (!parsed.ok) return <NotJson text={text} />;
  return <SchemaNode name={null} required={false} schema={parsed.value.value} depth={0} />;
}

function SchemaNode({
  name,
  required,
  schema,
  depth,
}: {
  readonly name: string | null;
  readonly required: boolean;
  readonly schema: Json;
  readonly depth: number;
}) {
  const { t } = useI18n();
  const [open, setOpen] = useState(depth < 2);
  const [shown, setShown] = useState(PAGE);
  const object: JsonObject | null = isJsonObject(schema) ? schema : null;
  const children = object === null ? [] : childrenOf(object);
  const description = object === null ? undefined : member(object, 'description');
  return (
    <div className="schema-row">
      <div className="schema-head">
        {name === null ? null : (
          <span className="schema-name">
            <SafeText text={name} limit={120} />
          </span>
        )}
        <span className="schema-type">
          <SafeText text={object === null ? printJson(schema) : typeOf(object)} limit={160} />
        </span>
        {required ? <Badge tone="accent">{t('uiCatalog.required')}</Badge> : null}
        {object === null
          ? null
          : constraintsOf(object).map((rule) => (
              <span key={rule} className="schema-rule">
                <SafeText text={rule} limit={200} />
              </span>
            ))}
      </div>
      {typeof description === 'string' && description !== '' ? (
        <div className="sub fine">
          <SafeText text={description} limit={400} block />
        </div>
      ) : null}
      {children.length === 0 ? null : (
        <>
          <button type="button" className="disclosure fine dim" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name="chevron" size={10} />
            {t('uiCatalog.schemaParts', { count: children.length })}
          </button>
          {open ? (
            <div className="schema-children">
              {children.slice(0, shown).map((child) => (
                <SchemaNode
                  key={child.name}
                  name={child.name}
                  required={child.required}
                  schema={child.schema}
                  depth={depth + 1}
                />
              ))}
              {children.length > shown ? (
                <button type="button" className="text-button" onClick={() => setShown(shown + PAGE)}>
                  {t('shell.moreItems', { count: children.length - shown })}
                </button>
              ) : null}
            </div>
          ) : null}
        </>
      )}
    </div>
  );
}
