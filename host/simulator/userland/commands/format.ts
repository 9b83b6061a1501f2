import type { InstalledPackage } from '../../virtual-device.ts';

/** Android's `ComponentName.flattenToShortString`. */
export function shortComponent(packageName: string, className: string): string {
  const full = absoluteClass(packageName, className);
  return full.startsWith(`${packageName}.`)
    ? `${packageName}/${full.slice(packageName.length)}`
    : `${packageName}/${full}`;
}

/** A manifest's class name, made absolute. */
export function absoluteClass(packageName: string, className: string): string {
  if (className.startsWith('.')) return packageName + className;
  return className.includes('.') ? className : `${packageName}.${className}`;
}

/** `pkg/.Cls` or `pkg/pkg.Cls` as package and absolute class; null when it is neither. */
export function parseComponent(text: string): { readonly package: string; readonly className: string } | null {
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) return null;
  const packageName = text.slice(0, slash);
  return { package: packageName, className: absoluteClass(packageName, text.slice(slash + 1)) };
}

/** Java's `String.hashCode`, signed. */
export function javaHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return hash;
}

/** A made-up identity hash, as `Integer.toHexString(System.identityHashCode(x))` looks; the same for the same text. */
export function identityHash(text: string): string {
  return ((javaHash(`identity ${text}`) >>> 4) | 0x100000).toString(16);
}

/** The uid of a package for one user profile. */
export function uidFor(installed: InstalledPackage, userId: number): number {
  return userId * 100_000 + (installed.uid % 100_000);
}

export const appIdOf = (installed: InstalledPackage): number => installed.uid % 100_000;

/** What `ShellCommand` prints when a command of a system service throws. */
export function serviceException(sdk: number, command: string, exception: string): string {
  const title = sdk >= 30 ? `Exception occurred while executing '${command}':` : 'Exception occurred while executing:';
  return `\n${title}\n${exception}\n\tat android.os.ShellCommand.exec(ShellCommand.java:104)\n`;
}
