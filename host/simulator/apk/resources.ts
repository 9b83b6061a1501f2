import { resValue } from './axml-write.ts';
import { ByteWriter, resChunk } from './bytes.ts';
import { writeStringPool } from './string-pool.ts';

/** String resources by name; `id(name)` is what a manifest refers to. */
export class StringResources {
  private readonly names: string[] = [];
  private readonly values: string[] = [];

  /** Adds a string and returns its resource id (package 0x7f, type 1). */
  add(name: string, value: string): number {
    this.names.push(name);
    this.values.push(value);
    return 0x7f010000 + this.names.length - 1;
  }

  /** `resources.arsc`: one package, one type `string`, one default configuration. */
  write(packageName: string): Buffer {
    const types = writeStringPool(['string']);
    const keys = writeStringPool(this.names);
    const count = this.names.length;
    const header = new ByteWriter().u32(0x7f).bytes(fixedUtf16(packageName, 128));
    header.u32(288).u32(1);
    header.u32(288 + types.length).u32(count);
    header.u32(0);
    const body = new ByteWriter().bytes(types).bytes(keys);
    if (count > 0) body.bytes(this.typeSpec(count)).bytes(this.type(count));
    const table = new ByteWriter().bytes(writeStringPool(this.values));
    table.bytes(resChunk(0x0200, header.take(), body.take()));
    return resChunk(0x0002, new ByteWriter().u32(1).take(), table.take());
  }

  private typeSpec(count: number): Buffer {
    return resChunk(0x0202, new ByteWriter().u8(1).u8(0).u16(0).u32(count).take(), Buffer.alloc(count * 4));
  }

  private type(count: number): Buffer {
    const config = Buffer.alloc(64);
    config.writeUInt32LE(64);
    const header = new ByteWriter().u8(1).u8(0).u16(0).u32(count);
    header.u32(8 + 12 + 64 + count * 4).bytes(config);
    const offsets = new ByteWriter();
    const entries = new ByteWriter();
    this.values.forEach((v, index) => {
      offsets.u32(entries.length);
      entries
        .u16(8)
        .u16(0)
        .u32(index)
        .bytes(resValue({ t: 'string', v }, this.values.indexOf(v)));
    });
    return resChunk(0x0201, header.take(), new ByteWriter().bytes(offsets.take()).bytes(entries.take()).take());
  }
}

function fixedUtf16(text: string, units: number): Buffer {
  const out = Buffer.alloc(units * 2);
  out.write(text.slice(0, units - 1), 'utf16le');
  return out;
}
