import { createHash } from 'node:crypto';
import { ByteWriter } from './bytes.ts';
import type { Signer } from './certificate.ts';

const V2_BLOCK_ID = 0x7109871a;
/** "ECDSA with SHA2-256 digest". The scheme knows no Ed25519, so the signature bytes verify nowhere: only the layout is real. */
const ALGORITHM = 0x0201;
const CHUNK = 1024 * 1024;

/** The APK Signing Block with one v2 signer (AOSP "APK Signature Scheme v2"); it stands before the central directory. */
export function signingBlock(signer: Signer, sections: readonly Uint8Array[]): Buffer {
  const digest = new ByteWriter().u32(ALGORITHM).sized(contentDigest(sections)).take();
  const signedData = new ByteWriter()
    .sized(new ByteWriter().sized(digest).take())
    .sized(new ByteWriter().sized(signer.certificate).take())
    .sized(new Uint8Array())
    .take();
  const signature = new ByteWriter().u32(ALGORITHM).sized(signer.sign(signedData)).take();
  const one = new ByteWriter()
    .sized(signedData)
    .sized(new ByteWriter().sized(signature).take())
    .sized(signer.publicKey)
    .take();
  const value = new ByteWriter().sized(new ByteWriter().sized(one).take()).take();
  const pair = new ByteWriter()
    .u64(4 + value.length)
    .u32(V2_BLOCK_ID)
    .bytes(value)
    .take();
  const size = pair.length + 8 + 16;
  return new ByteWriter().u64(size).bytes(pair).u64(size).bytes(Buffer.from('APK Sig Block 42')).take();
}

/** SHA-256 over the digests of 1 MiB chunks, of the local entries, the central directory and the end record. */
function contentDigest(sections: readonly Uint8Array[]): Buffer {
  const digests: Buffer[] = [];
  for (const section of sections) {
    for (let at = 0; at < section.byteLength; at += CHUNK) {
      const chunk = section.subarray(at, Math.min(at + CHUNK, section.byteLength));
      const head = new ByteWriter().u8(0xa5).u32(chunk.byteLength).take();
      digests.push(createHash('sha256').update(head).update(chunk).digest());
    }
  }
  const head = new ByteWriter().u8(0x5a).u32(digests.length).take();
  return createHash('sha256').update(head).update(Buffer.concat(digests)).digest();
}

const V3_BLOCK_ID = 0xf05368c0;
const MAGIC = 'APK Sig Block 42';

/** The first signer's certificate (DER) in the v3 or v2 block of any APK; null where there is none. */
export function readSigningCertificate(apk: Uint8Array): Buffer | null {
  const buffer = Buffer.from(apk.buffer, apk.byteOffset, apk.byteLength);
  try {
    const end = buffer.lastIndexOf(Buffer.from('504b0506', 'hex'));
    const directoryAt = buffer.readUInt32LE(end + 16);
    if (end === -1 || buffer.toString('latin1', directoryAt - 16, directoryAt) !== MAGIC) return null;
    const start = directoryAt - Number(buffer.readBigUInt64LE(directoryAt - 24));
    let found: Buffer | null = null;
    for (let at = start; at < directoryAt - 24; ) {
      const length = Number(buffer.readBigUInt64LE(at));
      const id = buffer.readUInt32LE(at + 8);
      if (id === V3_BLOCK_ID || (id === V2_BLOCK_ID && found === null)) found = certificateIn(buffer, at + 12);
      at += 8 + length;
    }
    return found;
  } catch {
    // Offsets that leave a broken file throw RangeError: no certificate can be read.
    return null;
  }
}

/** signers > first signer > signed data: digests, then certificates > the first one. */
function certificateIn(buffer: Buffer, signersAt: number): Buffer {
  const digestsAt = signersAt + 12;
  const certificatesAt = digestsAt + 4 + buffer.readUInt32LE(digestsAt);
  const length = buffer.readUInt32LE(certificatesAt + 4);
  if (certificatesAt + 8 + length > buffer.length) throw new RangeError('A certificate longer than the file');
  return Buffer.from(buffer.subarray(certificatesAt + 8, certificatesAt + 8 + length));
}
