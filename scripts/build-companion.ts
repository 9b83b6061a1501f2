/**
 * Builds the companion: javac, dx, aapt, a ZIP with fixed times and order, zipalign, apksigner. Two builds give the same
 * bytes; `--check` compares a fresh build with the committed one instead of writing it.
 *
 * A release key instead of the committed development key: CETP_COMPANION_KEYSTORE (a PKCS#12 file),
 * CETP_COMPANION_KEY_ALIAS, CETP_COMPANION_KEYSTORE_PASSWORD.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readZip, storedZip, type ZipFile } from './companion/stored-zip.ts';
import { ensureTools, onPath, type Tool } from './tools.ts';

const root = path.join(import.meta.dirname, '..');
const companion = path.join(root, 'companion');
const assets = path.join(root, 'assets');
const tools = path.join(companion, 'target', 'build-tools');
const MAX_APK_BYTES = 150 * 1024;
const DEVELOPMENT_KEY = {
  file: path.join(companion, 'signing', 'development.p12'),
  alias: 'cetp-inspector-development',
  password: 'development',
};

const BUILD_TOOLS: readonly Tool[] = [
  ['javac', 'openjdk-17-jdk-headless'],
  ['mvn', 'maven'],
  ['aapt', 'aapt'],
  ['zipalign', 'zipalign'],
  ['apksigner', 'apksigner'],
  ['dexdump', 'dexdump'],
].map(([name = '', debianPackage = '']) => ({ name, debianPackage, caskOrName: name, find: () => onPath(name) }));

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28 });
}

/** Files below a folder with an ending, as absolute paths in a fixed order. */
function filesOf(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => path.join(folder, name));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The APK without its signature, in the work folder. */
function buildUnsigned(work: string): string {
  const generated = path.join(work, 'generated');
  const classes = path.join(work, 'classes');
  const packed = path.join(work, 'resources.apk');
  for (const folder of [generated, classes]) mkdirSync(folder, { recursive: true });
  const android = path.join(tools, 'android-all.jar');
  const source = path.join(companion, 'src', 'main');
  const [manifest, resources] = [path.join(source, 'AndroidManifest.xml'), path.join(source, 'res')];

  run('aapt', 'package', '-f', '-m', '-J', generated, '-M', manifest, '-S', resources, '-I', android, '-F', packed);
  const sources = [...filesOf(path.join(source, 'java'), '.java'), ...filesOf(generated, '.java')];
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
  const dx = ['-cp', path.join(tools, 'dalvik-dx.jar'), 'com.android.dx.command.Main'];
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
function sign(unsigned: string, signed: string): void {
  const { CETP_COMPANION_KEYSTORE: file, CETP_COMPANION_KEY_ALIAS: alias = '' } = process.env;
  const key = file === undefined ? DEVELOPMENT_KEY : { file, alias, password: null };
  const password = key.password === null ? 'env:CETP_COMPANION_KEYSTORE_PASSWORD' : `pass:${key.password}`;
  const schemes = ['--v1-signing-enabled', 'false', '--v2-signing-enabled', 'true', '--v3-signing-enabled', 'true'];
  const store = ['--ks', key.file, '--ks-type', 'PKCS12', '--ks-key-alias', key.alias, '--ks-pass', password];
  run('apksigner', 'sign', ...schemes, ...store, '--out', signed, unsigned);
}

interface BuildFacts {
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

function expect(what: boolean, message: string): void {
  if (!what) throw new Error(message);
}

/** Looks at the APK with Android's own tools. Throws `Error` with what is wrong. */
function inspect(apk: string, unsigned: string): BuildFacts {
  const badging = run('aapt', 'dump', 'badging', apk);
  const [, name = '', code = '', version = ''] =
    /^package: name='([^']*)' versionCode='([^']*)' versionName='([^']*)'/m.exec(badging) ?? [];
  expect(name === 'com.clawseed.inspector.companion', `The package is ${name}`);
  const sdk = (key: string): number => Number(new RegExp(`^${key}:'(\\d+)'`, 'm').exec(badging)?.[1]);
  expect(sdk('sdkVersion') === 26 && sdk('targetSdkVersion') === 34, 'minSdk must be 26 and targetSdk 34');
  expect(/^uses-permission: name='com\.clawseed\.permission\.ACCESS_TOOLS'/m.test(badging), 'ACCESS_TOOLS is not used');
  expect(!badging.includes('android.permission.INTERNET'), 'The companion must not have the network');
  expect(
    !/^\s*E: permission /m.test(run('aapt', 'dump', 'xmltree', apk, 'AndroidManifest.xml')),
    'declares a permission',
  );

  run('zipalign', '-c', '4', apk);
  const verified = run('apksigner', 'verify', '--verbose', '--print-certs', '--min-sdk-version', '26', apk);
  expect(/v2 scheme[^\n]*: true/.test(verified) && /v3 scheme[^\n]*: true/.test(verified), `Signatures:\n${verified}`);
  const certificateSha256 = /certificate SHA-256 digest: ([0-9a-f]{64})/.exec(verified)?.[1] ?? '';
  expect(certificateSha256 !== '', 'No certificate digest');

  const dex = run('dexdump', '-f', apk);
  const classes = [...dex.matchAll(/Class descriptor {2}: '([^']+)'/g)].map(([, descriptor = '']) => descriptor);
  const own = 'Lcom/clawseed/inspector/companion/';
  for (const entry of ['BridgeInstrumentation', 'BridgeService', 'ResultActivity', 'StatusActivity']) {
    expect(classes.includes(`${own}${entry};`), `${entry} is not in the dex file`);
  }
  const foreign = classes.filter((descriptor) => !descriptor.startsWith(own));
  expect(foreign.length === 0, `Foreign classes in the dex file: ${foreign.join(' ')}`);

  const bytes = readFileSync(apk);
  expect(bytes.length <= MAX_APK_BYTES, `The APK has ${bytes.length} bytes, more than ${MAX_APK_BYTES}`);
  return {
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
  };
}

