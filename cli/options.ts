import { parseArgs } from 'node:util';
import { DemoDecision } from '../shared/model/demo.ts';
import { Deviation, MAX_TIMES } from '../shared/model/deviation.ts';
import { MAX_AUTO_RETRIES } from '../shared/model/retry.ts';

export interface CliOptions {
  readonly command: string | null;
  readonly positionals: readonly string[];
  readonly demo: boolean;
  /** What the person in front of the demo phone does; null: nobody is there. */
  readonly demoAnswer: DemoDecision | null;
  readonly serial: string | null;
  readonly user: number | null;
  readonly adb: string | null;
  readonly json: boolean;
  readonly journal: string | null;
  readonly connect: string | null;
  readonly args: string | null;
  /** Where `call` writes what came. */
  readonly out: string | null;
  readonly yes: boolean;
  readonly force: boolean;
  readonly timeoutMs: number;
  readonly requestId: string | null;
  /** The v2 deadline to send, epoch ms; null takes it from the wait. */
  readonly deadlineAtMs: number | null;
  /** Retries after an error that the Provider lets be repeated; 0 is none. */
  readonly retry: number;
  /** Opens the Provider's screen and resumes the call after it. */
  readonly resume: boolean;
  /** What `call` breaks on purpose. */
  readonly breaks: readonly Deviation[];
  /** Copies of the call that leave at once. */
  readonly times: number;
  /** Follows an accepted operation to its end; `detach` says that it shall not. */
  readonly wait: boolean;
  readonly detach: boolean;
  /** `history`: each event as it happens. */
  readonly follow: boolean;
  /** What a negotiation offers; null is everything. */
  readonly versions: readonly number[] | null;
  readonly capabilities: readonly string[] | null;
  readonly search: string;
  readonly limit: number;
  readonly port: number;
  readonly open: boolean;
  /** Of `run`: the environment of the collection. */
  readonly env: string | null;
  /** Of `run`: variables by name, which go before the environment's. */
  readonly vars: Readonly<Record<string, string>>;
  readonly junit: string | null;
  readonly bail: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** The command line is wrong; `key` and `params` name the text. */
export class UsageError extends Error {
  readonly detail: string;
  constructor(detail: string) {
    super(detail);
    this.name = 'UsageError';
    this.detail = detail;
  }
}

/** How many operands each command takes at most. */
const OPERANDS: Readonly<Record<string, number>> = {
  devices: 0,
  providers: 0,
  tools: 1,
  call: 2,
  history: 0,
  doctor: 0,
  companion: 1,
  operations: 1,
  operation: 2,
  session: 2,
  serve: 0,
  run: Number.POSITIVE_INFINITY,
};

/** Parses the command line. Throws `UsageError`. */
export function parseOptions(argv: readonly string[]): CliOptions {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  const [command, ...operands] = positionals;
  const surplus = operands[OPERANDS[command ?? ''] ?? operands.length];
  // `call P T '{…}'` without --args would send `{}`.
  if (surplus !== undefined)
    throw new UsageError(`Unexpected operand: ${surplus}${command === 'call' ? ' (use --args)' : ''}`);
  if (values.journal === '') throw new UsageError('--journal: FILE');
  if (values.out === '' || (values.out !== undefined && command !== 'call')) throw new UsageError('call … --out FILE');
  if (values.wait && values.detach) throw new UsageError('--wait goes without --detach');
  if ((values.wait || values.detach) && command !== 'call') throw new UsageError('call … --wait | --detach');
  if (values.follow && command !== 'history') throw new UsageError('history --follow');
  if (
    values.connect !== undefined &&
    (command === 'serve' || values.journal !== undefined || values.adb !== undefined)
  ) {
    throw new UsageError('--connect goes with neither serve nor --journal nor --adb');
  }
  return {
    command: command ?? null,
    positionals: operands,
    demo: values.demo,
    demoAnswer: demoAnswer(values['demo-answer'], values.demo || values.connect !== undefined),
    serial: values.serial ?? null,
    user: values.user === undefined ? null : integer('--user', values.user, 0, 9999),
    adb: values.adb ?? null,
    json: values.json,
    journal: values.journal ?? null,
    connect: values.connect ?? null,
    args: values.args ?? null,
    out: values.out ?? null,
    yes: values.yes,
    force: values.force,
    timeoutMs: integer('--timeout', values.timeout, 100, 600_000),
    requestId: values['request-id'] ?? null,
    deadlineAtMs: values.deadline === undefined ? null : instant('--deadline', values.deadline),
    resume: values.resume,
    breaks: breaks(values.break),
    times: integer('--times', values.times, 1, MAX_TIMES),
    retry: integer('--retry', values.retry, 0, MAX_AUTO_RETRIES),
    wait: values.wait,
    detach: values.detach,
    follow: values.follow,
    versions:
      values.versions === undefined ? null : list(values.versions).map((one) => integer('--versions', one, 1, 1_000)),
    capabilities: values.capabilities === undefined ? null : list(values.capabilities),
    search: values.search,
    limit: integer('--limit', values.limit, 1, 500),
    port: integer('--port', values.port, 0, 65_535),
    open: values.open,
    env: values.env ?? null,
    vars: variables(values.var),
    junit: values.junit ?? null,
    bail: values.bail,
    help: values.help,
    version: values.version,
  };
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      demo: { type: 'boolean', default: false },
      'demo-answer': { type: 'string' },
      serial: { type: 'string', short: 's' },
      user: { type: 'string' },
      adb: { type: 'string' },
      json: { type: 'boolean', default: false },
      journal: { type: 'string' },
      connect: { type: 'string' },
      args: { type: 'string' },
      out: { type: 'string' },
      yes: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      timeout: { type: 'string', default: '30000' },
      'request-id': { type: 'string' },
      deadline: { type: 'string' },
      retry: { type: 'string', default: '0' },
      resume: { type: 'boolean', default: false },
      break: { type: 'string', multiple: true, default: [] },
      times: { type: 'string', default: '1' },
      wait: { type: 'boolean', default: false },
      detach: { type: 'boolean', default: false },
      follow: { type: 'boolean', default: false },
      versions: { type: 'string' },
      capabilities: { type: 'string' },
      search: { type: 'string', default: '' },
      limit: { type: 'string', default: '50' },
      port: { type: 'string', default: '0' },
      open: { type: 'boolean', default: false },
      env: { type: 'string' },
      var: { type: 'string', multiple: true, default: [] },
      junit: { type: 'string' },
      bail: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
    },
  });
}

