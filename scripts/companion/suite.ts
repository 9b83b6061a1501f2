import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureTools } from '../tools.ts';
import { MAVEN_TOOLS } from './apk-build.ts';

const companion = path.join(import.meta.dirname, '..', '..', 'companion');
const reports = path.join(companion, 'target', 'surefire-reports');
/** Cold, Maven takes 400 MB from Maven Central first. */
const LIMIT_MS = 25 * 60_000;

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Compiles the companion and runs its tests with Maven. Says why where that was not possible, which counts as failed. */
export function testCompanion(): Counts {
  if (!ensureTools(MAVEN_TOOLS)) return { passed: 0, failed: 1 };
  rmSync(reports, { recursive: true, force: true });
  const args = ['-q', '-B', '-f', path.join(companion, 'pom.xml'), 'test'];
  const { status, signal } = spawnSync('mvn', args, { stdio: 'inherit', timeout: LIMIT_MS });
  if (signal !== null) console.error(`Maven was stopped after ${LIMIT_MS / 60_000} minutes.`);
  const counts = countReports();
  if (status === 0 && counts.passed > 0) return counts;
  if (counts.passed + counts.failed === 0) {
    console.error(
      'Maven failed before the first test. It takes its plugins and jars from Maven Central: is it reachable?',
    );
  }
  return { ...counts, failed: Math.max(1, counts.failed) };
}

/** A test that did not run counts as failed. */
function countReports(): Counts {
  let all = 0;
  let failed = 0;
  const files = existsSync(reports) ? readdirSync(reports).filter((name) => /^TEST-.*\.xml$/.test(name)) : [];
  for (const file of files) {
    const [head = ''] = /<testsuite\b[^>]*>/.exec(readFileSync(path.join(reports, file), 'utf8')) ?? [];
    const count = (name: string): number => Number(new RegExp(`\\s${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
    all += count('tests');
    failed += count('failures') + count('errors') + count('skipped');
  }
  return { passed: all - failed, failed };
}
