#!/usr/bin/env node
// Starts the terminal client on a Node that runs TypeScript: this one, or the pinned one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const CANCELLED = 7;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const [major = 0] = process.versions.node.split('.').map(Number);

if (major >= 24) {
  // Until main.ts is loaded nothing was done, and an interrupt just ends here; then main.ts says what it does.
  // The listeners stay: one that is exchanged loses a signal that came in between.
  const signals = {
    heard() {
      if (process.argv.includes('--json')) process.stdout.write('{\n  "status": "cancelled"\n}\n');
      process.exit(CANCELLED);
    },
  };
  for (const signal of SIGNALS) process.on(signal, () => signals.heard());
  const { run } = await import('./main.ts');
  await run(signals);
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
  const child = spawn(pinned, [import.meta.filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The child ends in its own way and with its own exit code; this process only passes on what it is told.
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`cetp cannot start ${pinned}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code) => process.exit(code ?? CANCELLED));
}
