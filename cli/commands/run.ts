import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { translateIfKnown } from '../../shared/i18n/translate.ts';
import type { RunTotals, SavedCallResult } from '../../shared/model/collection.ts';
import type { CommandContext } from '../context.ts';
import { EXIT, type ExitCode, exitOfErrorCode, exitOfProblem } from '../exit-codes.ts';
import { Interrupted } from '../interrupt.ts';
import { type JunitSuite, printJunit } from '../junit.ts';
import { UsageError } from '../options.ts';
import { checkLine, trouble } from '../run-text.ts';
import { selectDevice } from '../select.ts';

/** How far up a single file's folder is looked for, in folders; a collection is not deeper. */
const MAX_UP = 8;
const CALL_SUFFIX = '.cetp.json';
/** `CETP_SECRET_api_key` is the value of the secret `api_key`. */
const SECRET_PREFIX = 'CETP_SECRET_';

interface Wanted {
  readonly folder: string;
  /** Null: all of the folder. */
  readonly files: string[] | null;
}

interface Finished {
  readonly suite: JunitSuite;
  readonly totals: RunTotals;
  readonly cancelled: boolean;
}

/** `cetp run FOLDER|FILE…`: saved calls one after the other, by the engine of the app. */
export async function runSaved(context: CommandContext): Promise<ExitCode> {
  const { terminal, options } = context;
  const wanted = wantedOf(context);
  const device = await deviceOf(context);
  const finished: Finished[] = [];
  for (const one of wanted) {
    const done = await runFolder(context, one, device);
    finished.push(done);
    const stop = options.bail && done.totals.failed + done.totals.errors > 0;
    if (done.cancelled || stop) break;
  }
  const totals = sum(finished.map((one) => one.totals));
  const cancelled = finished.some((one) => one.cancelled);
  const results = finished.flatMap(({ suite }) => suite.results);
  const code = cancelled ? EXIT.cancelled : exitOf(results);
  if (options.json) {
    const status = cancelled ? 'cancelled' : code === EXIT.done ? 'passed' : 'failed';
    terminal.json(JSON.stringify({ status, totals, results }, null, 2));
  } else terminal.line(terminal.t('cli.runTotals', { ...totals }));
  return (await writeJunit(context, finished)) ? code : code === EXIT.done ? EXIT.usage : code;
}

async function runFolder(
  context: CommandContext,
  { folder: named, files }: Wanted,
  device: { readonly deviceKey: string; readonly userId: number | null } | null,
): Promise<Finished> {
  const { client, terminal, options, signal } = context;
  const { folder, entries, environments } = await client.collections.open({ path: named, remember: false });
  if (entries.length === 0) throw new UsageError(terminal.t('cli.runNoCalls', { folder: named }));
  const known = environments.find(({ name }) => name === options.env);
  const secrets = (known?.secrets ?? []).flatMap(({ name }) => {
    const value = process.env[`${SECRET_PREFIX}${name}`];
    return value === undefined ? [] : [[name, value] as const];
  });
  const vars = { ...Object.fromEntries(secrets), ...options.vars };
  if (signal.aborted) throw new Interrupted();
  const events = await client.collections.run({
    folder,
    files,
    environment: options.env,
    vars,
    device,
    confirmed: options.yes,
    bail: options.bail,
  });
  const results: SavedCallResult[] = [];
  let startedAtMs = 0;
  let runId = '';
  let end: { readonly totals: RunTotals; readonly cancelled: boolean; readonly durationMs: number } | null = null;
  // The run tells its own end: what was under way, and what was not reached.
  const cancel = () => void client.collections.cancel({ runId }).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const event of events) {
      if (event.kind === 'started') {
        ({ runId, atMs: startedAtMs } = event);
        if (signal.aborted) cancel();
      }
      if (event.kind === 'ended') end = event;
      if (event.kind !== 'call-ended') continue;
      results.push(event.result);
      if (!options.json) show(context, event.result);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  if (end === null) throw new Error('A run ended without its end.');
  const properties = {
    folder,
    ...(options.env === null ? {} : { environment: options.env }),
    ...(device === null ? {} : { device: device.deviceKey }),
  };
  const suite = { name: path.basename(folder), startedAtMs, durationMs: end.durationMs, results, properties };
  return { suite, totals: end.totals, cancelled: end.cancelled };
}

