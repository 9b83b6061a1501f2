import { isJsonObject, type Json, type JsonObject, member, printJson } from '../../../shared/base/json.ts';
import { problem } from '../../../shared/model/problem.ts';
import { decodeBundle } from '../../../shared/protocols/companion/decode-bundle.ts';
import type { ActivityData } from '../bridge.ts';
import type { LaunchReply } from './companion-client.ts';
import { numberOf } from './companion-connection.ts';

/** Reads the answer to `launch` (companion protocol, section 3). A malformed one is a failure with its raw text. */
export function readLaunch(value: JsonObject): LaunchReply {
  const resultCode = numberOf(value, 'resultCode');
  if (resultCode === null || !Number.isInteger(resultCode)) return bad(value, 'the result code is missing');
  const data = readIntent(member(value, 'data') ?? null);
  if (data === undefined) return bad(value, 'the result is no Intent');
  return { kind: 'result', resultCode, data, elapsedMs: numberOf(value, 'elapsedMs') };
}

function readIntent(value: Json): ActivityData | null | undefined {
  if (value === null) return null;
  if (!isJsonObject(value)) return undefined;
  const extras = decodeBundle(member(value, 'extras') ?? {});
  if (!extras.ok) return undefined;
  const text = (name: string): string | null => {
    const found = member(value, name);
    return typeof found === 'string' ? found : null;
  };
  const categories = member(value, 'categories');
  return {
    action: text('action'),
    data: text('data'),
    type: text('type'),
    package: text('package'),
    component: text('component'),
    categories: Array.isArray(categories) ? categories.filter((item) => typeof item === 'string') : [],
    extras: extras.value,
  };
}

function bad(value: JsonObject, reason: string): LaunchReply {
  const raw = printJson(value).slice(0, 64 * 1024);
  return { kind: 'failed', problem: problem('companion.bad-reply', { reason }, raw) };
}
