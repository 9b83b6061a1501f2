import { CALL_SUFFIX } from './file-shape.ts';

export const ENVIRONMENTS = 'environments';
const MAX_SEGMENTS = 8;
const MAX_SEGMENT_LENGTH = 120;
/** What some system forbids or reads as something else, and whatever cannot be seen. */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** One name in a path: portable, not hidden, no way up. */
export function isPlainName(name: string): boolean {
  return (
    name.length > 0 &&
    name.length <= MAX_SEGMENT_LENGTH &&
    !FORBIDDEN.test(name) &&
    !RESERVED.test(name) &&
    !/^[. ]|[. ]$/.test(name)
  );
}

/** Whether a relative path, with `/`, may name a call of a collection. */
export function isCallPath(file: string): boolean {
  const segments = file.split('/');
  return (
    segments.length <= MAX_SEGMENTS &&
    segments.every(isPlainName) &&
    (segments[0] !== ENVIRONMENTS || segments.length === 1) &&
    file.endsWith(CALL_SUFFIX) &&
    segments.at(-1) !== CALL_SUFFIX
  );
}

/** A file name for a call from what a person called it; never empty. */
export function fileNameFor(name: string): string {
  const words =
    name
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const stem = words.join('-').slice(0, 60).replace(/-$/, '');
  return `${stem === '' || RESERVED.test(stem) ? `call-${stem}`.replace(/-$/, '') : stem}${CALL_SUFFIX}`;
}

/** By folder, then by name, numbers in names by value: `2-…` before `10-…`. The same on every system. */
export function compareFiles(left: string, right: string): number {
  const a = left.split('/');
  const b = right.split('/');
  for (let place = 0; place < Math.min(a.length, b.length); place++) {
    const order = compareNames(a[place] as string, b[place] as string);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareNames(left: string, right: string): number {
  const a = left.match(/\d+|\D+/g) ?? [];
  const b = right.match(/\d+|\D+/g) ?? [];
  for (let place = 0; place < Math.min(a.length, b.length); place++) {
    const [x, y] = [a[place] as string, b[place] as string];
    if (x === y) continue;
    if (/^\d/.test(x) && /^\d/.test(y)) {
      const [p, q] = [x.replace(/^0+(?=.)/, ''), y.replace(/^0+(?=.)/, '')];
      if (p !== q) return p.length - q.length || (p < q ? -1 : 1);
    }
    return x < y ? -1 : 1;
  }
  return a.length - b.length || (left < right ? -1 : left > right ? 1 : 0);
}
