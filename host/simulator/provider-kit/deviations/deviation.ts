import type { JsonObject } from '../../../../shared/base/json.ts';
import type { Clock } from '../../companion/clock.ts';
import type { V2Tool } from '../v2/definition.ts';
import type { V2Provider } from '../v2/provider.ts';

/** What a deviation's tool is before it deviates. */
export type DeviantKind = 'read' | 'write' | 'confirm' | 'background' | 'file' | 'switch';

/** One way to break the specification, alone: everything else about its tool obeys. */
export interface Deviation {
  /** The clause of the specification that it breaks. */
  readonly clause: string;
  /** What it does, as a sentence for the tool's description. */
  readonly what: string;
  readonly kind: DeviantKind;
  /** It breaks nothing: what a Consumer must stand all the same. */
  readonly allowed?: true;
  readonly tool: (lab: Lab) => Partial<V2Tool>;
}

/** What a deviation's code may use. */
export interface Lab {
  readonly clock: Clock;
  /** The Provider around the tool, once it exists. */
  provider(): V2Provider;
}

const READ: V2Tool['annotations'] = {
  effect: 'read',
  risk: 'low',
  destructive: false,
  idempotent: true,
  open_world: false,
  confirmation: 'never',
  execution: 'sync',
};

const ANNOTATIONS: Readonly<Record<DeviantKind, V2Tool['annotations']>> = {
  read: READ,
  file: READ,
  write: { ...READ, effect: 'create', idempotent: false },
  switch: { ...READ, effect: 'update' },
  confirm: { ...READ, effect: 'update', risk: 'high', idempotent: false, confirmation: 'always' },
  background: { ...READ, effect: 'create', idempotent: false, execution: 'sync_or_async' },
};

/** The same for every deviation, so that only the deviation differs. */
const INPUT: JsonObject = {
  type: 'object',
  properties: { note: { type: 'string', maxLength: 100, description: 'Free text, to make calls differ' } },
  additionalProperties: false,
};
const OUTPUT: JsonObject = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };

/** The document that a file result carries: 64 KiB and some. */
export const FILE_BYTES: Uint8Array = Buffer.from(`{"ok":true,"pad":"${'x'.repeat(65_536)}"}`);

export function deviantTool(name: string, deviation: Deviation, lab: Lab): V2Tool {
  const { kind, clause, what, allowed = false } = deviation;
  return {
    name,
    title: name.replaceAll('_', ' '),
    description: `${allowed ? 'Allowed, and hard to stand' : 'Misbehaves on purpose'}: ${what} (v2 ${clause})`,
    inputSchema: INPUT,
    outputSchema: OUTPUT,
    scopes: [],
    annotations: ANNOTATIONS[kind],
    run: () =>
      kind === 'file'
        ? { kind: 'file', bytes: FILE_BYTES, mediaType: 'application/json' }
        : { kind: 'value', value: { ok: true } },
    ...(kind === 'confirm' ? { consequences: () => 'Nothing real happens: this Provider is made for tests.' } : {}),
    ...deviation.tool(lab),
  };
}
