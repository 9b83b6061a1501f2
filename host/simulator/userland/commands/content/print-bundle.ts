import { assertNever } from '../../../../../shared/base/assert-never.ts';
import type { Bundle, BundleEntry } from '../../../../../shared/model/bundle.ts';
import type { DeviceBundle } from '../../../virtual-device.ts';
import { identityHash, javaHash } from '../format.ts';
import { javaDouble, javaFloat } from './java-number.ts';
import { mapBytes, stringBytes, valueBytes } from './parcel.ts';

/** `toString` of a Bundle, or the exception that reading it throws in the `content` process. */
export type PrintedBundle =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly class: string; readonly message: string };

/** How one API level reads and prints (android-facts 1.2). */
interface Style {
  /** API 33 and 34 leave length-prefixed values unread. */
  readonly lazy: boolean;
  /** From API 29 on arrays print their items. */
  readonly deepArrays: boolean;
}

/** Android's own classes are on the class path of every process; all others are not. */
const PLATFORM_CLASS = /^(?:android|java|javax)\./;

/** `"" + bundle` after `bundle.size()`, as the `content` command of an API level prints it. */
export function printBundle(bundle: DeviceBundle, sdk: number): PrintedBundle {
  const style: Style = { lazy: sdk === 33 || sdk === 34, deepArrays: sdk >= 29 };
  const entries = sortedEntries(bundle);
  if (!style.lazy) {
    for (const entry of entries) {
      const foreign = foreignClass(entry);
      if (foreign !== null) {
        return {
          ok: false,
          class: 'android.os.BadParcelableException',
          message: `ClassNotFoundException when unmarshalling: ${foreign}`,
        };
      }
    }
  }
  const shown: string[] = [];
  let position = 4;
  for (const entry of entries) {
    position += stringBytes(entry.key);
    shown.push(`${entry.key}=${printEntry(entry, position, style)}`);
    position += valueBytes(entry);
  }
  if (bundle.nullKeys !== undefined && bundle.nullKeys > 0) shown.push('null=null');
  return { ok: true, text: `Bundle[{${shown.join(', ')}}]` };
}

/** ArrayMap order: ascending signed `hashCode`. A later value of the same key replaces the earlier. */
function sortedEntries(bundle: DeviceBundle): Bundle {
  const byKey = new Map<string, BundleEntry>(bundle.entries.map((entry) => [entry.key, entry]));
  for (const [key, object] of Object.entries(bundle.objects)) {
    if (object.t === 'fd') {
      byKey.set(key, { key, t: 'fd', v: { handle: '', size: object.size } });
    } else {
      const { creatorPackage, creatorUid, immutable, kind } = object;
      byKey.set(key, { key, t: 'pendingIntent', v: { handle: '', creatorPackage, creatorUid, immutable, kind } });
    }
  }
  return [...byKey.values()].sort((a, b) => javaHash(a.key) - javaHash(b.key));
}

function foreignClass(entry: BundleEntry): string | null {
  if (entry.t === 'unreadable') return entry.v.class;
  return entry.t === 'opaque' && !PLATFORM_CLASS.test(entry.v.class) ? entry.v.class : null;
}

function printEntry(entry: BundleEntry, position: number, style: Style): string {
  const lazyType = lazyTypeOf(entry);
  if (style.lazy && lazyType !== null) return `Supplier{${lazyType}@${position}+${valueBytes(entry)}}`;
  return printValue(entry, style);
}

/** The length-prefixed types, which API 33 and 34 do not read until somebody asks for them. */
function lazyTypeOf(entry: BundleEntry): string | null {
  switch (entry.t) {
    case 'pendingIntent':
    case 'fd':
    case 'unreadable':
      return 'VAL_PARCELABLE';
    case 'opaque':
      return entry.v.class.startsWith('java.') ? 'VAL_SERIALIZABLE' : 'VAL_PARCELABLE';
    case 'strings':
      return 'VAL_LIST';
    case 'bundle[]':
      return 'VAL_PARCELABLEARRAY';
    default:
      return null;
  }
}

function printValue(entry: BundleEntry, style: Style): string {
  const array = (javaType: string, items: readonly string[]): string =>
    style.deepArrays ? `[${items.join(', ')}]` : `${javaType}@${identityHash(entry.key)}`;
  switch (entry.t) {
    case 'null':
      return 'null';
    case 'string':
    case 'text':
    case 'long':
      return entry.v;
    case 'int':
    case 'boolean':
      return String(entry.v);
    case 'float':
      return javaFloat(entry.v);
    case 'double':
      return javaDouble(entry.v);
    case 'int[]':
      return array('[I', entry.v.map(String));
    case 'long[]':
      return array('[J', entry.v);
    case 'boolean[]':
      return array('[Z', entry.v.map(String));
    case 'double[]':
      return array('[D', entry.v.map(javaDouble));
    case 'string[]':
      return array('[Ljava.lang.String;', entry.v.map(String));
    case 'bytes':
      return array(
        '[B',
        [...Buffer.from(entry.v, 'base64')].map((byte) => String((byte << 24) >> 24)),
      );
    case 'strings':
      return `[${entry.v.map(String).join(', ')}]`;
    case 'bundle':
      return nestedBundle(entry.v);
    case 'bundle[]':
      return array('[Landroid.os.Parcelable;', entry.v.map(nestedBundle));
    case 'pendingIntent': {
      const [own, binder] = [identityHash(`pending ${entry.key}`), identityHash(`binder ${entry.key}`)];
      return `PendingIntent{${own}: android.os.BinderProxy@${binder}}`;
    }
    case 'fd':
      return `{ParcelFileDescriptor: java.io.FileDescriptor@${identityHash(`fd ${entry.key}`)}}`;
    case 'opaque':
      return entry.v.text;
    case 'unreadable':
    case 'masked':
      throw new Error(`A Provider cannot hold a value of type ${entry.t}`);
    default:
      return assertNever(entry);
  }
}

/** Nobody asked the inner Bundle for its size, so it is still a parcel. */
const nestedBundle = (bundle: Bundle): string =>
  bundle.length === 0 ? 'Bundle[EMPTY_PARCEL]' : `Bundle[mParcelledData.dataSize=${mapBytes(bundle)}]`;
