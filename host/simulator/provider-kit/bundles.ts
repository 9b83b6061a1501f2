import { type Json, printJson } from '../../../shared/base/json.ts';
import type { Bundle, BundleEntry } from '../../../shared/model/bundle.ts';
import type { BinderOutcome, DeviceBundle, DeviceObject } from '../virtual-device.ts';

export const NO_OBJECTS: Readonly<Record<string, DeviceObject>> = {};

export function string(key: string, v: string): BundleEntry {
  return { key, t: 'string', v };
}

export function int(key: string, v: number): BundleEntry {
  return { key, t: 'int', v };
}

export function long(key: string, v: number | string): BundleEntry {
  return { key, t: 'long', v: String(v) };
}

export function boolean(key: string, v: boolean): BundleEntry {
  return { key, t: 'boolean', v };
}

/** The outcome of a `call()` that returns a Bundle. */
export function answer(entries: Bundle, objects: Readonly<Record<string, DeviceObject>> = NO_OBJECTS): BinderOutcome {
  return { kind: 'bundle', bundle: { entries, objects } };
}

/** A value that is a JSON text already, or is printed with every digit. */
export function jsonText(value: Json | { readonly text: string }): string {
  return isText(value) ? value.text : printJson(value);
}

function isText(value: Json | { readonly text: string }): value is { readonly text: string } {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';
}

/** Typed access to the extras of a call, as `Bundle.getString` and its like: another type reads as absent. */
export class Extras {
  private readonly entries: Bundle;

  constructor(bundle: DeviceBundle | null) {
    this.entries = bundle?.entries ?? [];
  }

  has(key: string): boolean {
    return this.entries.some((entry) => entry.key === key);
  }

  string(key: string): string | null {
    const entry = this.find(key);
    return entry?.t === 'string' ? entry.v : null;
  }

  int(key: string): number | null {
    const entry = this.find(key);
    return entry?.t === 'int' ? entry.v : null;
  }

  /** A double holds every time in ms exactly; a long beyond that is far in the future or past all the same. */
  longAsNumber(key: string): number | null {
    const entry = this.find(key);
    return entry?.t === 'long' ? Number(entry.v) : null;
  }

  ints(key: string): readonly number[] | null {
    const entry = this.find(key);
    return entry?.t === 'int[]' ? entry.v : null;
  }

  private find(key: string): BundleEntry | undefined {
    return this.entries.findLast((entry) => entry.key === key);
  }
}
