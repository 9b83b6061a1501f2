import { createHash } from 'node:crypto';
import { type ByteSource, view } from './byte-source.ts';
import { ApkFault } from './fault.ts';

/**
 * Signing certificates from the APK Signing Block (schemes v2, v3, v3.1), read
 * by ranges. Signatures are not verified: the device did that when it
 * installed the file.
 */
export interface SigningCertificates {
  readonly scheme: 'v2' | 'v3' | 'v3.1';
  /** Lower-case hex SHA-256 of each current signer's DER certificate. */
  readonly current: readonly string[];
  /** Earlier certificates of a rotated key, oldest first. */
  readonly past: readonly string[];
}

const MAGIC = 'APK Sig Block 42';
const BLOCK_V2 = 0x7109871a;
const BLOCK_V3 = 0xf05368c0;
const BLOCK_V31 = 0x1b93ad61;
const ATTRIBUTE_LINEAGE = 0x3ba06f8c;
const MAX_SCHEME_BYTES = 2 * 1024 * 1024;
const MAX_PAIRS = 1000;
const MAX_CERTIFICATES = 100;
/** Scheme v3 rules from Android 9, v3.1 from Android 13. */
const V3_SDK = 28;
const V31_SDK = 33;

/** Null where the file has no such block (then only a JAR signature can hold it). */
export async function readSigningCertificates(
  source: ByteSource,
  directoryOffset: number,
  sdk: number | null,
): Promise<SigningCertificates | null> {
  const schemes = await readSchemes(source, directoryOffset);
  const level = sdk ?? Number.MAX_SAFE_INTEGER;
  const order = [
    { id: BLOCK_V31, scheme: 'v3.1', from: V31_SDK },
    { id: BLOCK_V3, scheme: 'v3', from: V3_SDK },
    { id: BLOCK_V2, scheme: 'v2', from: 0 },
  ] as const;
  for (const { id, scheme, from } of order) {
    const bytes = schemes.get(id);
    if (bytes === undefined || level < from) continue;
    try {
      const found = scheme === 'v2' ? readV2(bytes) : readV3(bytes, sdk);
      if (found !== null) return { scheme, ...found };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new ApkFault('signing-block-invalid', `scheme ${scheme}: a length runs past its field`);
    }
  }
  return null;
}

async function readSchemes(source: ByteSource, directoryOffset: number): Promise<Map<number, Uint8Array>> {
  const schemes = new Map<number, Uint8Array>();
  if (directoryOffset < 32) return schemes;
  const footer = await source.read(directoryOffset - 24, 24);
  if (new TextDecoder('latin1').decode(footer.subarray(8)) !== MAGIC) return schemes;
  const size = Number(view(footer).getBigUint64(0, true));
  const start = directoryOffset - size;
  if (size < 24 || start < 0) throw new ApkFault('signing-block-invalid', `a block of ${size} bytes`);
  const end = directoryOffset - 24;
  for (let at = start, pairs = 0; at + 12 <= end; pairs++) {
    if (pairs >= MAX_PAIRS) throw new ApkFault('signing-block-invalid', `more than ${MAX_PAIRS} pairs`);
    const head = view(await source.read(at, 12));
    const length = Number(head.getBigUint64(0, true));
    const id = head.getUint32(8, true);
    if (length < 4 || at + 8 + length > end) {
      throw new ApkFault('signing-block-invalid', `a pair of ${length} bytes at ${at}`);
    }
    if ((id === BLOCK_V2 || id === BLOCK_V3 || id === BLOCK_V31) && !schemes.has(id)) {
      if (length > MAX_SCHEME_BYTES) throw new ApkFault('signing-block-invalid', `a scheme of ${length} bytes`);
      schemes.set(id, await source.read(at + 12, length - 4));
    }
    at += 8 + length;
  }
  return schemes;
}

/** Walks the format's fields, each prefixed with its length (u32, little-endian). */
class Fields {
  private readonly bytes: Uint8Array;
  private at = 0;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
  get done(): boolean {
    return this.at >= this.bytes.length;
  }
  uint32(): number {
    const value = view(this.bytes).getUint32(this.at, true);
    this.at += 4;
    return value;
  }
  field(): Fields {
    return new Fields(this.raw());
  }
  raw(): Uint8Array {
    const length = this.uint32();
    if (this.at + length > this.bytes.length) throw new RangeError(`a field of ${length} bytes`);
    const field = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return field;
  }
  rest(): Uint8Array {
    return this.bytes.subarray(this.at);
  }
}

interface Certificates {
  readonly current: readonly string[];
  readonly past: readonly string[];
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function readV2(bytes: Uint8Array): Certificates | null {
  const current: string[] = [];
  const signers = new Fields(bytes).field();
  while (!signers.done && current.length < MAX_CERTIFICATES) {
    const signed = signers.field().field();
    signed.raw();
    const certificates = signed.field();
    if (!certificates.done) current.push(sha256(certificates.raw()));
  }
  return current.length === 0 ? null : { current, past: [] };
}

function readV3(bytes: Uint8Array, sdk: number | null): Certificates | null {
  const signers = new Fields(bytes).field();
  let chosen: Certificates | null = null;
  for (let count = 0; !signers.done && count < MAX_CERTIFICATES; count++) {
    const signed = signers.field().field();
    signed.raw();
    const certificates = signed.field();
    if (certificates.done) continue;
    const current = sha256(certificates.raw());
    const minSdk = signed.uint32();
    const maxSdk = signed.uint32();
    if (sdk !== null && (sdk < minSdk || sdk > maxSdk)) continue;
    chosen = { current: [current], past: readLineage(signed.field()).filter((digest) => digest !== current) };
  }
  return chosen;
}

function readLineage(attributes: Fields): string[] {
  while (!attributes.done) {
    const attribute = attributes.field();
    if (attribute.uint32() !== ATTRIBUTE_LINEAGE) continue;
    attribute.uint32();
    const levels = new Fields(attribute.rest());
    const digests: string[] = [];
    while (!levels.done && digests.length < MAX_CERTIFICATES) {
      digests.push(sha256(levels.field().field().raw()));
    }
    return digests;
  }
  return [];
}
