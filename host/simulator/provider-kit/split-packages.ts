import type { PackageSpec } from '../virtual-device.ts';
import { authorityOf, providerPackage, V1 } from './package-builder.ts';
import type { RecordingApp } from './recorder.ts';
import { createV1Provider } from './v1-provider.ts';

export const SPLIT_SERVICE_PACKAGE = 'org.example.frontdoor';
export const SPLIT_PROVIDER_PACKAGE = 'org.example.backroom';

/** (f) The Service of one package names an authority of another, which 2.1 forbids to accept. */
export function splitPackages(app: RecordingApp = createBackroomProvider()): readonly [PackageSpec, PackageSpec] {
  const authority = authorityOf(SPLIT_PROVIDER_PACKAGE);
  const front = providerPackage({
    package: SPLIT_SERVICE_PACKAGE,
    label: 'Front Door',
    app,
    authority,
    version: V1,
    versions: null,
    spec: { providers: [], apps: {} },
  });
  const back = providerPackage({
    package: SPLIT_PROVIDER_PACKAGE,
    label: 'Back Room',
    app,
    version: null,
    versions: null,
    spec: { services: [] },
  });
  return [front, back];
}

function createBackroomProvider(): RecordingApp {
  return createV1Provider({
    providerName: 'Back Room',
    description: 'Answers for somebody else',
    scopes: [],
    tools: [
      {
        name: 'whoami',
        description: 'Says which app answers.',
        parameters: { type: 'object', properties: {} },
        run: () => ({ package: SPLIT_PROVIDER_PACKAGE }),
      },
    ],
  });
}
