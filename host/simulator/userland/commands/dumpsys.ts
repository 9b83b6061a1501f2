import type { VirtualAndroid } from '../../virtual-device.ts';
import type { Command } from '../process.ts';
import { dumpPackages, dumpPermission, dumpProviders, dumpServices } from './dumpsys-package.ts';
import { parseComponent } from './format.ts';

/** `dumpsys activity service [--user N] PKG/CLS ARG…`: the client's own words, indented, under a head (API 26 to 34). */
function dumpService(android: VirtualAndroid, args: readonly string[]): string {
  const [name = '', ...rest] = args[0] === '--user' ? args.slice(2) : args;
  const component = parseComponent(name);
  const words = component && android.dumpService?.(`${component.package}/${component.className}`, rest);
  if (!words) return `No services match: ${name}\n`;
  const head = `SERVICE ${name} 5f0e1d2 pid=${android.pidOf(component.package) ?? 0}\n  Client:\n`;
  return `${head}${words.replace(/^(?=.)/gm, '    ')}\n`;
}

/** `dumpsys package [PKG | providers | r s | permission NAME]` (android-facts 3.2). */
export const dumpsys: Command = async ({ argv, device, stdout, stderr }) => {
  const [, service, ...args] = argv;
  if (service === '-l') {
    await stdout.write('Currently running services:\n  package\n');
    return 0;
  }
  if (service === 'activity' && args[0] === 'service') {
    await stdout.write(dumpService(device.android, args.slice(1)));
    return 0;
  }
  if (service !== 'package') {
    await stderr.write(`Can't find service: ${service ?? ''}\n`);
    return 0;
  }
  const [what, name] = args;
  const { android } = device;
  if (what === 'providers' || what === 'prov') await stdout.write(dumpProviders(android.packages()));
  else if ((what === 'r' || what === 'resolvers') && name === 's') {
    await stdout.write(dumpServices(android.packages(), false));
  } else if (what === 'permission' && name !== undefined) await stdout.write(dumpPermission(android, name));
  else if (what === undefined) await stdout.write(dumpPackages(android, android.packages(), false));
  else {
    const found = android.packages().filter((installed) => installed.spec.package === what);
    if (found.length === 0 && android.sdk >= 31) await stdout.write(`Unable to find package: ${what}\n`);
    else await stdout.write(dumpPackages(android, found, true));
  }
  return 0;
};
