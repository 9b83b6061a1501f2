import type { PackageSpec } from '../virtual-device.ts';
import { providerPackage, V1 } from './package-builder.ts';
import type { RecordingApp } from './recorder.ts';
import { createV1Provider } from './v1-provider.ts';

export const UNPROTECTED_PACKAGE = 'org.example.transit';

/** (e) A v1 Provider without any permission, so that the shell reaches it; its label is Chinese. */
export function createUnprotectedProvider(): RecordingApp {
  return createV1Provider({
    providerName: '公交时刻',
    description: '附近站点的发车时间',
    scopes: [{ name: 'stops.read', description: '读取站点与时刻' }],
    tools: [
      {
        name: 'next_departures',
        description: '查询某一站点接下来的班次。',
        parameters: {
          type: 'object',
          properties: { stop: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: 20, default: 3 } },
          required: ['stop'],
        },
        run: (args) => ({
          stop: String(args['stop']),
          departures: [
            { line: '15路', minutes: 4 },
            { line: '夜27路', minutes: 11 },
          ],
        }),
      },
      {
        name: 'list_stops',
        description: '列出附近的站点。',
        parameters: { type: 'object', properties: {} },
        run: () => ({ stops: ['人民广场', '河畔公园', "O'Connell, {gate=2}"] }),
      },
    ],
  });
}

export function unprotectedPackage(app: RecordingApp = createUnprotectedProvider()): PackageSpec {
  return providerPackage({
    package: UNPROTECTED_PACKAGE,
    label: '公交时刻',
    app,
    version: V1,
    versions: null,
    permission: null,
    spec: { labelIsResource: true },
  });
}
