import { isLosslessNumber } from 'lossless-json';
import { isJsonObject, type Json } from '../../shared/base/json.ts';
import { jsonPointer } from '../../shared/base/json-parser.ts';

/**
 * ajv knows only doubles. A number whose digits a double cannot hold lies
 * between two neighbouring doubles; where both get the same verdict, so does it.
 */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface FoundNumber extends Interval {
  readonly pointer: string;
  readonly source: string;
  /** Whether a double holds it exactly as written. */
  readonly exact: boolean;
  /** A fraction whose neighbouring doubles are both whole: `integer` cannot be told. */
  readonly hidesFraction: boolean;
}

/** Every number of a document with the doubles around it. */
export function numbersOf(value: Json): FoundNumber[] {
  const found: FoundNumber[] = [];
  const path: (string | number)[] = [];
  const walk = (item: Json): void => {
    if (typeof item === 'number' || isLosslessNumber(item)) found.push(describe(item, jsonPointer(path)));
    else if (Array.isArray(item)) {
      for (const [index, child] of item.entries()) step(child, index);
    } else if (isJsonObject(item)) {
      for (const [key, child] of Object.entries(item)) step(child, key);
    }
  };
  const step = (child: Json, key: string | number): void => {
    path.push(key);
    walk(child);
    path.pop();
  };
  walk(value);
  return found;
}

export function lostIntervals(value: Json): Interval[] {
  return numbersOf(value).filter((number) => !number.exact);
}

export function overlap(a: Interval, b: Interval): boolean {
  return a.low <= b.high && b.low <= a.high;
}

/** A copy for ajv with each inexact number replaced by the double on one side of it. */
export function toNeighbours(value: Json, side: 'low' | 'high'): unknown {
  if (isLosslessNumber(value)) return describe(value, '')[side];
  if (Array.isArray(value)) return value.map((item) => toNeighbours(item, side));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(copy, key, {
      value: toNeighbours(item, side),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}

function describe(number: Json, pointer: string): FoundNumber {
  const source = String(number);
  const double = Number(source);
  const decimal = canonical(source);
  if (Number.isFinite(double) && decimal === canonical(String(double))) {
    return { pointer, source, exact: true, hidesFraction: false, low: double, high: double };
  }
  const low = neighbour(double, -1);
  const high = neighbour(double, 1);
  const hidesFraction = decimal.includes('e-') && (Number.isInteger(low) || Number.isInteger(high));
  return { pointer, source, exact: false, hidesFraction, low, high };
}

/** One form for each decimal value: significant digits and an exponent. */
function canonical(source: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source);
  if (match === null) return source;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}

const bits = new DataView(new ArrayBuffer(8));

/** The next double in a direction. */
function neighbour(value: number, direction: 1 | -1): number {
  if (value === Number.POSITIVE_INFINITY) return direction === 1 ? value : Number.MAX_VALUE;
  if (value === Number.NEGATIVE_INFINITY) return direction === 1 ? -Number.MAX_VALUE : value;
  if (value === 0) return direction * Number.MIN_VALUE;
  bits.setFloat64(0, value);
  const away = value > 0 === (direction === 1);
  bits.setBigUint64(0, bits.getBigUint64(0) + (away ? 1n : -1n));
  return bits.getFloat64(0);
}
