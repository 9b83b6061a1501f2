const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...ALPHABET, '-', '_'].map((char, i) => [char.charCodeAt(0), i < 64 ? i : i - 2]));

/** Whether the bytes behind a base64 text, read as UTF-8, match. What is not base64 is skipped. */
export function decodesToMatch(base64: string, pattern: RegExp): boolean {
  return new TextDecoder('utf-8').decode(decode(base64)).search(pattern) !== -1;
}

function decode(base64: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((base64.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < base64.length; i++) {
    const value = VALUES.get(base64.charCodeAt(i));
    if (value === undefined) continue;
    held = ((held << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[length++] = (held >> bits) & 0xff;
    }
  }
  return bytes.subarray(0, length);
}