function build(work: string): { readonly apk: Buffer; readonly facts: BuildFacts } {
  const unsigned = buildUnsigned(work);
  const signed = path.join(work, 'companion.apk');
  sign(unsigned, signed);
  return { apk: readFileSync(signed), facts: inspect(signed, unsigned) };
}

function main(check: boolean): void {
  if (!ensureTools(BUILD_TOOLS)) process.exit(1);
  if (!existsSync(path.join(tools, 'dalvik-dx.jar')) || !existsSync(path.join(tools, 'android-all.jar'))) {
    run('mvn', '-q', '-B', '-f', path.join(companion, 'pom.xml'), 'dependency:copy@build-tools');
  }
  const work = mkdtempSync(path.join(os.tmpdir(), 'cetp-companion-'));
  try {
    const first = build(path.join(work, 'a'));
    const second = build(path.join(work, 'b'));
    expect(first.facts.unsignedSha256 === second.facts.unsignedSha256, 'Two builds differ');
    const committed = path.join(assets, 'companion.json');
    if (check) {
      const known = JSON.parse(readFileSync(committed, 'utf8')) as BuildFacts;
      const apk = readFileSync(path.join(assets, 'companion.apk'));
      expect(sha256(apk) === known.sha256, 'assets/companion.apk is not what assets/companion.json says');
      expect(
        first.facts.unsignedSha256 === known.unsignedSha256,
        `assets/companion.apk is not built from these sources (here ${first.facts.builtWith}, there ${known.builtWith})`,
      );
      console.log('assets/companion.apk is built from these sources.');
      return;
    }
    writeFileSync(path.join(assets, 'companion.apk'), first.apk);
    writeFileSync(path.join(assets, 'companion.apk.sha256'), `${first.facts.sha256}  companion.apk\n`);
    writeFileSync(committed, `${JSON.stringify(first.facts, null, 2)}\n`);
    console.log(`assets/companion.apk: ${first.facts.bytes} bytes, certificate ${first.facts.certificateSha256}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

main(process.argv.includes('--check'));
