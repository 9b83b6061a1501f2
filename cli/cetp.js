#!/usr/bin/env node
// Starts the terminal client on a Node that runs TypeScript: this one, or the pinned one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major >= 24) {
  await import('./main.ts');
} else {
  const pinned = path.resolve(
    import.meta.dirname,
    '..',
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (!existsSync(pinned)) {
    console.error('cetp needs Node 24 or newer. Run "npm ci" in the project first: it brings its own.');
    process.exit(1);
  }
  const { status, signal } = spawnSync(pinned, [import.meta.filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(signal === null ? (status ?? 1) : 130);
}
