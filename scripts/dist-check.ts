// Packs the app archive as the installers would, against a stand-in for the Electron binary, and proves that
// every entry point and resource in it resolves. Needs no Electron binary and no network.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { extractAll, listPackage } from '@electron/asar';
import { ensureBuilt } from './build.ts';

const root = path.resolve(import.meta.dirname, '..');
const ENTRIES = [
  'dist/electron/main.js',
  'dist/electron/preload.cjs',
  'dist/electron/host.js',
  'dist/electron/schema-worker.js',
];
/** The mark by which the fuses of an Electron binary are found. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSE_COUNT = 9;

let passed = 0;
let failed = 0;
function check(name: string, problem: string | null): void {
  if (problem === null) passed++;
  else failed++;
  console.log(`${problem === null ? 'ok  ' : 'FAIL'} ${name}${problem === null ? '' : `: ${problem}`}`);
}

await ensureBuilt({ quiet: true });
const work = mkdtempSync(path.join(os.tmpdir(), 'cetp-dist-'));
try {
  const resources = pack(work);
  const archive = path.join(resources, 'app.asar');
  const entries = new Set(listPackage(archive, { isPack: false }).map((entry) => entry.replaceAll('\\', '/').slice(1)));
  const app = path.join(work, 'app');
  extractAll(archive, app);

  for (const entry of ENTRIES) check(`entry ${entry}`, entries.has(entry) ? null : 'not in the archive');
  const { main } = JSON.parse(readFileSync(path.join(app, 'package.json'), 'utf8')) as { main: string };
  check('package.json main', entries.has(main) ? null : main);
  checkImports(app);
  checkRenderer(app);
  for (const file of ['companion.apk', 'companion.apk.sha256']) {
    if (!existsSync(path.join(root, 'assets', file))) continue;
    const packed = path.join(resources, file);
    const same = existsSync(packed) && readFileSync(packed).equals(readFileSync(path.join(root, 'assets', file)));
    check(`resource ${file}`, same ? null : 'missing or changed');
  }
  check(
    'the companion is a resource',
    existsSync(path.join(resources, 'companion.apk')) ? null : 'assets/companion.apk is not there',
  );
  check('no source or test in the archive', leak(entries));
  checkFuses(path.dirname(resources));
  checkHostStarts(app);
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs electron-builder for a folder; returns the `resources` folder. */
function pack(folder: string): string {
  const standIn = path.join(folder, 'electron');
  mkdirSync(path.join(standIn, 'resources'), { recursive: true });
  mkdirSync(path.join(standIn, 'locales'));
  const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules', 'electron', 'package.json'), 'utf8')) as {
    version: string;
  };
  const fuses = Buffer.concat([
    Buffer.from(FUSE_SENTINEL),
    Buffer.from([1, FUSE_COUNT]),
    Buffer.alloc(FUSE_COUNT, '0'),
  ]);
  writeFileSync(path.join(standIn, 'electron'), Buffer.concat([Buffer.alloc(64), fuses, Buffer.alloc(64)]), {
    mode: 0o755,
  });
  writeFileSync(path.join(standIn, 'version'), version);
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'locales/en-US.pak']) {
    writeFileSync(path.join(standIn, file), 'stand-in');
  }
  const builder = path.join(root, 'node_modules', 'electron-builder', 'cli.js');
  const out = path.join(folder, 'release');
  const args = ['--linux', 'dir', '--x64', `-c.electronDist=${standIn}`, `-c.directories.output=${out}`];
  const result = spawnSync(process.execPath, [builder, ...args], { cwd: root, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`electron-builder failed:\n${result.stdout}\n${result.stderr}`);
  return path.join(out, 'linux-unpacked', 'resources');
}

