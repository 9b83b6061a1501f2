// Builds what the shells load: the renderer, and the bundles of main, preload, host and worker.
// Skips when nothing changed; `--force` builds anyway.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as rolldown } from 'rolldown';
import { build as vite } from 'vite';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const stampFile = path.join(dist, '.stamp');
/** Between a part's name and the process that builds it, while it is not whole. */
const BUILDING = '.building-';
const INPUTS = ['renderer', 'shared', 'host', 'electron', 'scripts/build.ts', 'vite.config.ts', 'package-lock.json'];

/** Names, sizes and contents of every input: a clone's time stamps say nothing. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const visit = (file: string): void => {
    const stat = statSync(file);
    if (stat.isDirectory()) {
      for (const name of readdirSync(file).sort()) visit(path.join(file, name));
    } else if (!/\.test\.tsx?$|\.md$/.test(file)) {
      hash.update(path.relative(root, file)).update('\0').update(readFileSync(file));
    }
  };
  for (const input of INPUTS) visit(path.join(root, input));
  return hash.digest('hex');
}

/** What a whole build holds: a stamp over a folder that lost some of it counts for nothing. */
const PRODUCTS = [
  'renderer/index.html',
  'electron/main.js',
  'electron/host.js',
  'electron/schema-worker.js',
  'electron/preload.cjs',
];

/**
 * Builds when the sources changed. Returns whether it did. What is there serves until the new one is whole, so that an
 * interrupted build costs nothing, two at once do not mix, and a server that runs goes on.
 */
export async function ensureBuilt(options: { force?: boolean; quiet?: boolean } = {}): Promise<boolean> {
  removeRemains();
  const stamp = fingerprint();
  const whole = PRODUCTS.every((file) => existsSync(path.join(dist, file)));
  if (options.force !== true && whole && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
    return false;
  }
  const fresh = (part: string) => path.join(dist, `${part}${BUILDING}${process.pid}`);
  try {
    await vite({
      root: path.join(root, 'renderer'),
      configFile: path.join(root, 'vite.config.ts'),
      logLevel: options.quiet === true ? 'error' : 'warn',
      build: { outDir: fresh('renderer'), emptyOutDir: true },
    });
    await bundle(
      {
        main: 'electron/main/main.ts',
        host: 'host/electron-entry.ts',
        'schema-worker': 'host/validation/schema-worker.ts',
      },
      'es',
      fresh('electron'),
    );
    await bundle({ preload: 'electron/preload/preload.ts' }, 'cjs', fresh('electron'));
    rmSync(stampFile, { force: true });
    for (const part of ['renderer', 'electron']) putInPlace(fresh(part), path.join(dist, part));
    writeFileSync(stampFile, stamp);
  } finally {
    for (const part of ['renderer', 'electron']) rmSync(fresh(part), { recursive: true, force: true });
  }
  return true;
}

/** Another build may put its own in place at the same moment: the last one stays. */
function putInPlace(fresh: string, place: string): void {
  for (let tries = 0; ; tries++) {
    rmSync(place, { recursive: true, force: true });
    try {
      renameSync(fresh, place);
      return;
    } catch (error) {
      if (tries === 20 || !['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as { code?: string }).code ?? ''))
        throw error;
    }
  }
}

/** Removes what builds that were killed left behind. */
function removeRemains(): void {
  if (!existsSync(dist)) return;
  for (const name of readdirSync(dist)) {
    const pid = Number(name.split(BUILDING)[1]);
    if (!Number.isInteger(pid) || pid === process.pid || isAlive(pid)) continue;
    rmSync(path.join(dist, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

async function bundle(entries: Record<string, string>, format: 'es' | 'cjs', dir: string): Promise<void> {
  await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path.join(root, file)])),
    platform: 'node',
    // Dependencies stay packages of the app archive; only our own sources are bundled.
    external: [/^node:/, /^electron$/, /^(?!\.|\/|[A-Za-z]:\\).*/],
    output: {
      dir,
      format,
      entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
      chunkFileNames: 'chunk-[hash].js',
      sourcemap: true,
    },
    logLevel: 'warn',
  });
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === path.resolve(process.argv[1])) {
  const built = await ensureBuilt({ force: process.argv.includes('--force') });
  console.log(built ? 'Built dist/.' : 'dist/ is up to date.');
}
