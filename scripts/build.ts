// Builds what the shells load: the renderer, and the bundles of main, preload, host and worker.
// Skips when nothing changed; `--force` builds anyway.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as rolldown } from 'rolldown';
import { build as vite } from 'vite';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const stampFile = path.join(dist, '.stamp');
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

/** Builds when the sources changed. Returns whether it did. */
export async function ensureBuilt(options: { force?: boolean; quiet?: boolean } = {}): Promise<boolean> {
  const stamp = fingerprint();
  if (options.force !== true && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false;
  rmSync(dist, { recursive: true, force: true });
  await vite({
    root: path.join(root, 'renderer'),
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: options.quiet === true ? 'error' : 'warn',
  });
  await bundle(
    {
      main: 'electron/main/main.ts',
      host: 'host/electron-entry.ts',
      'schema-worker': 'host/validation/schema-worker.ts',
    },
    'es',
  );
  await bundle({ preload: 'electron/preload/preload.ts' }, 'cjs');
  writeFileSync(stampFile, stamp);
  return true;
}

async function bundle(entries: Record<string, string>, format: 'es' | 'cjs'): Promise<void> {
  await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path.join(root, file)])),
    platform: 'node',
    // Dependencies stay packages of the app archive; only our own sources are bundled.
    external: [/^node:/, /^electron$/, /^(?!\.|\/|[A-Za-z]:\\).*/],
    output: {
      dir: path.join(dist, 'electron'),
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
