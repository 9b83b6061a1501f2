const RELEASES: Readonly<Record<number, string>> = {
  26: '8.0.0',
  27: '8.1.0',
  28: '9',
  29: '10',
  30: '11',
  31: '12',
  32: '12',
  33: '13',
  34: '14',
  35: '15',
  36: '16',
};

export interface BuildOptions {
  readonly sdk: number;
  readonly release: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly serialno: string;
}

/** Release name of an API level, as `ro.build.version.release` says it. Throws on levels outside 26 to 36. */
export function releaseOf(sdk: number): string {
  const release = RELEASES[sdk];
  if (release === undefined) throw new Error(`No Android release for API level ${sdk}; 26 to 36 are known`);
  return release;
}

/** The system properties that `getprop` prints. */
export function buildProperties(build: BuildOptions): Readonly<Record<string, string>> {
  const product = build.model.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  const brand = build.manufacturer.toLowerCase();
  const id = `SIM${build.sdk}.001`;
  return {
    'ro.boot.serialno': build.serialno,
    'ro.build.fingerprint': `${brand}/${product}/${product}:${build.release}/${id}/1:user/release-keys`,
    'ro.build.id': id,
    'ro.build.type': 'user',
    'ro.build.version.release': build.release,
    'ro.build.version.sdk': String(build.sdk),
    'ro.debuggable': '0',
    'ro.product.brand': brand,
    'ro.product.cpu.abi': 'arm64-v8a',
    'ro.product.device': product,
    'ro.product.manufacturer': build.manufacturer,
    'ro.product.model': build.model,
    'ro.product.name': product,
    'ro.secure': '1',
    'ro.serialno': build.serialno,
    'sys.boot_completed': '1',
  };
}
