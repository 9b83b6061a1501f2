// The phone of the streaming figures, in a process of its own as a phone is: prints the port of its adbd.
import { serveAdbd } from '../../host/simulator/adbd/serve-adbd.ts';
import { createVirtualAndroid } from '../../host/simulator/android/virtual-android.ts';
import { archivePackage, createArchive } from '../../host/simulator/provider-kit/archive.ts';
import { wellBehavedPackages } from '../../host/simulator/provider-kit/kit.ts';
import { createDeviceServices } from '../../host/simulator/userland/services.ts';

const android = createVirtualAndroid({
  sdk: 34,
  model: 'Pixel 8',
  serialno: 'STREAM34',
  packages: [...wellBehavedPackages(), archivePackage(createArchive({}, true).app)],
});
const adbd = await serveAdbd(createDeviceServices(android, { serial: 'STREAM34' }));
console.log(adbd.port);
process.once('disconnect', () => process.exit(0));
