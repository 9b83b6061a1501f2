import type { ActivityStart } from '../companion/process.ts';
import type { DeviceIntent } from '../virtual-device.ts';
import type { PackageStore } from './package-store.ts';

/** `startActivityForResult` with an explicit component `package/class`. */
export function startActivity(
  store: PackageStore,
  callerUid: number,
  component: string,
  intent: DeviceIntent,
): ActivityStart {
  const [packageName = '', className = ''] = component.split('/', 2);
  const full = className.startsWith('.') ? `${packageName}${className}` : className;
  const target = store.get(packageName);
  const activity = target?.spec.activities?.find((item) => item.name === full && item.enabled);
  if (!target?.enabled || !activity) return { kind: 'not-found' };
  const denied = `Permission Denial: starting Intent { act=${intent.action} cmp=${component} } from uid ${callerUid}`;
  if (callerUid !== target.uid) {
    if (!activity.exported) return { kind: 'security', message: `${denied} not exported from uid ${target.uid}` };
    if (activity.permission !== null && !store.holds(callerUid, activity.permission)) {
      return { kind: 'security', message: `${denied} requires ${activity.permission}` };
    }
  }
  const packages = store.list().filter((item) => item.uid === callerUid);
  const caller = { uid: callerUid, packages: packages.map((item) => item.spec.package) };
  return { kind: 'started', target, result: activity.run(caller, intent) };
}
