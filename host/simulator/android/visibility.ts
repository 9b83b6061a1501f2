import type { InstalledPackage } from '../virtual-device.ts';

/** What a CETP Consumer's `<queries>` names. */
export const CETP_ACTION = 'com.clawseed.action.TOOL_PROVIDER';
export const INSTALL_AGENT_ACTION = 'agent.provider.action.INSTALL_AGENT';
export const HANDLE_PROPOSAL_ACTION = 'agent.provider.action.HANDLE_PROPOSAL';

const QUERIED_ACTIONS: ReadonlySet<string> = new Set([CETP_ACTION, INSTALL_AGENT_ACTION, HANDLE_PROPOSAL_ACTION]);

/** Whether a Consumer with `<queries>` on the actions sees a package: an exported component must match (android-facts 4.4). */
export function visibleByQueries(item: InstalledPackage): boolean {
  const components = [...item.spec.services, ...(item.spec.activities ?? [])];
  return components.some(
    (component) => component.exported && component.actions.some((action) => QUERIED_ACTIONS.has(action)),
  );
}

/** Whether an app sees another: always below API 30, else by holding QUERY_ALL_PACKAGES, by UID, or by `<queries>`. */
export function seesPackage(sdk: number, caller: readonly InstalledPackage[], target: InstalledPackage): boolean {
  if (sdk < 30 || caller.some((item) => item.uid === target.uid)) return true;
  if (caller.some((item) => item.grantedPermissions.has('android.permission.QUERY_ALL_PACKAGES'))) return true;
  return visibleByQueries(target);
}
