import { parseJson } from '../../../shared/base/json.ts';

/**
 * Takes `k=v, k2=v2` of `Bundle.toString()` apart. Android escapes nothing there, so `, ` and `=` inside a value look
 * like the end of it. What helps: the keys come in ascending order of `String.hashCode` (ArrayMap), CETP's own keys are
 * known, and most of their values have a form. A reading costs what is odd in it; one cheapest reading is an answer,
 * two are not. A free text that spells a later CETP key itself (`error_message=x, resolution_hint=y`) cannot be told
 * from that key.
 */
export interface TextPair {
  readonly key: string;
  readonly value: string;
}

const free = () => true;
const word = (text: string) => /^[A-Za-z0-9_.-]{0,200}$/.test(text);
const integer = (text: string) => /^-?\d{1,19}$/.test(text) || text === 'null';
const token = (text: string) => /^[^\s,={}]{0,1024}$/.test(text);
const object = (text: string) =>
  text === 'null' ||
  /^Supplier\{VAL_[A-Z]+@\d+\+\d+\}$/.test(text) ||
  /^PendingIntent\{[^{},]{1,200}\}$/.test(text) ||
  /^\{ParcelFileDescriptor: [^{},]{1,200}\}$/.test(text);

/** Forms of the values behind CETP's keys (v1 2.3; v2 4.2 to 5). `json` is checked by its extent. */
const known: ReadonlyMap<string, 'json' | ((text: string) => boolean)> = new Map<
  string,
  'json' | ((text: string) => boolean)
>([
  ['status', word],
  ['data', 'json'],
  ['error_code', word],
  ['error_message', free],
  ['error_details', 'json'],
  ['retryable', (text) => text === 'true' || text === 'false' || text === 'null'],
  ['retry_after_ms', integer],
  ['protocol_version', integer],
  ['version', integer],
  ['request_id', token],
  ['resume_token', token],
  ['resolution', object],
  ['result_fd', object],
  ['resolution_hint', free],
  ['authorize_intent', token],
]);

/** A value that lacks the form of its key. */
const COST_MISFIT = 4;
/** The same for JSON, which a v1 Provider may well get wrong. */
const COST_NOT_JSON = 2;
/** A CETP key taken for a part of another key's value, other than inside its JSON. */
const COST_SWALLOWED = 3;

/** Longer values have no form but free text and JSON. */
const MAX_FORM_LENGTH = 1100;

/** More places than this where a key could begin are not tried in every combination. */
const MAX_ANCHORS = 300;

interface Anchor {
  readonly key: string;
  readonly hash: number;
  /** Index of the key, and of its value. */
  readonly at: number;
  readonly valueAt: number;
  /** For a JSON key: where one whole JSON value ends, or -1. */
  readonly jsonEnd: number;
}

/** The pairs, or null where the text can be read in more than one way or in none. The empty text is no pair. */
export function splitBundleText(text: string): readonly TextPair[] | null {
  if (text === '') return [];
  const anchors = findAnchors(text);
  if (anchors === null || anchors[0]?.at !== 0) return null;
  return bestReading(text, anchors);
}

/** Null where there are too many. Anchors inside one whole JSON value of a known key are then taken for a part of it. */
function findAnchors(text: string): readonly Anchor[] | null {
  const places = [...text.matchAll(/(?<=^|, )([A-Za-z_][\w.-]{0,127})=/g)];
  const skipInsideJson = places.length > MAX_ANCHORS;
  const anchors: Anchor[] = [];
  let insideUntil = -1;
  for (const match of places) {
    if (skipInsideJson && match.index < insideUntil) continue;
    if (anchors.length >= MAX_ANCHORS) return null;
    const key = match[1] ?? '';
    const valueAt = match.index + match[0].length;
    const jsonEnd = known.get(key) === 'json' ? endOfJson(text, valueAt) : -1;
    insideUntil = Math.max(insideUntil, jsonEnd);
    anchors.push({ key, hash: javaHash(key), at: match.index, valueAt, jsonEnd });
  }
  return anchors;
}

interface Best {
  cost: number;
  /** How many ways reach this cost; 2 stands for more. */
  ways: number;
  previous: number;
}

function bestReading(text: string, anchors: readonly Anchor[]): readonly TextPair[] | null {
  const knownBefore = [0];
  for (const anchor of anchors) knownBefore.push((knownBefore.at(-1) ?? 0) + (known.has(anchor.key) ? 1 : 0));
  const best: (Best | null)[] = [];
  const cheapest = (index: number, end: number): Best | null => {
    const next = anchors[index];
    let found: Best | null = null;
    for (let j = 0; j < index; j++) {
      const from = anchors[j];
      const before = best[j];
      if (from === undefined || before === null || before === undefined) continue;
      if (next !== undefined && (from.hash > next.hash || from.key === next.key)) continue;
      const swallowed = (knownBefore[index] ?? 0) - (knownBefore[j + 1] ?? 0);
      const cost = before.cost + costOf(text, from, end, swallowed);
      if (found === null || cost < found.cost) found = { cost, ways: before.ways, previous: j };
      else if (cost === found.cost) found.ways = 2;
    }
    return found;
  };
  anchors.forEach((anchor, i) => {
    best.push(i === 0 ? { cost: 0, ways: 1, previous: -1 } : cheapest(i, anchor.at - 2));
  });
  const whole = cheapest(anchors.length, text.length);
  if (whole === null || whole.ways > 1) return null;
  const pairs: TextPair[] = [];
  for (let index = whole.previous, end = text.length; index >= 0; ) {
    const anchor = anchors[index];
    if (anchor === undefined) return null;
    pairs.push({ key: anchor.key, value: text.slice(anchor.valueAt, end) });
    end = anchor.at - 2;
    index = best[index]?.previous ?? -1;
  }
  return pairs.reverse();
}

function costOf(text: string, anchor: Anchor, end: number, swallowed: number): number {
  const form = known.get(anchor.key);
  const inText = swallowed * COST_SWALLOWED;
  if (form === 'json') return anchor.jsonEnd === end ? 0 : COST_NOT_JSON + inText;
  if (form === undefined || form === free) return inText;
  const fits = end - anchor.valueAt <= MAX_FORM_LENGTH && form(text.slice(anchor.valueAt, end));
  return fits ? inText : COST_MISFIT + inText;
}

/** The end of the one JSON value (or a printed object) that begins at `from`; -1 where none does. */
function endOfJson(text: string, from: number): number {
  const end = scanJson(text, from);
  if (end < 0) return -1;
  return parseJson(text.slice(from, end)).ok ? end : -1;
}

function scanJson(text: string, from: number): number {
  const first = text[from];
  if (first !== '{' && first !== '[' && first !== '"') {
    const comma = text.indexOf(', ', from);
    return comma < 0 ? text.length : comma;
  }
  let depth = 0;
  let inString = false;
  for (let i = from; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    if (depth === 0 && !inString) return i + 1;
  }
  return -1;
}

/** `String.hashCode()` of Java, a signed 32-bit number. */
export function javaHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  return hash;
}
