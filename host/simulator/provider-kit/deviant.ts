import { type Clock, systemClock } from '../companion/clock.ts';
import type { PackageSpec } from '../virtual-device.ts';
import { deviantTool, type Lab } from './deviations/deviation.ts';
import { DEVIATION_NAMES, DEVIATIONS } from './deviations/deviations.ts';
import { STEADY_TOOL } from './deviations/sessions.ts';
import { providerPackage, text, V2_INT } from './package-builder.ts';
import type { V2Definition, V2Options } from './v2/definition.ts';
import { createV2Provider, type V2Provider } from './v2/provider.ts';

export const DEVIANT_PACKAGE = 'org.example.deviant';

/** (i) A Provider that misbehaves on purpose: one tool a deviation, each alone. `clock` drives what waits. */
export function createDeviantProvider(options: V2Options = {}, clock: Clock = systemClock): V2Provider {
  const lab: Lab = { clock, provider: () => provider };
  const definition: V2Definition = {
    package: DEVIANT_PACKAGE,
    providerName: 'Deviant Provider',
    description:
      'Made for tests: each tool breaks one rule of CETP v2 on purpose, and says which. Nothing real happens.',
    revision: 'deviant-1',
    scopes: [],
    tools: [
      {
        ...deviantTool(STEADY_TOOL, { clause: '', what: '', kind: 'read', tool: () => ({}) }, lab),
        description: 'The one tool here that obeys every rule, until a switch changes it.',
      },
      ...DEVIATION_NAMES.map((name) => deviantTool(name, DEVIATIONS[name], lab)),
    ],
  };
  const provider = createV2Provider(definition, { now: () => clock.now(), ...options });
  return provider;
}

export function deviantPackage(app: V2Provider = createDeviantProvider()): PackageSpec {
  return providerPackage({
    package: DEVIANT_PACKAGE,
    label: 'Deviant Provider (on purpose)',
    app,
    version: V2_INT,
    versions: text('2'),
  });
}
