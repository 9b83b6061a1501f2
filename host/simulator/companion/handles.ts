import { randomBytes } from 'node:crypto';
import type { Bundle, BundleEntry } from '../../../shared/model/bundle.ts';
import type { DeviceBundle, DeviceObject } from '../virtual-device.ts';
import { ProtocolError } from './protocol-error.ts';

/** Handles that one connection may hold (section 3). */
export const MAX_HANDLES = 256;

type PendingIntentObject = Extract<DeviceObject, { t: 'pendingIntent' }>;
type FdObject = Extract<DeviceObject, { t: 'fd' }>;

interface Held {
  readonly object: DeviceObject;
  readonly owner: object;
}

/** The PendingIntents and descriptors that the desktop may name, for all connections of one companion process. */
export class HandleTable {
  private readonly held = new Map<string, Held>();
  private readonly sdk: number;

  constructor(sdk: number) {
    this.sdk = sdk;
  }

  /** Registers a Bundle's objects for `owner`. Over the limit all of them are closed: TOO_MANY_HANDLES. */
  adopt(owner: object, bundle: DeviceBundle): { readonly entries: Bundle; readonly handles: readonly string[] } {
    const objects = Object.entries(bundle.objects);
    const owned = [...this.held.values()].filter((item) => item.owner === owner).length;
    if (objects.length > 0 && owned + objects.length > MAX_HANDLES) {
      closeBundle(bundle);
      throw new ProtocolError('TOO_MANY_HANDLES', `A connection holds at most ${MAX_HANDLES} handles`);
    }
    const handles: string[] = [];
    const added = objects.map(([key, object]): BundleEntry => {
      const handle = `h-${randomBytes(12).toString('hex')}`;
      this.held.set(handle, { object, owner });
      handles.push(handle);
      return object.t === 'fd'
        ? { key, t: 'fd', v: { handle, size: object.size } }
        : { key, t: 'pendingIntent', v: this.facts(handle, object) };
    });
    return { entries: [...bundle.entries, ...added], handles };
  }

  /** Handles held for all connections. */
  get size(): number {
    return this.held.size;
  }

  pendingIntent(handle: string): PendingIntentObject {
    const { object } = this.get(handle);
    if (object.t !== 'pendingIntent') throw new ProtocolError('BAD_PARAMS', 'The handle is not a PendingIntent');
    return object;
  }

  /** Hands a descriptor out for reading; the handle is consumed by that. */
  takeFd(handle: string): FdObject {
    const { object } = this.get(handle);
    if (object.t !== 'fd') throw new ProtocolError('BAD_PARAMS', 'The handle is not a descriptor');
    this.held.delete(handle);
    return object;
  }

  /** Unknown handles are ignored. */
  release(handles: readonly string[]): void {
    for (const handle of handles) {
      const item = this.held.get(handle);
      if (!item) continue;
      this.held.delete(handle);
      closeObject(item.object);
    }
  }

  releaseOwnedBy(owner: object): void {
    this.release([...this.held].filter(([, item]) => item.owner === owner).map(([handle]) => handle));
  }

  releaseAll(): void {
    this.release([...this.held.keys()]);
  }

  private get(handle: string): Held {
    const item = this.held.get(handle);
    if (!item) throw new ProtocolError('STALE_HANDLE', 'No such handle');
    return item;
  }

  /** `isActivity()`, `isImmutable()` and their like are public from API 31. */
  private facts(handle: string, object: PendingIntentObject): Extract<BundleEntry, { t: 'pendingIntent' }>['v'] {
    const { creatorPackage, creatorUid } = object;
    return this.sdk >= 31
      ? { handle, creatorPackage, creatorUid, immutable: object.immutable, kind: object.kind }
      : { handle, creatorPackage, creatorUid, immutable: null, kind: null };
  }
}

function closeObject(object: DeviceObject): void {
  if (object.t === 'fd') object.close();
}

/** Closes the descriptors of a Bundle that nobody will receive. */
export function closeBundle(bundle: DeviceBundle): void {
  for (const object of Object.values(bundle.objects)) closeObject(object);
}
