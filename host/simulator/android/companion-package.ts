import type { PackageSpec } from '../virtual-device.ts';

export const COMPANION_PACKAGE = 'com.clawseed.inspector.companion';
export const COMPANION_INSTRUMENTATION = `${COMPANION_PACKAGE}.BridgeInstrumentation`;
/** The fallback where a vendor refuses instrumentation. */
export const COMPANION_SERVICE = `${COMPANION_PACKAGE}.BridgeService`;
export const ACCESS_TOOLS = 'com.clawseed.permission.ACCESS_TOOLS';

/** The companion as its manifest declares it: it uses the permission and never defines it. */
export const companionSpec: PackageSpec = {
  package: COMPANION_PACKAGE,
  label: 'CETP Inspector Companion',
  labelIsResource: false,
  versionName: '1.0.0',
  versionCode: 1,
  sharedUserId: null,
  signer: 'cetp-inspector-companion',
  services: [],
  providers: [],
  definesPermissions: [],
  usesPermissions: [ACCESS_TOOLS, 'android.permission.QUERY_ALL_PACKAGES'],
  paddingBytes: 0,
  apps: {},
};
