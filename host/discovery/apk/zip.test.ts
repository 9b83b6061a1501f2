import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource, rangedSource } from './byte-source.ts';
import { openZipEntry, readZipDirectory } from './zip.ts';

interface TestEntry {
  readonly name: string;
  readonly data: Uint8Array;
  readonly method?: 0 | 8 | 99;
  /** A declared size that is not the real one. */
  readonly size?: number;
  readonly flags?: number;
}

function buildZip(entries: readonly TestEntry[], comment = ''): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const method = entry.method ?? 0;
    const packed = method === 8 ? deflateRawSync(entry.data) : entry.data;
    const size = entry.size ?? entry.data.length;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(3, 28);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(entry.flags ?? 0, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(size, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(2, 32);
    central.writeUInt32LE(offset, 42);
    parts.push(local, name, Buffer.alloc(3), packed);
    directory.push(central, name, Buffer.alloc(2));
    offset += 33 + name.length + packed.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment, 'latin1'), 20);
  return Buffer.concat([...parts, directoryBytes, end, Buffer.from(comment, 'latin1')]);
}

const all = () => true;

async function readAll(zip: Uint8Array, name: string, maxBytes = 1 << 20): Promise<Uint8Array> {
  const source = memorySource(zip);
  const entry = (await readZipDirectory(source, all)).entries.get(name);
  if (entry === undefined) throw new Error(`no ${name}`);
  const opened = await openZipEntry(source, entry, maxBytes);
  return opened.read(0, opened.size);
}

describe('zip', () => {
  it('reads back stored and deflated entries of any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2000 }),
        fc.constantFrom(0 as const, 8 as const),
        fc.string({ maxLength: 50 }).map((text) => text.replace(/[^ -~]/g, '?')),
        async (data, method, comment) => {
          const zip = buildZip(
            [
              { name: 'other', data: Uint8Array.of(1) },
              { name: 'a', data, method },
            ],
            comment,
          );
          expect(Buffer.from(await readAll(zip, 'a'))).toEqual(Buffer.from(data));
        },
      ),
    );
  });

  it('takes the end record whose comment ends the file, not one inside a comment', async () => {
    const fake = buildZip([]).subarray(0, 22);
    const zip = buildZip([{ name: 'a', data: Uint8Array.of(7) }], `${Buffer.from(fake).toString('latin1')}tail`);
    expect([...(await readAll(zip, 'a'))]).toEqual([7]);
  });

  it('reads two entries of a file of 1 GiB without reading what lies between', async () => {
    const head = buildZip([{ name: 'AndroidManifest.xml', data: Buffer.from('manifest') }]);
    const body = head.length - 22 - (46 + 19 + 2);
    const gap = 1 << 30;
    const tail = Buffer.from(head.subarray(body));
    tail.writeUInt32LE(body + gap, tail.length - 22 + 16);
    let read = 0;
    const source = rangedSource(
      head.length + gap,
      async (offset, length) => {
        read += length;
        const bytes = Buffer.alloc(length);
        for (let index = 0; index < length; index++) {
          const at = offset + index;
          bytes[index] = at < body ? (head[at] ?? 0) : at < body + gap ? 0 : (tail[at - body - gap] ?? 0);
        }
        return bytes;
      },
      1 << 20,
    );
    const entry = (await readZipDirectory(source, all)).entries.get('AndroidManifest.xml');
    const opened = await openZipEntry(source, entry!, 100);
    expect(Buffer.from(await opened.read(0, opened.size)).toString()).toBe('manifest');
    expect(read).toBeLessThan(300_000);
  });

  it('names entries that stand in the directory twice', async () => {
    const zip = buildZip([
      { name: 'a', data: Uint8Array.of(1) },
      { name: 'a', data: Uint8Array.of(2) },
    ]);
    expect([...(await readZipDirectory(memorySource(zip), all)).duplicates]).toEqual(['a']);
  });

  const bomb = buildZip([{ name: 'a', data: new Uint8Array(500_000), method: 8 }]);
  it.each([
    ['a larger entry than allowed', bomb, 'entry-too-large'],
    [
      'a bomb that lies about its size',
      buildZip([{ name: 'a', data: new Uint8Array(500_000), method: 8, size: 10 }]),
      'entry-corrupt',
    ],
    ['an unknown method', buildZip([{ name: 'a', data: Uint8Array.of(1), method: 99 }]), 'entry-method'],
    ['an encrypted entry', buildZip([{ name: 'a', data: Uint8Array.of(1), flags: 1 }]), 'entry-encrypted'],
    ['a stored size past the file', buildZip([{ name: 'a', data: Uint8Array.of(1), size: 1 << 24 }]), 'truncated'],
  ])('refuses %s', async (_, zip, code) => {
    await expect(readAll(zip, 'a', 1000)).rejects.toMatchObject({ code });
  });

  it('refuses zip64', async () => {
    const zip = Buffer.from(buildZip([{ name: 'a', data: Uint8Array.of(1) }]));
    zip.writeUInt32LE(0xffffffff, zip.length - 22 + 16);
    await expect(readZipDirectory(memorySource(zip), all)).rejects.toMatchObject({ code: 'zip64' });
  });
});
