/** Characters that need no quoting, neither in this computer's shell nor in the device's. */
const PLAIN = /^[\w.:-]{1,300}$/;

/**
 * The adb command that starts an action inside one package, as the shell user. Null where a part holds what an action,
 * a package or a serial never has: such a text is not put into a command that a person pastes.
 */
export function startCommand({
  serial,
  userId,
  packageName,
  action,
}: {
  /** Null where it is not known: adb then takes the only device. */
  readonly serial: string | null;
  readonly userId: number | null;
  readonly packageName: string;
  readonly action: string;
}): string | null {
  if (![action, packageName, serial ?? 'x'].every((part) => PLAIN.test(part) && !part.startsWith('-'))) return null;
  const user = userId === null ? '' : ` --user ${userId}`;
  return `adb ${serial === null ? '' : `-s ${serial} `}shell am start${user} -a ${action} -p ${packageName}`;
}
