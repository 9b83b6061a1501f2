/** A growing little-endian byte buffer for the Android file formats. */
export class ByteWriter {
  private parts: Buffer[] = [];
  private size = 0;

  get length(): number {
    return this.size;
  }

  u8(value: number): this {
    return this.bytes(Buffer.of(value & 0xff));
  }

  u16(value: number): this {
    const part = Buffer.allocUnsafe(2);
    part.writeUInt16LE(value);
    return this.bytes(part);
  }

  u32(value: number): this {
    const part = Buffer.allocUnsafe(4);
    part.writeUInt32LE(value >>> 0);
    return this.bytes(part);
  }

  u64(value: number): this {
    const part = Buffer.allocUnsafe(8);
    part.writeBigUInt64LE(BigInt(value));
    return this.bytes(part);
  }

  bytes(part: Uint8Array): this {
    this.parts.push(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    this.size += part.byteLength;
    return this;
  }

  /** A u32 length and the bytes, as the APK Signing Block nests them. */
  sized(part: Uint8Array): this {
    return this.u32(part.byteLength).bytes(part);
  }

  /** Zeroes up to the next multiple of `alignment`. */
  pad(alignment: number): this {
    const rest = this.size % alignment;
    return rest === 0 ? this : this.bytes(Buffer.alloc(alignment - rest));
  }

  take(): Buffer {
    return Buffer.concat(this.parts, this.size);
  }
}

/** A chunk of resource data: `ResChunk_header` (type, header size, size), the rest of its header, its body. */
export function resChunk(type: number, header: Uint8Array, body: Uint8Array): Buffer {
  const headerSize = 8 + header.byteLength;
  return new ByteWriter()
    .u16(type)
    .u16(headerSize)
    .u32(headerSize + body.byteLength)
    .bytes(header)
    .bytes(body)
    .take();
}
