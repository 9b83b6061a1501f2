import type { CetpRequest } from '../codec.ts';

/** A request as it must leave, written by hand with a note on each entry. */
export interface GoldenRequest {
  readonly about: string;
  readonly method: string;
  readonly extras:
    | readonly { readonly key: string; readonly t: string; readonly v: unknown; readonly note: string }[]
    | null;
}

/** The request without its notes, as JSON text so that order and types count. */
export function goldenText(golden: GoldenRequest): string {
  const extras = golden.extras?.map(({ key, t, v }) => ({ key, t, v })) ?? null;
  return JSON.stringify({ method: golden.method, extras });
}

export function requestText(request: CetpRequest): string {
  const extras = request.extras?.map((entry) => ({
    key: entry.key,
    t: entry.t,
    v: 'v' in entry ? entry.v : undefined,
  }));
  return JSON.stringify({ method: request.method, extras: extras ?? null });
}

export const GOLDEN_REQUEST_ID = '7b7f4f4e-3a52-4b39-8a40-55f9b64a9d10';
export const GOLDEN_DEADLINE_MS = 1_790_000_000_000;
