/** From Java sources, a manifest and resources to a signed APK: javac, dx, aapt, a ZIP with fixed times and order, zipalign, apksigner. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onPath, type Tool } from '../tools.ts';
import { readZip, storedZip, type ZipFile } from './stored-zip.ts';

const root = path.join(import.meta.dirname, '..', '..');
const companion = path.join(root, 'companion');
const jars = path.join(companion, 'target', 'build-tools');
export const MAX_APK_BYTES = 150 * 1024;
/** For two jars of 60 MB from Maven Central, and for the longest step. */
const DOWNLOAD_LIMIT_MS = 10 * 60_000;
const STEP_LIMIT_MS = 5 * 60_000;
const DEVELOPMENT_KEY = {
  file: path.join(companion, 'signing', 'development.p12'),
  alias: 'cetp-inspector-development',
  password: 'development',
};

/** What an APK is made of: a folder with `AndroidManifest.xml`, `java` and `res`. */
export interface ApkSource {
  readonly folder: string;
}

export const MAVEN_TOOLS: readonly Tool[] = toolsOf([
  ['javac', 'openjdk-17-jdk-headless'],
  ['mvn', 'maven'],
  ['aapt', 'aapt'],
]);
export const APK_TOOLS: readonly Tool[] = [
  ...MAVEN_TOOLS,
  ...toolsOf([
    ['zipalign', 'zipalign'],
    ['apksigner', 'apksigner'],
    ['dexdump', 'dexdump'],
  ]),
];

function toolsOf(pairs: readonly (readonly [string, string])[]): Tool[] {
  return pairs.map(([name, debianPackage]) => ({ name, debianPackage, caskOrName: name, find: () => onPath(name) }));
}

/** Output of a command that must succeed. Throws `Error` when it fails or takes longer than five minutes. */
export function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
    timeout: STEP_LIMIT_MS,
  });
}

/** Takes the API and dx from Maven Central where they are not here yet. Throws `Error` that says so where that fails. */
export function ensureJars(): void {
  if (existsSync(path.join(jars, 'dalvik-dx.jar')) && existsSync(path.join(jars, 'android-all.jar'))) return;
  const args = ['-q', '-B', '-f', path.join(companion, 'pom.xml'), 'dependency:copy@build-tools'];
  try {
    execFileSync('mvn', args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: DOWNLOAD_LIMIT_MS });
  } catch (error) {
    throw new Error('Maven could not take the Android API and dx from Maven Central: is the network there?', {
      cause: error,
    });
  }
}

/** Files below a folder with an ending, as absolute paths in a fixed order. */
function filesOf(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => path.join(folder, name));
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The APK without its signature, in the work folder. */
export function buildUnsigned({ folder }: ApkSource, work: string): string {
  const generated = path.join(work, 'generated');
  const classes = path.join(work, 'classes');
  const packed = path.join(work, 'resources.apk');
  for (const folder of [generated, classes]) mkdirSync(folder, { recursive: true });
  const android = path.join(jars, 'android-all.jar');
  const [manifest, resources] = [path.join(folder, 'AndroidManifest.xml'), path.join(folder, 'res')];

  run('aapt', 'package', '-f', '-m', '-J', generated, '-M', manifest, '-S', resources, '-I', android, '-F', packed);
  const sources = [...filesOf(path.join(folder, 'java'), '.java'), ...filesOf(generated, '.java')];
  // Class files of Java 8 without lambdas are what dx reads and what needs no desugaring.
  const flags = [
    '--release',
    '8',
    '-nowarn',
    '-Xlint:none',
    '-XDsuppressNotes',
    '-g:source,lines',
    '-proc:none',
    '-encoding',
    'UTF-8',
  ];
  run('javac', ...flags, '-cp', android, '-d', classes, ...sources);
  const dex = path.join(work, 'classes.dex');
  const dx = ['-cp', path.join(jars, 'dalvik-dx.jar'), 'com.android.dx.command.Main'];
  run('java', ...dx, '--dex', '--min-sdk-version=26', `--output=${dex}`, classes);

  const files: ZipFile[] = [...readZip(readFileSync(packed)), { name: 'classes.dex', bytes: readFileSync(dex) }];
  const unaligned = path.join(work, 'unaligned.apk');
  const unsigned = path.join(work, 'unsigned.apk');
  writeFileSync(unaligned, storedZip(files));
  run('zipalign', '-f', '4', unaligned, unsigned);
  run('zipalign', '-c', '4', unsigned);
  return unsigned;
}

