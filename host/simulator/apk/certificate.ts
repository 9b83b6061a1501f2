import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';

/** A made-up signing identity. The same seed gives the same bytes on every machine. */
export interface Signer {
  /** DER of a self-signed X.509 certificate. */
  readonly certificate: Buffer;
  /** Lower-case hex SHA-256 of the DER, as `PackageManager` digests are shown. */
  readonly certificateSha256: string;
  /** DER of the SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  sign(data: Uint8Array): Buffer;
}

const signers = new Map<string, Signer>();

/** An Ed25519 identity: the one signature scheme of Node that is deterministic from a seed. */
export function signerOf(seed: string): Signer {
  const known = signers.get(seed);
  if (known) return known;
  const secret = createHash('sha256').update(`cetp-simulator-signer:${seed}`).digest();
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const certificate = selfSigned(seed, key, publicKey);
  const signer: Signer = {
    certificate,
    certificateSha256: createHash('sha256').update(certificate).digest('hex'),
    publicKey,
    sign: (data) => sign(null, data, key),
  };
  signers.set(seed, signer);
  return signer;
}

/** Parses a certificate back; used to prove that the DER is a real one. */
export function readCertificate(der: Uint8Array): X509Certificate {
  return new X509Certificate(der);
}

function selfSigned(seed: string, key: KeyObject, spki: Buffer): Buffer {
  const algorithm = der(0x30, Buffer.from('06032b6570', 'hex'));
  const serial = createHash('sha256').update(`serial:${seed}`).digest().subarray(0, 8);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x01;
  const commonName = der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(`Simulated signer ${seed}`)));
  const name = der(0x30, der(0x31, commonName));
  const time = (text: string): Buffer => der(0x17, Buffer.from(text));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    algorithm,
    name,
    der(0x30, time('200101000000Z'), time('491231235959Z')),
    name,
    spki,
  );
  return der(0x30, body, algorithm, der(0x03, Buffer.of(0), sign(null, body, key)));
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length =
    body.length < 0x80
      ? Buffer.of(body.length)
      : body.length < 0x100
        ? Buffer.of(0x81, body.length)
        : Buffer.of(0x82, body.length >> 8, body.length & 0xff);
  return Buffer.concat([Buffer.of(tag), length, body]);
}
