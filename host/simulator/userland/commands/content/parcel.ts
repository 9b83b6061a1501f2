import { assertNever } from '../../../../../shared/base/assert-never.ts';
import type { Bundle, BundleEntry } from '../../../../../shared/model/bundle.ts';

/**
 * How many bytes values take in a Parcel: `Bundle.toString` and
 * `LazyValue.toString` print such numbers. Exact for plain values, of a
 * plausible size for objects.
 */

const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/** `Parcel.writeString`: a length, UTF-16 units, a terminator. */
export const stringBytes = (text: string | null): number => (text === null ? 4 : 4 + padded((text.length + 1) * 2));

/** Payload sizes of the two Parcelables that Binder objects ride in: class name, flat objects. */
export const PENDING_INTENT_BYTES = stringBytes('android.app.PendingIntent') + 28;
export const FILE_DESCRIPTOR_BYTES = stringBytes('android.os.ParcelFileDescriptor') + 28;

/** The map of a Bundle: a count, then key and value of each entry. */
export function mapBytes(bundle: Bundle): number {
  return bundle.reduce((bytes, entry) => bytes + stringBytes(entry.key) + valueBytes(entry), 4);
}

/** A value with its type number, and its length where the type is length-prefixed. */
export function valueBytes(entry: BundleEntry): number {
  const size = (bytes: number): number => 4 + bytes;
  switch (entry.t) {
    case 'null':
      return 4;
    case 'string':
    case 'text':
      return size(stringBytes(entry.v));
    case 'int':
    case 'boolean':
    case 'float':
    case 'masked':
      return size(4);
    case 'long':
    case 'double':
      return size(8);
    case 'int[]':
    case 'boolean[]':
      return size(4 + 4 * entry.v.length);
    case 'long[]':
    case 'double[]':
      return size(4 + 8 * entry.v.length);
    case 'string[]':
      return size(entry.v.reduce((bytes, item) => bytes + stringBytes(item), 4));
    case 'strings':
      return size(4 + entry.v.reduce((bytes, item) => bytes + 4 + stringBytes(item), 4));
    case 'bytes':
      return size(4 + padded(Buffer.from(entry.v, 'base64').length));
    case 'bundle':
      return size(8 + mapBytes(entry.v));
    case 'bundle[]':
      return size(
        4 + entry.v.reduce((bytes, item) => bytes + stringBytes('android.os.Bundle') + 8 + mapBytes(item), 4),
      );
    case 'pendingIntent':
      return size(4 + PENDING_INTENT_BYTES);
    case 'fd':
      return size(4 + FILE_DESCRIPTOR_BYTES);
    case 'opaque':
      return size(4 + stringBytes(entry.v.class) + stringBytes(entry.v.text));
    case 'unreadable':
      return size(4 + stringBytes(entry.v.class) + 16);
    default:
      return assertNever(entry);
  }
}
