import type { ManifestMetaData, PackageSpec } from '../virtual-device.ts';
import { authorityOf, providerPackage, text, V1, V2_INT } from './package-builder.ts';
import type { RecordingApp } from './recorder.ts';
import { createV1Provider } from './v1-provider.ts';

/** (g) Packages whose manifests are odd in one way each; the code behind all of them is a plain v1 Provider. */
export function oddManifestPackages(): Readonly<Record<OddManifest, PackageSpec>> {
  return {
    intVersions: odd('intversions', { versions: V2_INT, version: V2_INT }),
    floatVersion: odd('floatversion', { version: { t: 'float', v: 1 } }),
    messyVersions: odd('messyversions', { versions: text(' 1, 2 ,2,x,0,-3,7') }),
    noVersion: odd('noversion', { version: null }),
    serviceNotExported: odd('hiddenservice', { service: { exported: false } }),
    serviceDisabled: odd('sleepingservice', { service: { enabled: false } }),
    providerNotExported: odd('hiddenprovider', { provider: { exported: false } }),
    providerDisabled: odd('sleepingprovider', { provider: { enabled: false } }),
    undefinedPermission: odd('nopermission', { permission: 'org.example.permission.NOBODY_DEFINES' }),
    readPermissionOnly: odd('readonly', { provider: { writePermission: null } }),
    authorityReference: odd('reference', {
      service: {
        metaData: [
          {
            name: 'com.clawseed.tools.authority',
            value: { t: 'stringRef', v: authorityOf('org.example.odd.reference') },
          },
          { name: 'com.clawseed.tools.version', value: { t: 'stringRef', v: '1' } },
        ],
      },
    }),
    noAuthority: odd('noauthority', { service: { metaData: [{ name: 'com.clawseed.tools.version', value: V1 }] } }),
    unknownAuthority: odd('nowhere', { spec: { providers: [], apps: {} } }),
    ownProcess: odd('ownprocess', { service: { processName: ':tools' }, provider: { processName: ':tools' } }),
    grantsUris: odd('granting', { provider: { grantUriPermissions: true, initOrder: 0 } }),
    sharedUid: odd('shareduid', { spec: { sharedUserId: 'org.example.odd.shared' } }),
    large: odd('large', { spec: { paddingBytes: 200 * 1024 * 1024 } }),
  };
}

export type OddManifest =
  | 'intVersions'
  | 'floatVersion'
  | 'messyVersions'
  | 'noVersion'
  | 'serviceNotExported'
  | 'serviceDisabled'
  | 'providerNotExported'
  | 'providerDisabled'
  | 'undefinedPermission'
  | 'readPermissionOnly'
  | 'authorityReference'
  | 'noAuthority'
  | 'unknownAuthority'
  | 'ownProcess'
  | 'grantsUris'
  | 'sharedUid'
  | 'large';

interface Oddity extends Partial<Omit<Parameters<typeof providerPackage>[0], 'package' | 'label' | 'app'>> {
  readonly version?: ManifestMetaData['value'] | null;
}

function odd(name: string, change: Oddity): PackageSpec {
  return providerPackage({
    package: `org.example.odd.${name}`,
    label: `Odd ${name}`,
    app: createOddProvider(name),
    version: V1,
    versions: null,
    ...change,
  });
}

function createOddProvider(name: string): RecordingApp {
  return createV1Provider({
    providerName: `Odd ${name}`,
    description: 'A Provider with an odd manifest',
    scopes: [],
    tools: [
      {
        name: 'ping',
        description: 'Answers pong.',
        parameters: { type: 'object', properties: {} },
        run: () => ({ pong: name }),
      },
    ],
  });
}