/** Every import, worker and required package of the bundles resolves inside the archive. */
function checkImports(app: string): void {
  const folder = path.join(app, 'dist', 'electron');
  for (const name of readdirSync(folder)) {
    if (!/\.c?js$/.test(name)) continue;
    const file = path.join(folder, name);
    const code = readFileSync(file, 'utf8');
    const specifiers = [
      ...code.matchAll(/(?:^|[;\s])(?:import|export)\s[^'"();]*?from\s*["']([^"']+)["']/g),
      ...code.matchAll(/(?:^|[;\s])import\s*["']([^"']+)["']/g),
      ...code.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g),
      ...code.matchAll(/\brequire\(\s*["']([^"']+)["']\s*\)/g),
      ...code.matchAll(/new URL\(\s*["']([^"']+)["']\s*,\s*import\.meta\.url\s*\)/g),
    ].map((match) => match[1] ?? '');
    const missing = [...new Set(specifiers)].filter((specifier) => !resolves(specifier, file, app));
    check(`imports of ${name} (${new Set(specifiers).size})`, missing.length === 0 ? null : missing.join(', '));
  }
}

function resolves(specifier: string, from: string, app: string): boolean {
  if (specifier === 'electron' || specifier.startsWith('node:')) return true;
  if (specifier.startsWith('.')) return existsSync(path.resolve(path.dirname(from), specifier));
  const require = createRequire(from);
  const [scope, name] = specifier.split('/');
  const packageName = specifier.startsWith('@') ? `${scope}/${name}` : scope;
  try {
    if (require.resolve.paths(specifier) === null) return true;
    return existsSync(path.join(app, 'node_modules', packageName ?? '', 'package.json'));
  } catch {
    return false;
  }
}

/** Everything that the page and its chunks name is there. */
function checkRenderer(app: string): void {
  const folder = path.join(app, 'dist', 'renderer');
  const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.?\/?([^"#:]+)"/g)].map((match) => match[1] ?? '');
  const missing = named.filter((name) => !existsSync(path.join(folder, name)));
  check(
    `renderer page (${named.length} files)`,
    named.length > 0 && missing.length === 0 ? null : missing.join(', ') || 'names no file',
  );
  const assets = readdirSync(path.join(folder, 'assets'));
  const lost = assets
    .filter((name) => /\.(js|css)$/.test(name))
    .flatMap((name) => {
      const code = readFileSync(path.join(folder, 'assets', name), 'utf8');
      // Every file of ours carries a hash of its content in its name.
      const chunks = [
        ...code.matchAll(/["'(](?:\.\/|assets\/|\/assets\/)([\w.-]+-[\w-]{8}\.(?:js|css|ttf|woff2))["')]/g),
      ];
      return chunks.map((match) => match[1] ?? '').filter((chunk) => !assets.includes(chunk));
    });
  check(`renderer chunks (${assets.length})`, lost.length === 0 ? null : [...new Set(lost)].join(', '));
}

function leak(entries: ReadonlySet<string>): string | null {
  const leaked = [...entries].filter(
    (entry) =>
      !entry.startsWith('node_modules/') && /\.(ts|tsx|map)$|(^|\/)(test|docs|host|renderer\/features)\//.test(entry),
  );
  return leaked.length === 0 ? null : leaked.slice(0, 5).join(', ');
}

/** The states that `electron-builder.yml` asks for, read from the flipped binary. */
function checkFuses(appFolder: string): void {
  const binary = readFileSync(path.join(appFolder, 'cetp-inspector'));
  const at = binary.indexOf(FUSE_SENTINEL) + FUSE_SENTINEL.length + 2;
  const states = binary.subarray(at, at + FUSE_COUNT).toString('latin1');
  // In order: RunAsNode, cookie encryption, NODE_OPTIONS, --inspect, asar integrity, only asar, browser snapshot, file privileges.
  check('fuses', states.startsWith('01001100') ? null : states);
}

/** The packed host comes up and answers, with the packed packages only. */
function checkHostStarts(app: string): void {
  const driver = path.join(root, 'scripts', 'dist-host-driver.ts');
  const host = path.join(app, 'dist', 'electron', 'host.js');
  const result = spawnSync(process.execPath, [driver, host], { encoding: 'utf8', timeout: 60_000 });
  check('the packed host starts and answers', result.status === 0 ? null : `${result.stdout}${result.stderr}`.trim());
}
