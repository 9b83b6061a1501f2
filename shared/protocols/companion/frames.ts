import { isJsonObject, type Json, type JsonObject, member, parseJson } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { COMPANION_PROTOCOL, MAX_LINE_BYTES } from './limits.ts';

export type CompanionOp =
  | 'hello'
  | 'ping'
  | 'discover'
  | 'call'
  | 'launch'
  | 'startForResult'
  | 'read'
  | 'release'
  | 'cancel'
  | 'watch'
  | 'triggerAck';

/** Whether an op takes one of the 16 places in flight (section 2). */
export function countsInFlight(op: CompanionOp): boolean {
  return op !== 'cancel' && op !== 'release' && op !== 'ping';
}

/** An error in the companion's words. `code` may be one that this desktop does not know. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly detail: JsonObject | null;
}

export type Frame =
  | { readonly kind: 'ok'; readonly id: number; readonly value: JsonObject }
  /** `id` null: the refusal belongs to no request (section 6). */
  | { readonly kind: 'error'; readonly id: number | null; readonly error: WireError }
  | { readonly kind: 'event'; readonly event: string; readonly data: Json };

/** Why a line from the device is no frame of the protocol. */
export interface FrameFault {
  readonly message: string;
}

/** One request line, `\n` included. `paramsText` goes in byte for byte. */
export function requestLine(id: number, op: CompanionOp, paramsText: string | null): string {
  return paramsText === null ? `{"id":${id},"op":"${op}"}\n` : `{"id":${id},"op":"${op}","params":${paramsText}}\n`;
}

/** The params of `call`; `extrasText` is the JSON text of the extras, or `null`, and goes in byte for byte. */
export function callParamsText(params: {
  readonly authority: string;
  readonly method: string;
  readonly arg: string | null;
  readonly extrasText: string;
  readonly timeoutMs: number;
}): string {
  const { authority, method, arg, extrasText, timeoutMs } = params;
  return `{"authority":${JSON.stringify(authority)},"method":${JSON.stringify(method)},"arg":${JSON.stringify(arg)},"extras":${extrasText},"timeoutMs":${timeoutMs}}`;
}

/** Reads one line from the device, without its `\n`. */
export function parseFrame(line: string): Result<Frame, FrameFault> {
  const parsed = parseJson(line, { maxLength: MAX_LINE_BYTES, maxDepth: 200 });
  if (!parsed.ok) {
    return err({ message: parsed.error.code === 'syntax' ? parsed.error.message : `the line is ${parsed.error.code}` });
  }
  if (parsed.value.duplicateKeys.length > 0) {
    return err({ message: `the member ${JSON.stringify(parsed.value.duplicateKeys[0])} occurs twice` });
  }
  const frame = parsed.value.value;
  if (!isJsonObject(frame)) return err({ message: 'the line is not an object' });
  const event = member(frame, 'event');
  if (event !== undefined) {
    if (typeof event !== 'string') return err({ message: 'event must be a string' });
    return ok({ kind: 'event', event, data: member(frame, 'data') ?? null });
  }
  const id = member(frame, 'id');
  const value = member(frame, 'ok');
  const error = member(frame, 'error');
  if (error !== undefined) {
    if (id !== null && !isId(id)) return err({ message: 'the id of an error must be an integer or null' });
    const read = readError(error);
    return read === null
      ? err({ message: 'error must hold a code and a message' })
      : ok({ kind: 'error', id, error: read });
  }
  if (!isId(id)) return err({ message: 'the id must be an integer' });
  if (!isJsonObject(value)) return err({ message: 'ok must be an object' });
  return ok({ kind: 'ok', id, value });
}

function isId(id: Json | undefined): id is number {
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0;
}

/** Reads the value of an `error` member; null where it is not one. */
export function readError(error: Json | undefined): WireError | null {
  if (!isJsonObject(error)) return null;
  const code = member(error, 'code');
  const message = member(error, 'message') ?? '';
  const detail = member(error, 'detail') ?? null;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  return { code, message, detail: isJsonObject(detail) ? detail : null };
}

export type PermissionState = 'granted' | 'denied' | 'undefined';

/** What `hello` answers. Members beyond these are kept in no field and change nothing. */
export interface CompanionHello {
  readonly version: string;
  readonly package: string;
  readonly uid: number;
  readonly userId: number;
  readonly signingCertSha256: readonly string[];
  readonly sdk: number;
  readonly queryAllPackages: boolean;
  readonly permissions: ReadonlyMap<string, PermissionState>;
}

export function readHello(value: JsonObject): Result<CompanionHello, FrameFault> {
  const protocol = member(value, 'protocol');
  const version = member(value, 'version');
  const packageName = member(value, 'package');
  const uid = member(value, 'uid');
  const userId = member(value, 'userId');
  const sdk = member(value, 'sdk');
  const certs = member(value, 'signingCertSha256');
  const permissions = member(value, 'permissions');
  if (protocol !== COMPANION_PROTOCOL) return err({ message: 'hello answered another protocol number' });
  if (typeof version !== 'string' || typeof packageName !== 'string') {
    return err({ message: 'hello must hold version and package' });
  }
  if (!isId(uid) || !isId(userId) || !isId(sdk)) return err({ message: 'hello must hold uid, userId and sdk' });
  if (!Array.isArray(certs) || !certs.every((cert) => typeof cert === 'string')) {
    return err({ message: 'hello must hold signingCertSha256' });
  }
  if (!isJsonObject(permissions)) return err({ message: 'hello must hold permissions' });
  const states = new Map<string, PermissionState>();
  for (const name of Object.keys(permissions)) {
    const state = member(permissions, name);
    if (state !== 'granted' && state !== 'denied' && state !== 'undefined') {
      return err({ message: `the permission ${JSON.stringify(name)} has no known state` });
    }
    states.set(name, state);
  }
  return ok({
    version,
    package: packageName,
    uid,
    userId,
    sdk,
    signingCertSha256: certs,
    queryAllPackages: member(value, 'queryAllPackages') === true,
    permissions: states,
  });
}

/** An event of `watch` with `packages`. */
export interface PackageEvent {
  readonly action: 'added' | 'replaced' | 'removed';
  readonly package: string;
}

export function readPackageEvent(data: Json): Result<PackageEvent, FrameFault> {
  if (isJsonObject(data)) {
    const action = member(data, 'action');
    const packageName = member(data, 'package');
    if ((action === 'added' || action === 'replaced' || action === 'removed') && typeof packageName === 'string') {
      return ok({ action, package: packageName });
    }
  }
  return err({ message: 'a package event must hold an action and a package' });
}
