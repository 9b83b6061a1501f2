import { createVirtualAndroid, type SimulatedAndroid } from '../android/virtual-android.ts';
import { misbehavingPackages, wellBehavedPackages } from '../provider-kit/kit.ts';
import type { DemoScreen } from './demo-screen.ts';

export interface DemoDevice {
  readonly android: SimulatedAndroid;
  readonly serial: string;
  /** adb's word for it, such as `device` or `unauthorized`. */
  readonly state: string;
}

/**
 * A phone with everything, a tablet that still needs the companion, and a phone that refuses this
 * computer. What their Providers ask is on `screen`; without one the person approves everything.
 */
export function createDemoDevices(screen: DemoScreen | null = null): DemoDevice[] {
  const phoneUser = screen?.user({ serial: 'DEMO34PHONE01', model: 'Pixel 8' });
  const tabletUser = screen?.user({ serial: 'DEMO30TABLET1', model: 'Tab P11' });
  const phone = createVirtualAndroid({
    sdk: 34,
    manufacturer: 'Google',
    model: 'Pixel 8',
    serialno: 'DEMO34PHONE01',
    packages: [...wellBehavedPackages(phoneUser), ...misbehavingPackages(phoneUser)],
  });
  const tablet = createVirtualAndroid({
    sdk: 30,
    manufacturer: 'Lenovo',
    model: 'Tab P11',
    serialno: 'DEMO30TABLET1',
    packages: wellBehavedPackages(tabletUser),
    companionInstalled: false,
  });
  const stranger = createVirtualAndroid({
    sdk: 33,
    manufacturer: 'Fairphone',
    model: 'FP5',
    serialno: 'DEMO33PHONE02',
    companionInstalled: false,
  });
  return [
    { android: phone, serial: 'DEMO34PHONE01', state: 'device' },
    { android: tablet, serial: 'DEMO30TABLET1', state: 'device' },
    { android: stranger, serial: 'DEMO33PHONE02', state: 'unauthorized' },
  ];
}