function breaks(names: readonly string[]): Deviation[] {
  return names.map((name) => {
    const deviation = Deviation.safeParse(name);
    if (!deviation.success) throw new UsageError(`--break ${name}: ${Deviation.options.join(' | ')}`);
    return deviation.data;
  });
}

/** Real devices have no such answer: there a person decides. */
function demoAnswer(text: string | undefined, hasDemo: boolean): DemoDecision | null {
  if (text === undefined) return null;
  const decision = DemoDecision.safeParse(text);
  if (!decision.success) throw new UsageError(`--demo-answer ${text}: ${DemoDecision.options.join(' | ')}`);
  if (!hasDemo) throw new UsageError('--demo-answer goes with --demo or --connect only');
  return decision.data;
}

/** `A,B`; an empty text is an empty list. */
function list(text: string): string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}

/** An instant with its zone, or epoch ms: a time without a zone would mean another instant on another computer. */
function instant(name: string, text: string): number {
  const at = /^\d{1,16}$/.test(text) ? Number(text) : /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(at) || at < 0 || at > 8.64e15) throw new UsageError(`${name} ${text}: 2026-09-02T12:00:00Z`);
  return at;
}

function integer(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) throw new UsageError(`${name} ${text}: ${min} … ${max}`);
  return value;
}

/** `NAME=VALUE`, the value to the last character. */
function variables(all: readonly string[]): Record<string, string> {
  const vars: Record<string, string> = {};
  for (const text of all) {
    const match = /^([A-Za-z_][A-Za-z0-9_.-]{0,63})=([\s\S]*)$/.exec(text);
    if (match?.[1] === undefined || match[2] === undefined) throw new UsageError('--var NAME=VALUE');
    vars[match[1]] = match[2];
  }
  return vars;
}
