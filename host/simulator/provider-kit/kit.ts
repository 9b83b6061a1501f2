import type { PackageSpec } from '../virtual-device.ts';
import { createDeviantProvider, deviantPackage } from './deviant.ts';
import { createErrorLab, errorLabPackage } from './error-lab.ts';
import { invalidNegotiationPackage, unsupportedPackage } from './failing-negotiation.ts';
import { malformedPackage } from './malformed-catalog.ts';
import { notesPackage } from './notes-weather.ts';
import { oddManifestPackages } from './odd-manifests.ts';
import { createPriceAlerts, priceAlertsPackage } from './price-alerts.ts';
import { splitPackages } from './split-packages.ts';
import { unprotectedPackage } from './unprotected.ts';
import type { User } from './v2/definition.ts';

/** Default: everything is approved. */
const APPROVES: User = () => 'approve';

/** Fresh, well-behaved Providers; the definer of ACCESS_TOOLS comes first. `user` is in front of the phone. */
export function wellBehavedPackages(user: User = APPROVES): readonly PackageSpec[] {
  return [notesPackage(), priceAlertsPackage(createPriceAlerts({ user }).app), unprotectedPackage()];
}

/** Fresh Providers that break the specification, each in its own way. */
export function misbehavingPackages(user: User = APPROVES): readonly PackageSpec[] {
  const odd = oddManifestPackages();
  return [
    malformedPackage(),
    errorLabPackage(createErrorLab({ user })),
    deviantPackage(createDeviantProvider({ user })),
    unsupportedPackage(),
    invalidNegotiationPackage(),
    ...splitPackages(),
    odd.intVersions,
    odd.providerNotExported,
    odd.undefinedPermission,
  ];
}
