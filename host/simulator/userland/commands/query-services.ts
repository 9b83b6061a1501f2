import { apkPathOf } from '../../files/file-store.ts';
import type { InstalledPackage, ManifestService } from '../../virtual-device.ts';
import type { Process } from '../process.ts';
import { absoluteClass, javaHash, parseComponent, serviceException, shortComponent, uidFor } from './format.ts';

interface Match {
  readonly installed: InstalledPackage;
  readonly service: ManifestService;
}

interface Query {
  readonly brief: boolean;
  readonly components: boolean;
  readonly userId: number;
  readonly action: string | null;
  readonly package: string | null;
  readonly component: string | null;
}

/** `cmd package query-services [--brief] [--components] [--query-flags F] [--user U] INTENT` (android-facts 3.1). */
export async function queryServices(process: Process): Promise<number> {
  const { sdk } = process.device.android;
  const query = parseQuery(process.argv.slice(1), sdk);
  if (typeof query === 'string') {
    await process.stderr.write(serviceException(sdk, 'query-services', `java.lang.IllegalArgumentException: ${query}`));
    return 255;
  }
  const known = process.device.android.users.some((user) => user.id === query.userId);
  const matches = known ? find(process, query) : [];
  await process.stdout.write(print(matches, query, sdk));
  return 0;
}

/** The query, or the message of the exception that a wrong option throws. */
function parseQuery(args: readonly string[], sdk: number): Query | string {
  let query: Query = { brief: false, components: false, userId: 0, action: null, package: null, component: null };
  for (let at = 0; at < args.length; at++) {
    const option = args[at] as string;
    const value = (): string | undefined => args[++at];
    if (option === '--brief') query = { ...query, brief: true };
    else if (option === '--components') query = { ...query, components: true };
    else if (option === '--query-flags' && sdk >= 30) value();
    else if (option === '--user') query = { ...query, userId: userNumber(value()) };
    else if (option === '-a') query = { ...query, action: value() ?? null };
    else if (option === '-p') query = { ...query, package: value() ?? null };
    else if (option === '-n') query = { ...query, component: value() ?? null };
    else if (option.startsWith('-')) return `Unknown option: ${option}`;
    else query = { ...query, action: option };
  }
  if (query.action === null && query.component === null && query.package === null) return 'No intent supplied';
  return query;
}

const userNumber = (text: string | undefined): number =>
  text === undefined || text === 'current' || text === 'all' ? 0 : Number(text);

/** Disabled components and packages are missing; not exported ones are there. */
function find(process: Process, query: Query): readonly Match[] {
  const wanted = query.component === null ? null : parseComponent(query.component);
  return process.device.android
    .packages()
    .filter(({ spec, enabled }) => enabled && (query.package === null || spec.package === query.package))
    .flatMap((installed) =>
      installed.spec.services
        .filter((service) => service.enabled)
        .filter((service) => query.action === null || service.actions.includes(query.action))
        .filter(
          (service) =>
            query.component === null ||
            (wanted?.package === installed.spec.package &&
              wanted.className === absoluteClass(installed.spec.package, service.name)),
        )
        .map((service) => ({ installed, service })),
    );
}

const RESOLVE_LINE = 'priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false';

function print(matches: readonly Match[], query: Query, sdk: number): string {
  if (matches.length === 0) return 'No services found\n';
  const component = ({ installed, service }: Match): string => shortComponent(installed.spec.package, service.name);
  if (query.components) return matches.map((match) => `${component(match)}\n`).join('');
  const lines = [`${matches.length} services found:`];
  for (const [index, match] of matches.entries()) {
    lines.push(`  Service #${index}:`, `    ${RESOLVE_LINE}`);
    if (query.brief) lines.push(`    ${component(match)}`);
    else lines.push(...serviceLines(match, query.userId, sdk).map((line) => `    ${line}`));
  }
  return `${lines.join('\n')}\n`;
}

function serviceLines({ installed, service }: Match, userId: number, sdk: number): readonly string[] {
  const { spec } = installed;
  const given = service.processName ?? spec.package;
  const processName = given.startsWith(':') ? spec.package + given : given;
  const lines = [
    `name=${absoluteClass(spec.package, service.name)}`,
    `packageName=${spec.package}`,
    ...(processName === spec.package ? [] : [`processName=${processName}`]),
    `enabled=${service.enabled} exported=${service.exported} directBootAware=false`,
    `permission=${service.permission ?? 'null'}`,
    'flags=0x0',
    'ApplicationInfo:',
    ...applicationLines(installed, userId, sdk).map((line) => `  ${line}`),
  ];
  return ['ServiceInfo:', ...lines.map((line) => `  ${line}`)];
}

function applicationLines(installed: InstalledPackage, userId: number, sdk: number): readonly string[] {
  const { spec } = installed;
  const apk = apkPathOf(installed);
  const label = spec.labelIsResource
    ? 'labelRes=0x7f010000 nonLocalizedLabel=null'
    : `labelRes=0x0 nonLocalizedLabel=${spec.label}`;
  const since = (level: number, ...lines: readonly string[]): readonly string[] => (sdk >= level ? lines : []);
  return [
    `packageName=${spec.package}`,
    `${label} icon=0x0 banner=0x0`,
    `processName=${spec.package}`,
    `taskAffinity=${spec.package}`,
    `uid=${uidFor(installed, userId)} flags=0x38e8be46 privateFlags=0x${((javaHash(spec.package) & 0xfff) | 0x1000).toString(16)} theme=0x0`,
    'requiresSmallestWidthDp=0 compatibleWidthLimitDp=0 largestWidthLimitDp=0',
    `sourceDir=${apk}`,
    ...since(28, 'seinfo=default:targetSdkVersion=34', 'seinfoUser=:complete'),
    ...(sdk < 28 ? ['seinfo=default', 'seinfoUser=:complete'] : []),
    `dataDir=/data/user/${userId}/${spec.package}`,
    `deviceProtectedDataDir=/data/user_de/${userId}/${spec.package}`,
    `credentialProtectedDataDir=/data/user/${userId}/${spec.package}`,
    `enabled=${installed.enabled} minSdkVersion=26 targetSdkVersion=34 versionCode=${spec.versionCode} targetSandboxVersion=1`,
    'supportsRtl=true',
    'fullBackupContent=true',
    ...since(30, 'crossProfile=false'),
    ...since(28, 'HiddenApiEnforcementPolicy=2'),
    ...since(29, 'usesNonSdkApi=false', 'allowsPlaybackCapture=true'),
    ...since(33, 'enableOnBackInvokedCallback=false'),
    ...since(34, 'createTimestamp=123456'),
  ];
}
