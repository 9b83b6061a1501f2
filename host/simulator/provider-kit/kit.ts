import type { PackageSpec } from '../virtual-device.ts';
import { deviantPackage } from './deviant.ts';
import { errorLabPackage } from './error-lab.ts';
import { invalidNegotiationPackage, unsupportedPackage } from './failing-negotiation.ts';
import { malformedPackage } from './malformed-catalog.ts';
import { notesPackage } from './notes-weather.ts';
import { oddManifestPackages } from './odd-manifests.ts';
import { priceAlertsPackage } from './price-alerts.ts';
import { splitPackages } from './split-packages.ts';
import { unprotectedPackage } from './unprotected.ts';

/** Fresh, well-behaved Providers; the definer of ACCESS_TOOLS comes first. */
export function wellBehavedPackages(): readonly PackageSpec[] {
  return [notesPackage(), priceAlertsPackage(), unprotectedPackage()];
}

/** Fresh Providers that break the specification, each in its own way. */
export function misbehavingPackages(): readonly PackageSpec[] {
  const odd = oddManifestPackages();
  return [
    malformedPackage(),
    errorLabPackage(),
    deviantPackage(),
    unsupportedPackage(),
    invalidNegotiationPackage(),
    ...splitPackages(),
    odd.intVersions,
    odd.providerNotExported,
    odd.undefinedPermission,
  ];
}
