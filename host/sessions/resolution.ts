import { type Bundle, entryOf } from '../../shared/model/bundle.ts';
import type { Confirmation } from '../../shared/model/confirmation.ts';
import type { ExecuteReading } from '../../shared/protocols/cetp/codec.ts';
import type { Bridge } from '../bridge/bridge.ts';

/** What an answer needs a person for (v2 4.3), with what must not leave the host. */
export interface Resolution {
  readonly bridge: Bridge;
  /** Of the PendingIntent; null where none came. */
  readonly handle: string | null;
  readonly facts: Confirmation['resolution'];
  /** Secret; null where none came. */
  readonly resumeToken: string | null;
}

const ASKS = new Set(['AUTH_REQUIRED', 'USER_ACTION_REQUIRED']);

/**
 * v2 4.3: an error that asks for a person, or carries a PendingIntent although its code does not call for one. Null:
 * neither.
 */
export function resolutionOf(reading: ExecuteReading, answer: Bundle | null, bridge: Bridge): Resolution | null {
  if (reading.kind !== 'outcome' || reading.outcome.kind !== 'provider-error') return null;
  const entry = entryOf(answer ?? [], 'resolution');
  const intent = entry?.t === 'pendingIntent' ? entry.v : null;
  if (intent === null && !ASKS.has(reading.outcome.errorCode)) return null;
  const token = entryOf(answer ?? [], 'resume_token');
  const { handle = null, ...facts } = intent ?? {};
  return {
    bridge,
    handle,
    facts: intent === null ? null : (facts as Confirmation['resolution']),
    resumeToken: token?.t === 'string' && token.v !== '' ? token.v : null,
  };
}
