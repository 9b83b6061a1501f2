import { useMemo, useState } from 'react';
import { isJsonObject, type Json, parseJson } from '../../shared/base/json.ts';
import { useI18n } from '../ui/i18n.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { NotJson } from './not-json.tsx';
import './parts.css';

const PAGE = 100;

/** JSON text as a tree that draws only what is open; every digit is kept. Text that does not parse is shown as it is. */
export function JsonTree({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useI18n();
  const parsed = useMemo(() => parseJson(text), [text]);
  if (!parsed.ok) return <NotJson text={text} />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a named group of disclosures, not a form
    <div className="json-tree mono" role="group" aria-label={label}>
      {parsed.value.duplicateKeys.length === 0 ? null : (
        <p className="tone-warn toned">
          <SafeText
            text={t('shell.repeatedMembers', { names: parsed.value.duplicateKeys.slice(0, 10).join(', ') })}
            limit={400}
          />
        </p>
      )}
      <Node name={null} value={parsed.value.value} depth={0} />
    </div>
  );
}

function Node({ name, value, depth }: { readonly name: string | null; readonly value: Json; readonly depth: number }) {
  const { t } = useI18n();
  const isArray = Array.isArray(value);
  const isBranch = isArray || isJsonObject(value);
  const [open, setOpen] = useState(depth < 2);
  const [shown, setShown] = useState(PAGE);
  const label =
    name === null ? null : (
      <span className="json-key">
        <SafeText text={name} limit={120} />:{' '}
      </span>
    );
  if (!isBranch) {
    return (
      <div className="json-leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  const entries: readonly (readonly [string, Json])[] = isArray
    ? value.map((item: Json, index: number) => [String(index), item] as const)
    : Object.entries(value);
  const brackets = isArray ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <div>
      <button type="button" className="disclosure" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="chevron" size={10} />
        {label}
        <span className="dim">{brackets}</span>
        {open || entries.length === 0 ? null : (
          <span className="json-preview">
            <SafeText text={preview(value)} limit={110} fixed />
          </span>
        )}
      </button>
      {open ? (
        <div className="json-children">
          {entries.slice(0, shown).map(([key, item]) => (
            <Node key={key} name={key} value={item} depth={depth + 1} />
          ))}
          {entries.length > shown ? (
            <button type="button" className="text-button" onClick={() => setShown(shown + PAGE)}>
              {t('shell.moreItems', { count: entries.length - shown })}
            </button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function Leaf({ value }: { readonly value: Json }) {
  if (value === null) return <span className="json-null">null</span>;
  if (typeof value === 'string') {
    return (
      <span className="json-string">
        "<SafeText text={value} limit={400} />"
      </span>
    );
  }
  if (typeof value === 'boolean') return <span className="json-bool">{String(value)}</span>;
  return <span className="json-number num">{value.toString()}</span>;
}

/** The first members of a closed branch in one line. */
function preview(value: Json): string {
  const scalar = (item: Json): string => {
    if (Array.isArray(item)) return '[…]';
    if (isJsonObject(item)) return '{…}';
    return typeof item === 'string' ? JSON.stringify(item.slice(0, 60)) : String(item);
  };
  if (Array.isArray(value)) return value.slice(0, 6).map(scalar).join(', ');
  if (!isJsonObject(value)) return '';
  return Object.entries(value)
    .slice(0, 6)
    .map(([key, item]) => `${key.slice(0, 40)}: ${scalar(item)}`)
    .join(', ');
}
