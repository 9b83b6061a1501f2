import type { PackageSpec } from '../virtual-device.ts';
import { providerPackage, text, V2_INT } from './package-builder.ts';
import type { Effect, Risk, V2Definition, V2Tool } from './v2/definition.ts';
import { createV2Provider, type V2Provider } from './v2/provider.ts';

export const BIG_CATALOG_PACKAGE = 'org.example.warehouse';

const EFFECTS: readonly Effect[] = ['read', 'read', 'create', 'update', 'delete', 'transaction'];
const RISKS: readonly Risk[] = ['low', 'moderate', 'high'];
const NOUNS = ['pallet', 'shelf', 'invoice', 'driver', 'route', 'scanner', 'return', 'crate', 'label', 'dock'];

/**
 * (i) A v2 Provider with `count` short tools, for benches. From about 1,000
 * tools on the list is larger than a Binder reply: build the virtual Android
 * with `binderLimitBytes: Infinity`.
 */
export function createBigCatalog(count = 5_000): V2Provider {
  const definition: V2Definition = {
    package: BIG_CATALOG_PACKAGE,
    providerName: 'Warehouse',
    description: 'Very many tools',
    revision: `big-${count}`,
    scopes: [
      { name: 'stock.read', title: 'Read', description: 'Read stock', access: 'read', sensitivity: 'other' },
      { name: 'stock.write', title: 'Write', description: 'Change stock', access: 'write', sensitivity: 'other' },
    ],
    tools: Array.from({ length: count }, (_, index) => tool(index)),
  };
  return createV2Provider(definition, { grantedScopes: ['stock.read', 'stock.write'] });
}

export function bigCatalogPackage(app: V2Provider = createBigCatalog()): PackageSpec {
  return providerPackage({
    package: BIG_CATALOG_PACKAGE,
    label: 'Warehouse',
    app,
    version: V2_INT,
    versions: text('2'),
  });
}

function tool(index: number): V2Tool {
  const effect = EFFECTS[index % EFFECTS.length] ?? 'read';
  const strict = effect === 'delete' || effect === 'transaction';
  const risk = strict ? 'high' : (RISKS[index % 2] ?? 'low');
  const noun = NOUNS[index % NOUNS.length] ?? 'item';
  return {
    name: `${effect}_${noun}_${index}`,
    title: `${effect} ${noun} ${index}`,
    description: `Performs ${effect} on ${noun} ${index} of the warehouse`,
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    outputSchema: { type: 'object' },
    scopes: [effect === 'read' ? 'stock.read' : 'stock.write'],
    annotations: {
      effect,
      risk,
      destructive: effect === 'delete',
      idempotent: effect === 'read',
      open_world: false,
      confirmation: strict ? 'always' : 'never',
      execution: 'sync',
    },
    run: () => ({ kind: 'value', value: { done: index } }),
  };
}
