type JavaFloat = number | 'NaN' | 'Infinity' | '-Infinity';

/** Java's `Double.toString`. */
export function javaDouble(value: JavaFloat): string {
  if (typeof value === 'string' || !Number.isFinite(value)) return String(value);
  return layOut(value, value.toExponential());
}

/** Java's `Float.toString`: the shortest digits that still mean this float. */
export function javaFloat(value: JavaFloat): string {
  if (typeof value === 'string' || !Number.isFinite(value)) return String(value);
  const float = Math.fround(value);
  for (let digits = 0; digits < 9; digits++) {
    const text = float.toExponential(digits);
    if (Math.fround(Number(text)) === float) return layOut(float, text);
  }
  return layOut(float, float.toExponential());
}

/** From `d.ddde±x` to Java's layout: plain from 10^-3 to below 10^7, else computerized scientific notation. */
function layOut(value: number, exponential: string): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '', exponent = ''] = exponential.replace('-', sign === '-' ? '' : '-').split('e');
  const digits = mantissa.replace('.', '').replace(/(?<=.)0+$/, '');
  const power = Number(exponent);
  if (value === 0) return `${sign}0.0`;
  if (power < -3 || power >= 7) return `${sign}${digits.charAt(0)}.${digits.slice(1) || '0'}E${power}`;
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  const padded = digits.padEnd(power + 1, '0');
  return `${sign}${padded.slice(0, power + 1)}.${padded.slice(power + 1) || '0'}`;
}
