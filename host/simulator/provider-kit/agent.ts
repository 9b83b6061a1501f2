import { HANDLE_PROPOSAL_ACTION, INSTALL_AGENT_ACTION } from '../android/visibility.ts';
import type { ActivityResult, DeviceIntent, ManifestActivity, PackageSpec } from '../virtual-device.ts';
import { NO_OBJECTS } from './bundles.ts';

export const AGENT_PACKAGE = 'org.example.agent';

/** A sample with activities to start for a result; the companion vectors describe each. */
export function agentPackage(): PackageSpec {
  return {
    package: AGENT_PACKAGE,
    label: 'Sample Agent',
    labelIsResource: false,
    versionName: '2.0',
    versionCode: 20,
    sharedUserId: null,
    signer: AGENT_PACKAGE,
    services: [],
    providers: [],
    activities: [
      activity('Install', { actions: [INSTALL_AGENT_ACTION], run: async (_, intent) => echoed(intent) }),
      activity('Propose', { actions: [HANDLE_PROPOSAL_ACTION], run: async (_, intent) => echoed(intent) }),
      activity('Silent', { run: async () => ({ resultCode: 0, data: null }) }),
      activity('Open', { run: () => new Promise(() => {}) }),
      activity('Hidden', { exported: false }),
      activity('Guarded', { permission: 'org.example.permission.NOBODY_DEFINES' }),
    ],
    definesPermissions: [],
    usesPermissions: [],
    paddingBytes: 0,
    apps: {},
  };
}

function activity(name: string, change: Partial<ManifestActivity>): ManifestActivity {
  return {
    name: `${AGENT_PACKAGE}.${name}`,
    exported: true,
    enabled: true,
    permission: null,
    actions: [],
    run: async () => ({ resultCode: 0, data: null }),
    ...change,
  };
}

/** RESULT_OK and an Intent that carries the extras back. */
function echoed(intent: DeviceIntent): ActivityResult {
  return {
    resultCode: -1,
    data: {
      action: 'agent.provider.action.RESULT',
      data: null,
      type: null,
      package: null,
      component: null,
      categories: [],
      flags: 0,
      extras: { entries: intent.extras.entries, objects: NO_OBJECTS },
    },
  };
}
