import { isJsonObject, type JsonObject, parseJson, printJson } from '../../../../shared/base/json.ts';
import type { BundleEntry } from '../../../../shared/model/bundle.ts';
import type { BinderOutcome, DeviceObject } from '../../virtual-device.ts';
import { string } from '../bundles.ts';

/** Small edits of an answer that is about to leave; one that is no Bundle stays as it is. */

export function withEntry(outcome: BinderOutcome, entry: BundleEntry): BinderOutcome {
  if (outcome.kind !== 'bundle') return outcome;
  const { entries, objects } = outcome.bundle;
  const without = entries.filter((other) => other.key !== entry.key);
  return { kind: 'bundle', bundle: { entries: [...without, entry], objects } };
}

export function withoutKey(outcome: BinderOutcome, key: string): BinderOutcome {
  if (outcome.kind !== 'bundle') return outcome;
  const { entries, objects } = outcome.bundle;
  const { [key]: _gone, ...rest } = objects;
  return { kind: 'bundle', bundle: { entries: entries.filter((entry) => entry.key !== key), objects: rest } };
}

export function withObject(
  outcome: BinderOutcome,
  key: string,
  change: (object: DeviceObject) => DeviceObject,
): BinderOutcome {
  if (outcome.kind !== 'bundle') return outcome;
  const { entries, objects } = outcome.bundle;
  const object = objects[key];
  if (!object) return outcome;
  return { kind: 'bundle', bundle: { entries, objects: { ...objects, [key]: change(object) } } };
}

export function dataOf(outcome: BinderOutcome): JsonObject | null {
  const parsed = parseJson(stringOf(outcome, 'data') ?? '');
  return parsed.ok && isJsonObject(parsed.value.value) ? parsed.value.value : null;
}

export function stringOf(outcome: BinderOutcome, key: string): string | null {
  if (outcome.kind !== 'bundle') return null;
  const entry = outcome.bundle.entries.find((item) => item.key === key);
  return entry?.t === 'string' ? entry.v : null;
}

/** Changes the `data` object; an answer without one stays. */
export function withData(outcome: BinderOutcome, change: (data: JsonObject) => JsonObject): BinderOutcome {
  const data = dataOf(outcome);
  return data === null ? outcome : withEntry(outcome, string('data', printJson(change(data))));
}

export function without(data: JsonObject, key: string): JsonObject {
  const { [key]: _gone, ...rest } = data;
  return rest;
}
