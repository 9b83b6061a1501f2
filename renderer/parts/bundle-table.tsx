import { useState } from 'react';
import type { Bundle, BundleEntry } from '../../shared/model/bundle.ts';
import { useI18n } from '../ui/i18n.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Badge } from '../ui/widgets.tsx';
import { JsonTree } from './json-tree.tsx';
import './parts.css';

const ITEMS = 40;
/** A nested Bundle of so few entries starts open. */
const SMALL = 8;

/** A Bundle as it is: every entry with its key, its Android type and its value. */
export function BundleTable({ bundle, label }: { readonly bundle: Bundle; readonly label: string }) {
  const { t } = useI18n();
  if (bundle.length === 0) return <p className="dim pad">{t('shell.bundleEmpty')}</p>;
  return (
    <div className="bundle-scroll">
      <table className="table bundle" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('shell.bundleKey')}</th>
            <th scope="col">{t('shell.bundleType')}</th>
            <th scope="col">{t('shell.bundleValue')}</th>
          </tr>
        </thead>
        <tbody>
          {bundle.map((entry, index) => (
            // Keys may repeat in a hostile Bundle.
            // biome-ignore lint/suspicious/noArrayIndexKey: position is the identity here
            <tr key={index}>
              <td className="mono bundle-key">
                <SafeText text={entry.key} limit={120} />
              </td>
              <td className="bundle-type">{entry.t === 'masked' ? entry.of : entry.t}</td>
              <td className="mono">
                <EntryValue entry={entry} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EntryValue({ entry }: { readonly entry: BundleEntry }) {
  const { t } = useI18n();
  switch (entry.t) {
    case 'string':
    case 'text':
      return <TextValue text={entry.v} name={entry.key} />;
    case 'int':
    case 'long':
    case 'float':
    case 'double':
      return <span className="num">{String(entry.v)}</span>;
    case 'boolean':
      return <span>{String(entry.v)}</span>;
    case 'null':
      return <span className="dim">null</span>;
    case 'masked':
      return (
        <Badge icon="key" look="dashed">
          {t('shell.masked', { bytes: entry.v })}
        </Badge>
      );
    case 'int[]':
    case 'long[]':
    case 'string[]':
    case 'boolean[]':
    case 'double[]':
    case 'strings':
      return <ArrayValue items={entry.v} />;
    case 'bytes':
      return <SafeText text={`base64 ${entry.v}`} limit={200} />;
    case 'bundle':
      return <Nested bundles={[entry.v]} name={entry.key} />;
    case 'bundle[]':
      return <Nested bundles={entry.v} name={entry.key} />;
    case 'pendingIntent':
      return (
        <SafeText
          text={`PendingIntent · ${entry.v.kind ?? '?'} · ${entry.v.creatorPackage ?? '?'} (uid ${entry.v.creatorUid ?? '?'}) · ${
            entry.v.immutable === null ? '?' : entry.v.immutable ? 'immutable' : 'MUTABLE'
          }`}
        />
      );
    case 'fd':
      return <span>{t('shell.fileDescriptor', { size: entry.v.size })}</span>;
    case 'opaque':
      return <SafeText text={`${entry.v.class}: ${entry.v.text}`} />;
    case 'unreadable':
      return (
        <span className="tone-bad toned">
          <Icon name="warning" size={12} /> <SafeText text={`${entry.v.class}: ${entry.v.error}`} />
        </span>
      );
  }
}

/** A text as it is; one that holds JSON can be unfolded as well. */
function TextValue({ text, name }: { readonly text: string; readonly name: string }) {
  const { t } = useI18n();
  const json = text.length > 60 && /^\s*[[{]/.test(text);
  const [open, setOpen] = useState(false);
  if (text === '') return <span className="dim">{t('shell.emptyString')}</span>;
  return (
    <>
      {json && open ? null : <SafeText text={text} limit={json ? 240 : 600} block />}
      {json ? (
        <>
          <button type="button" className="disclosure dim" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name="chevron" size={11} />
            {t('shell.asJson')}
          </button>
          {open ? <JsonTree text={text} label={name} /> : null}
        </>
      ) : null}
    </>
  );
}

function ArrayValue({ items }: { readonly items: readonly (string | number | boolean | null)[] }) {
  const { t } = useI18n();
  const shown = items.slice(0, ITEMS).map((item) => (typeof item === 'string' ? JSON.stringify(item) : String(item)));
  return (
    <span>
      [<SafeText text={shown.join(', ')} limit={600} />]
      {items.length > ITEMS ? (
        <span className="dim"> {t('shell.moreItems', { count: items.length - ITEMS })}</span>
      ) : null}
    </span>
  );
}

function Nested({ bundles, name }: { readonly bundles: readonly Bundle[]; readonly name: string }) {
  const { t } = useI18n();
  const count = bundles.reduce((sum, bundle) => sum + bundle.length, 0);
  const [open, setOpen] = useState(count <= SMALL);
  return (
    <div>
      <button type="button" className="disclosure" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="chevron" size={11} />
        {bundles.length === 1
          ? t('shell.nestedEntries', { count })
          : t('shell.nestedBundles', { count: bundles.length })}
      </button>
      {open
        ? bundles.slice(0, ITEMS).map((bundle, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: position is the identity here
            <BundleTable key={index} bundle={bundle} label={name} />
          ))
        : null}
      {open && bundles.length > ITEMS ? (
        <span className="dim">{t('shell.moreItems', { count: bundles.length - ITEMS })}</span>
      ) : null}
    </div>
  );
}
