import { err, ok, type Result } from '../../shared/base/result.ts';
import { type Problem, problem } from '../../shared/model/problem.ts';

/** One Service of `cmd package query-services`, in the package manager's words. Null: the line was not there. */
export interface ServiceEntry {
  readonly package: string;
  /** Absolute class name. */
  readonly name: string;
  readonly exported: boolean | null;
  readonly enabled: boolean | null;
  readonly permission: string | null;
  readonly processName: string | null;
  readonly uid: number | null;
  /** Path of base.apk. */
  readonly sourceDir: string | null;
  readonly splitSourceDirs: readonly string[];
  readonly versionCode: string | null;
  /** Whether the whole application is enabled. */
  readonly applicationEnabled: boolean | null;
  /** The block as printed. */
  readonly raw: string;
}

export interface ServiceListing {
  readonly services: readonly ServiceEntry[];
  /** Set where fewer Services could be read than were announced. */
  readonly problem: Problem | null;
}

/**
 * Parses the full form (no `--brief`, no `--components`). The lines inside a
 * block differ between Android versions and vendors, so fields are found by
 * their names and by the section that they stand in, never by position.
 * Anything that is neither services nor `No services found` is the problem
 * `query-services-failed` with the raw text.
 *
 * A label may hold line breaks and so imitate lines of this format: blocks are
 * counted by their own numbers, and the first value of a field counts.
 */
export function parseQueryServices(stdout: string, stderr = ''): Result<ServiceListing, Problem> {
  const lines = stdout.replaceAll('\r\n', '\n').split('\n');
  const raw = `${stdout}\n${stderr}`.trim().slice(0, 4000);
  const header = lines.findIndex((line) => /^\s*\d+ services? found:\s*$/.test(line));
  if (header < 0) {
    if (lines.some((line) => line.trim() === 'No services found')) return ok({ services: [], problem: null });
    return err(problem('query-services-failed', {}, raw));
  }
  const announced = Number(lines[header]?.match(/\d+/)?.[0]);
  const blocks: string[][] = [];
  for (const line of lines.slice(header + 1)) {
    const index = /^\s*Service #(\d+):\s*$/.exec(line)?.[1];
    if (index !== undefined && Number(index) === blocks.length && blocks.length < announced) blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  const services = blocks.map(parseBlock).filter((service) => service !== null);
  const incomplete = services.length !== announced;
  return ok({
    services,
    problem: incomplete ? problem('query-services-incomplete', { announced, read: services.length }, raw) : null,
  });
}

/** Field texts of one block: those of the Service, and those under `ApplicationInfo:`. */
function parseBlock(lines: readonly string[]): ServiceEntry | null {
  const service = new Map<string, string>();
  const application = new Map<string, string>();
  let fields = service;
  let applicationIndent = -1;
  for (const line of lines) {
    const text = line.trim();
    const indent = line.length - line.trimStart().length;
    if (text === 'ApplicationInfo:') {
      fields = application;
      applicationIndent = indent;
      continue;
    }
    if (text === '') continue;
    if (fields === application && indent <= applicationIndent) fields = service;
    for (const [key, value] of tokens(text)) if (!fields.has(key)) fields.set(key, value);
  }
  const packageName = service.get('packageName') ?? application.get('packageName');
  const name = service.get('name');
  if (packageName === undefined || name === undefined) return null;
  const uid = Number(application.get('uid') ?? 'none');
  return {
    package: packageName,
    name: name.startsWith('.') ? packageName + name : name,
    exported: flag(service.get('exported')),
    enabled: flag(service.get('enabled')),
    permission: textOrNull(service.get('permission')),
    processName: textOrNull(service.get('processName')),
    uid: Number.isSafeInteger(uid) ? uid : null,
    sourceDir: textOrNull(application.get('sourceDir')),
    splitSourceDirs: list(application.get('splitSourceDirs')),
    versionCode: textOrNull(application.get('versionCode')),
    applicationEnabled: flag(application.get('enabled')),
    raw: lines.join('\n').trimEnd(),
  };
}

/** Keys whose value runs to the end of the line, as it may hold spaces. */
const wholeLine =
  /^(sourceDir|publicSourceDir|splitSourceDirs|splitPublicSourceDirs|name|packageName|processName|permission|className|taskAffinity|dataDir)=(.*)$/;

function tokens(text: string): [string, string][] {
  const whole = wholeLine.exec(text);
  if (whole !== null) return [[whole[1] ?? '', whole[2] ?? '']];
  return [...text.matchAll(/(\w+)=(\S*)/g)].map((match) => [match[1] ?? '', match[2] ?? '']);
}

function flag(text: string | undefined): boolean | null {
  return text === 'true' ? true : text === 'false' ? false : null;
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined || text === 'null' || text === '' ? null : text;
}

function list(text: string | undefined): string[] {
  const inner = /^\[(.*)\]$/.exec(text ?? '')?.[1] ?? '';
  return inner === '' ? [] : inner.split(', ');
}