/** v2 for API 26 and 27, v3 for later ones; none of them reads a JAR signature. */
export function sign(unsigned: string, signed: string): void {
  const { CETP_COMPANION_KEYSTORE: file, CETP_COMPANION_KEY_ALIAS: alias = '' } = process.env;
  const key = file === undefined ? DEVELOPMENT_KEY : { file, alias, password: null };
  const password = key.password === null ? 'env:CETP_COMPANION_KEYSTORE_PASSWORD' : `pass:${key.password}`;
  const schemes = ['--v1-signing-enabled', 'false', '--v2-signing-enabled', 'true', '--v3-signing-enabled', 'true'];
  const store = ['--ks', key.file, '--ks-type', 'PKCS12', '--ks-key-alias', key.alias, '--ks-pass', password];
  run('apksigner', 'sign', ...schemes, ...store, '--out', signed, unsigned);
}

/** Throws `Error` with the message where it does not hold. */
export function expect(what: boolean, message: string): void {
  if (!what) throw new Error(message);
}

export interface ApkFacts {
  readonly package: string;
  readonly versionName: string;
  readonly versionCode: number;
  readonly minSdk: number;
  readonly targetSdk: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly unsignedSha256: string;
  readonly certificateSha256: string;
  readonly builtWith: string;
}

/** What `aapt dump badging` prints, `aapt dump xmltree` of the manifest, and the class names of the dex file. */
export interface Insides {
  readonly badging: string;
  readonly manifest: string;
  readonly classes: readonly string[];
}

/** Looks at the APK with Android's own tools. Throws `Error` with what is wrong. */
export function inspect(apk: string, unsigned: string): { readonly facts: ApkFacts; readonly insides: Insides } {
  const badging = run('aapt', 'dump', 'badging', apk);
  const [, name = '', code = '', version = ''] =
    /^package: name='([^']*)' versionCode='([^']*)' versionName='([^']*)'/m.exec(badging) ?? [];
  const sdk = (key: string): number => Number(new RegExp(`^${key}:'(\\d+)'`, 'm').exec(badging)?.[1]);
  expect(sdk('sdkVersion') === 26 && sdk('targetSdkVersion') === 34, 'minSdk must be 26 and targetSdk 34');

  run('zipalign', '-c', '4', apk);
  const verified = run('apksigner', 'verify', '--verbose', '--print-certs', '--min-sdk-version', '26', apk);
  expect(/v2 scheme[^\n]*: true/.test(verified) && /v3 scheme[^\n]*: true/.test(verified), `Signatures:\n${verified}`);
  const certificateSha256 = /certificate SHA-256 digest: ([0-9a-f]{64})/.exec(verified)?.[1] ?? '';
  expect(certificateSha256 !== '', 'No certificate digest');

  const dex = run('dexdump', '-f', apk);
  const classes = [...dex.matchAll(/Class descriptor {2}: '([^']+)'/g)].map(([, descriptor = '']) => descriptor);
  const own = `L${name.replaceAll('.', '/')}/`;
  const foreign = classes.filter((descriptor) => !descriptor.startsWith(own));
  expect(foreign.length === 0, `Foreign classes in the dex file: ${foreign.join(' ')}`);

  const bytes = readFileSync(apk);
  expect(bytes.length <= MAX_APK_BYTES, `The APK has ${bytes.length} bytes, more than ${MAX_APK_BYTES}`);
  return {
    facts: {
      package: name,
      versionName: version,
      versionCode: Number(code),
      minSdk: 26,
      targetSdk: 34,
      bytes: bytes.length,
      sha256: sha256(bytes),
      unsignedSha256: sha256(readFileSync(unsigned)),
      certificateSha256,
      builtWith: run('javac', '--version').trim(),
    },
    insides: {
      badging,
      manifest: run('aapt', 'dump', 'xmltree', apk, 'AndroidManifest.xml'),
      classes: classes.map((descriptor) => descriptor.slice(own.length, -1)),
    },
  };
}
