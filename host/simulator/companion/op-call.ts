import type { Bundle } from '../../../shared/model/bundle.ts';
import type { BinderOutcome } from '../virtual-device.ts';
import { encodeBundle } from './bundle-codec.ts';
import { closeBundle } from './handles.ts';
import type { Params } from './params.ts';
import { type CompanionProcess, type OpResult, waitFor } from './process.ts';
import { ProtocolError } from './protocol-error.ts';

/** Threads that abandoned calls may hold before `call` is refused (section 5). */
export const MAX_ABANDONED = 32;

/** `call`: acquires the Provider and calls it, within `timeoutMs` together. */
export async function callOp(
  process: CompanionProcess,
  params: Params,
  owner: object,
  signal: AbortSignal,
): Promise<OpResult> {
  const authority = params.string('authority');
  const method = params.string('method');
  const arg = params.optionalString('arg');
  const extras = params.optionalBundle('extras');
  const timeoutMs = params.timeoutMs();
  if (process.abandoned >= MAX_ABANDONED) {
    throw new ProtocolError('BUSY', `${MAX_ABANDONED} abandoned calls still hold their threads`);
  }
  const { clock, self, android } = process.host;
  const startedAt = clock.now();
  const acquired = android.acquire(self.uid, authority);
  if (acquired.kind === 'security') throw new ProtocolError('SECURITY', acquired.message);
  if (acquired.kind === 'unknown-authority') {
    throw new ProtocolError('UNKNOWN_AUTHORITY', `Unknown authority ${authority}`, { resolved: acquired.resolved });
  }
  const packages = android.packages().filter((item) => item.uid === self.uid);
  const caller = { uid: self.uid, packages: packages.map((item) => item.spec.package) };
  const running = acquired.app.call(caller, method, arg, extras === null ? null : { entries: extras, objects: {} });
  let outcome: BinderOutcome;
  try {
    outcome = await waitFor(running, timeoutMs, {
      clock,
      signal,
      late: (value) => {
        process.abandoned--;
        if (value?.kind === 'bundle') closeBundle(value.bundle);
      },
    });
  } catch (error) {
    if (error instanceof ProtocolError) process.abandoned++;
    throw error;
  }
  return answer(process, owner, outcome, clock.now() - startedAt);
}

function answer(process: CompanionProcess, owner: object, outcome: BinderOutcome, elapsedMs: number): OpResult {
  switch (outcome.kind) {
    case 'null':
      return { text: `{"result":null,"elapsedMs":${elapsedMs}}` };
    case 'exception':
      throw new ProtocolError('PROVIDER_EXCEPTION', outcome.message, { class: outcome.class });
    case 'died':
      throw new ProtocolError('DEAD_PROVIDER', 'android.os.DeadObjectException');
    case 'too-large':
      // An oversized reply looks like a death to the caller (android-facts 9.3).
      throw outcome.side === 'request'
        ? new ProtocolError('REQUEST_TOO_LARGE', 'android.os.TransactionTooLargeException')
        : new ProtocolError(
            'DEAD_PROVIDER',
            'Transaction failed on small parcel; remote process probably died, but this could also be caused by running out of binder buffer space',
          );
    case 'bundle': {
      const { bundle } = outcome;
      if (process.host.android.sdk < 33 && hasUnreadable(bundle.entries)) {
        closeBundle(bundle);
        throw new ProtocolError('PROVIDER_EXCEPTION', 'ClassNotFoundException when unmarshalling', {
          class: 'android.os.BadParcelableException',
        });
      }
      const { entries, handles } = process.handles.adopt(owner, bundle);
      const nullKeys = bundle.nullKeys ?? 0;
      const counted = nullKeys > 0 ? `,"nullKeys":${nullKeys}` : '';
      return { text: `{"result":${encodeBundle(entries)},"elapsedMs":${elapsedMs}${counted}}`, handles };
    }
  }
}

/** Before Android 13 one foreign Parcelable spoils the whole Bundle. */
function hasUnreadable(bundle: Bundle): boolean {
  return bundle.some(
    (entry) =>
      entry.t === 'unreadable' ||
      (entry.t === 'bundle' && hasUnreadable(entry.v)) ||
      (entry.t === 'bundle[]' && entry.v.some(hasUnreadable)),
  );
}
