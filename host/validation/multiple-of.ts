import type { FuncKeywordDefinition } from 'ajv';

/**
 * `multipleOf` in decimal: a double division calls 19.99 no multiple of 0.01.
 * The numbers are those that the JSON text names, as JavaScript prints them.
 */
export const multipleOfKeyword: FuncKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  validate: (divisor: number, value: number) => isMultiple(value, divisor),
  error: { message: ({ schema }) => `must be multiple of ${schema}` },
};

export function isMultiple(value: number, divisor: number): boolean {
  if (value === 0) return true;
  const a = decimal(value);
  const b = decimal(divisor);
  if (b.digits === 0n) return false;
  const scale = Math.min(a.exponent, b.exponent);
  const left = a.digits * 10n ** BigInt(a.exponent - scale);
  const right = b.digits * 10n ** BigInt(b.exponent - scale);
  return left % right === 0n;
}

/** value = digits * 10^exponent. */
function decimal(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
