import type { Bundle, BundleEntry } from '../../../shared/model/bundle.ts';
import type { DeviceBundle } from '../virtual-device.ts';

/** The transaction buffer of a process, less what Binder keeps: 1 MiB minus two pages (AOSP `ProcessState.cpp`). */
export const BINDER_LIMIT_BYTES = 1024 * 1024 - 2 * 4096;

/** About how many bytes a Bundle takes in a Parcel; strings are UTF-16 there. */
export function parcelSize(bundle: DeviceBundle | null): number {
  if (bundle === null) return 4;
  return bundleSize(bundle.entries) + Object.keys(bundle.objects).length * 64;
}

function bundleSize(bundle: Bundle): number {
  return bundle.reduce((size, entry) => size + stringSize(entry.key) + 4 + valueSize(entry), 12);
}

function stringSize(text: string): number {
  return 4 + ((text.length + 1) * 2 + 3 - (((text.length + 1) * 2 + 3) % 4));
}

function valueSize(entry: BundleEntry): number {
  switch (entry.t) {
    case 'string':
    case 'text':
      return stringSize(entry.v);
    case 'int[]':
    case 'boolean[]':
      return 4 + entry.v.length * 4;
    case 'long[]':
    case 'double[]':
      return 4 + entry.v.length * 8;
    case 'string[]':
    case 'strings':
      return 4 + entry.v.reduce((size, item) => size + (item === null ? 4 : stringSize(item)), 0);
    case 'bytes':
      return 4 + Math.floor((entry.v.length * 3) / 4);
    case 'bundle':
      return bundleSize(entry.v);
    case 'bundle[]':
      return entry.v.reduce((size, item) => size + bundleSize(item), 4);
    case 'opaque':
      return 64 + stringSize(entry.v.text);
    case 'unreadable':
    case 'pendingIntent':
    case 'fd':
      return 64;
    case 'null':
    case 'masked':
    case 'boolean':
    case 'int':
    case 'float':
      return 4;
    case 'long':
    case 'double':
      return 8;
  }
}
