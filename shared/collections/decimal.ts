/** A number's text as sign, digits without zeros at either end, and exponent: `0.d1d2… × 10^exponent`. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/**
 * Compares two numbers by the texts of JSON, to the last digit. Negative,
 * zero or positive as for a sort; null where one is no number of JSON or has
 * an exponent beyond 15 digits.
 */
export function compareNumbers(left: string, right: string): number | null {
  const a = decimalOf(left);
  const b = decimalOf(right);
  if (a === null || b === null) return null;
  if (a.digits === '' || b.digits === '' || a.negative !== b.negative) return signOf(a) - signOf(b);
  const size = a.exponent - b.exponent || compareDigits(a.digits, b.digits);
  return a.negative ? -size : size;
}

/** Whether the text is a whole number, in whatever notation. */
export function isWhole(text: string): boolean {
  const number = decimalOf(text);
  return number !== null && number.digits.length <= Math.max(0, number.exponent);
}

function decimalOf(text: string): Decimal | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,15}))?$/.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const all = whole + fraction;
  let start = 0;
  while (all[start] === '0') start++;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end--;
  return {
    negative: sign === '-',
    digits: all.slice(start, end),
    exponent: Number(exponent) + whole.length - start,
  };
}

function signOf({ negative, digits }: Decimal): number {
  if (digits === '') return 0;
  return negative ? -1 : 1;
}

function compareDigits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
