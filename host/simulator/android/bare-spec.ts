import type { ApkFacts } from '../apk/apk.ts';
import type { PackageSpec } from '../virtual-device.ts';

/** A package of which only the manifest is known: it is installed, and has no code to call. */
export function bareSpec(facts: ApkFacts): PackageSpec {
  return {
    package: facts.package,
    label: facts.package,
    labelIsResource: false,
    versionName: facts.versionName,
    versionCode: facts.versionCode,
    sharedUserId: null,
    signer: `apk:${facts.package}`,
    services: [],
    providers: [],
    definesPermissions: facts.definesPermissions,
    usesPermissions: facts.usesPermissions,
    paddingBytes: 0,
    apps: {},
  };
}
