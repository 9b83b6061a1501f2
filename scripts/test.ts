// Proves the project: types, lint, layers, then every test. Ends with the line "N passed, N failed". With `--companion` also
// the app on the device: its tests, both APKs against their sources, and the desktop against its real code.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.ts';
import { testCompanion } from './companion/suite.ts';
import { ensureTools, TEST_TOOLS } from './tools.ts';

const root = path.resolve(import.meta.dirname, '..');
const results = path.join(root, 'test-results');

if (!ensureTools(TEST_TOOLS)) process.exit(1);

let passed = 0;
let failed = 0;

function step(name: string, command: string, args: string[]): boolean {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  return status === 0;
}

function check(name: string, args: string[]): void {
  if (step(name, 'npm', ['run', '--silent', ...args])) passed++;
  else failed++;
}

function vitest(project: string, which = ['--project', project]): void {
  const file = path.join(results, `${project}.json`);
  const good = step(`tests: ${project}`, 'vitest', [
    'run',
    ...which,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  if (!existsSync(file)) {
    failed++;
    return;
  }
  const counts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  const notRun = (counts['numPendingTests'] ?? 0) + (counts['numTodoTests'] ?? 0);
  if (notRun > 0) console.error(`${notRun} tests of ${project} did not run: that counts as failed.`);
  passed += counts['numPassedTests'] ?? 0;
  // A file that does not load has no failed test of its own, yet the run failed.
  failed += Math.max((counts['numFailedTests'] ?? 0) + notRun, good ? 0 : 1);
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
check('types', ['check:types']);
check('lint', ['check:lint']);
check('layers', ['check:layers']);
vitest('unit');
await ensureBuilt({ quiet: true });
check('app archive', ['dist:check']);
vitest('e2e');
if (process.argv.includes('--companion')) {
  console.log('\n== tests: companion');
  const counts = testCompanion();
  passed += counts.passed;
  failed += counts.failed;
  check('companion.apk', ['build:companion', '--', '--check']);
  check('sample-provider.apk', ['build:sample-provider', '--', '--check']);
  vitest('companion-loop', ['--config', 'test/companion-loop/vitest.config.ts']);
}

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
