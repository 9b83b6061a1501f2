import { randomBytes } from 'node:crypto';
import { parseJson } from '../../../../shared/base/json.ts';
import type { BinderCaller } from '../../virtual-device.ts';
import type { Extras } from '../bundles.ts';
import type { V2Definition, V2Limits } from './definition.ts';
import { V2Error } from './envelope.ts';

export const CAPABILITIES = ['async_operations', 'cancellation', 'large_results'] as const;

export const MINIMUM_LIMITS: V2Limits = {
  max_request_bytes: 65_536,
  max_inline_result_bytes: 262_144,
  max_concurrent_requests: 4,
  idempotency_window_seconds: 86_400,
};

export interface Session {
  readonly token: string;
  readonly uid: number;
  readonly version: number;
  readonly capabilities: readonly string[];
  readonly expiresAtMs: number;
}

interface SessionOptions {
  readonly now: () => number;
  readonly ttlMs: number;
  readonly limits: V2Limits;
  readonly capabilities: readonly string[];
  readonly supportsV1: boolean;
}

/** Negotiated sessions, in memory only: they are gone when the process restarts (2.2). */
export class Sessions {
  private readonly open = new Map<string, Session>();
  private readonly definition: V2Definition;
  private readonly options: SessionOptions;
  private capabilities: readonly string[];
  /** A broken Provider: any token of anybody is good. */
  acceptsAnyToken = false;

  constructor(definition: V2Definition, options: SessionOptions) {
    this.definition = definition;
    this.options = options;
    this.capabilities = options.capabilities;
  }

  /** What is offered from now on. Sessions of the former set end, unless a broken Provider keeps them (2.3). */
  setCapabilities(capabilities: readonly string[], keepSessions = false): void {
    this.capabilities = capabilities;
    if (!keepSessions) this.clear();
  }

  /** Throws UNSUPPORTED_CAPABILITY where the session has it not, or the Provider no longer. */
  requireCapability(session: Session, capability: string): void {
    if (session.capabilities.includes(capability) && this.capabilities.includes(capability)) return;
    throw new V2Error('UNSUPPORTED_CAPABILITY', `${capability} was not negotiated`);
  }

  /** `negotiate`: the `data` of its success. Throws `V2Error`. */
  negotiate(caller: BinderCaller, extras: Extras): string {
    const versions = extras.ints('consumer_versions');
    const offered = stringArray(extras.string('consumer_capabilities'));
    if (versions === null || offered === null) {
      throw new V2Error(
        'INVALID_REQUEST',
        'consumer_versions (int[]) and consumer_capabilities (JSON array) are needed',
      );
    }
    const supported = this.options.supportsV1 ? [2, 1] : [2];
    const selected = supported.find((version) => versions.includes(version));
    if (selected === undefined) throw new V2Error('UNSUPPORTED_VERSION', `Supported: ${supported.join(', ')}`);
    const session: Session = {
      token: randomBytes(24).toString('base64url'),
      uid: caller.uid,
      version: selected,
      capabilities: this.capabilities.filter((name) => offered.includes(name)),
      expiresAtMs: this.options.now() + this.options.ttlMs,
    };
    this.open.set(session.token, session);
    return JSON.stringify({
      selected_version: selected,
      provider_id: this.definition.package,
      provider_name: this.definition.providerName,
      session_token: session.token,
      expires_at: new Date(session.expiresAtMs).toISOString(),
      capabilities: session.capabilities,
      limits: this.options.limits,
    });
  }

  /** The caller's own v2 session. Throws NEGOTIATION_REQUIRED on any other token, and on an expired one. */
  require(caller: BinderCaller, token: string | null): Session {
    const session = token === null ? undefined : this.open.get(token);
    if (this.acceptsAnyToken) {
      const { capabilities } = this;
      return session ?? { token: '', uid: caller.uid, version: 2, capabilities, expiresAtMs: Number.MAX_SAFE_INTEGER };
    }
    const isGood = session?.version === 2 && session.uid === caller.uid && session.expiresAtMs > this.options.now();
    if (!isGood) {
      throw new V2Error('NEGOTIATION_REQUIRED', 'No valid session; negotiate again', { retryable: true });
    }
    return session;
  }

  clear(): void {
    this.open.clear();
  }
}

function stringArray(text: string | null): readonly string[] | null {
  if (text === null) return null;
  const parsed = parseJson(text);
  if (!parsed.ok || !Array.isArray(parsed.value.value)) return null;
  const items: readonly unknown[] = parsed.value.value;
  return items.every((item) => typeof item === 'string') ? items : null;
}