function show({ terminal }: CommandContext, result: SavedCallResult): void {
  const state = translateIfKnown(terminal.locale, `savedState.${result.state}`) ?? result.state;
  const time = result.answer?.durationMs == null ? '' : `  ${Math.round(result.answer.durationMs)} ms`;
  const name = result.name === null ? '' : `  ${result.name}`;
  terminal.line(`${state.padEnd(8)} ${result.file}${name}${time}`);
  const info = result.checks.filter((check) => check.state === 'info' && check.reason !== 'within');
  for (const line of [...trouble(terminal, result), ...info.map((check) => checkLine(terminal, check))]) {
    terminal.line(`         ${line.replaceAll('\n', '\n         ')}`);
  }
}

/** Folders as they are; a file belongs to the folder above it that has environments, else to its own. */
function wantedOf({ terminal, options }: CommandContext): Wanted[] {
  if (options.positionals.length === 0) throw new UsageError(terminal.t('cli.runNeedsFolder'));
  const wanted: Wanted[] = [];
  for (const named of options.positionals) {
    const full = path.resolve(named);
    const found = statSync(full, { throwIfNoEntry: false });
    if (found?.isDirectory()) wanted.push({ folder: full, files: null });
    else if (found?.isFile() && full.endsWith(CALL_SUFFIX)) {
      const folder = folderOf(full);
      const file = path.relative(folder, full).split(path.sep).join('/');
      const same = wanted.find((one) => one.folder === folder && one.files !== null);
      if (same === undefined) wanted.push({ folder, files: [file] });
      else same.files?.push(file);
    } else throw new UsageError(terminal.t('cli.runNotFound', { path: named }));
  }
  return wanted;
}

function folderOf(file: string): string {
  const own = path.dirname(file);
  let at = own;
  for (let up = 0; up < MAX_UP; up++) {
    if (existsSync(path.join(at, 'environments'))) return at;
    at = path.dirname(at);
  }
  return own;
}

/** The device for calls that name none; null leaves it to the run, which takes the only one that is ready. */
async function deviceOf(context: CommandContext) {
  const { serial, demo, user } = context.options;
  if (serial === null && !demo && user === null) return null;
  const { key } = await selectDevice(context);
  return { deviceKey: key, userId: user };
}

function sum(all: readonly RunTotals[]): RunTotals {
  const of = (key: keyof RunTotals) => all.reduce((total, one) => total + one[key], 0);
  return { passed: of('passed'), failed: of('failed'), errors: of('errors'), skipped: of('skipped') };
}

/** 8 where an expectation failed; else what the first call without an answer came to. */
function exitOf(results: readonly SavedCallResult[]): ExitCode {
  if (results.some(({ state }) => state === 'failed')) return EXIT.conformance;
  const first = results.find(({ state }) => state === 'error');
  if (first === undefined) return EXIT.done;
  const { problem, answer } = first;
  if (answer?.outcome === 'cancelled') return EXIT.cancelled;
  if (answer?.errorCode != null) return exitOfErrorCode(answer.errorCode);
  if (problem === null || answer?.outcome === 'refused' || /^(saved-call|several)-/.test(problem.code))
    return EXIT.refused;
  return exitOfProblem(problem);
}

async function writeJunit({ terminal, options }: CommandContext, finished: readonly Finished[]): Promise<boolean> {
  if (options.junit === null) return true;
  const texts = {
    message: (result: SavedCallResult) => trouble(terminal, result)[0] ?? '',
    detail: (result: SavedCallResult) => trouble(terminal, result).join('\n'),
  };
  try {
    await writeFile(
      options.junit,
      printJunit(
        finished.map(({ suite }) => suite),
        texts,
      ),
    );
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.notice(terminal.t('cli.runJunit', { file: options.junit, reason }));
    return false;
  }
}
