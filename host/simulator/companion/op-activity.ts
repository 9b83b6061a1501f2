import type { ActivityResult, DeviceIntent } from '../virtual-device.ts';
import { encodeBundle } from './bundle-codec.ts';
import type { Params } from './params.ts';
import { type CompanionProcess, type OpResult, waitFor } from './process.ts';
import { ProtocolError } from './protocol-error.ts';

/** How long the own activity may take to come to the front (section 5). */
const FRONT_LIMIT_MS = 3_000;

/** `launch`: sends a PendingIntent from the own activity and waits for its result. */
export function launchOp(
  process: CompanionProcess,
  params: Params,
  owner: object,
  signal: AbortSignal,
): Promise<OpResult> {
  const handle = params.string('handle');
  const timeoutMs = params.timeoutMs();
  const target = process.handles.pendingIntent(handle);
  const { sdk } = process.host.android;
  if (sdk >= 31 && target.kind !== 'activity') {
    throw new ProtocolError('NOT_ACTIVITY', `The PendingIntent starts a ${target.kind}, which gives no result`);
  }
  return inFront(process, timeoutMs, signal, owner, async () => {
    try {
      const { resultCode } = await target.launch();
      // The action of a broadcast or a service is executed, and no result ever comes.
      if (target.kind !== 'activity') return await new Promise<never>(() => {});
      return { resultCode, data: null };
    } catch {
      throw new ProtocolError('INTENT_CANCELED', 'android.app.PendingIntent$CanceledException');
    }
  });
}

/** `startForResult`: starts an explicit activity and waits for its result. */
export function startForResultOp(
  process: CompanionProcess,
  params: Params,
  owner: object,
  signal: AbortSignal,
): Promise<OpResult> {
  const component = params.string('component');
  const action = params.optionalString('action');
  const extras = params.optionalBundle('extras') ?? [];
  const timeoutMs = params.timeoutMs();
  const { host } = process;
  const intent: DeviceIntent = {
    action,
    data: null,
    type: null,
    package: null,
    component,
    categories: [],
    flags: 0,
    extras: { entries: extras, objects: {} },
  };
  if (!/^[^/]+\/[^/]+$/.test(component)) throw new ProtocolError('BAD_PARAMS', 'component must be package/class');
  let target = '';
  return inFront(
    process,
    timeoutMs,
    signal,
    owner,
    () => {
      const start = host.startActivity(host.self.uid, component, intent);
      if (start.kind === 'not-found') throw new ProtocolError('ACTIVITY_NOT_FOUND', `No activity ${component}`);
      if (start.kind === 'security') throw new ProtocolError('SECURITY', start.message);
      target = JSON.stringify({
        package: start.target.spec.package,
        uid: start.target.uid,
        signingCertSha256: host.signingCertSha256(start.target),
      });
      return start.result;
    },
    () => `,"target":${target}`,
  );
}

/** One at a time: the own activity comes to the front, then `start` runs. */
async function inFront(
  process: CompanionProcess,
  timeoutMs: number,
  signal: AbortSignal,
  owner: object,
  start: () => Promise<ActivityResult>,
  extra: () => string = () => '',
): Promise<OpResult> {
  if (process.activityInFront) throw new ProtocolError('BUSY', 'Another activity is in front');
  process.activityInFront = true;
  const { clock } = process.host;
  const startedAt = clock.now();
  const front = process.host.isActivityBlocked() ? blockedFront(process) : Promise.resolve();
  try {
    const result = await waitFor(
      front.then(() => {
        // After a time-out or a cancel the own activity is gone, and nothing may start any more.
        if (signal.aborted || clock.now() - startedAt >= timeoutMs) return new Promise<never>(() => {});
        return start();
      }),
      timeoutMs,
      { clock, signal, late: () => {} },
    );
    const { text, handles } = encodeIntent(process, owner, result.data);
    const elapsedMs = clock.now() - startedAt;
    return { text: `{"resultCode":${result.resultCode},"data":${text},"elapsedMs":${elapsedMs}${extra()}}`, handles };
  } finally {
    process.activityInFront = false;
  }
}

function blockedFront(process: CompanionProcess): Promise<void> {
  return new Promise((_, reject) => {
    process.host.clock.after(FRONT_LIMIT_MS, () =>
      reject(new ProtocolError('LAUNCH_BLOCKED', `The companion did not come to the front in ${FRONT_LIMIT_MS} ms`)),
    );
  });
}

function encodeIntent(
  process: CompanionProcess,
  owner: object,
  intent: DeviceIntent | null,
): { text: string; handles: readonly string[] } {
  if (intent === null) return { text: 'null', handles: [] };
  const { extras, ...plain } = intent;
  const { entries, handles } = process.handles.adopt(owner, extras);
  return { text: `${JSON.stringify(plain).slice(0, -1)},"extras":${encodeBundle(entries)}}`, handles };
}
