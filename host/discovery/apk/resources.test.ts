import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openResourceTable } from './arsc.ts';
import { parseAxml, type XmlElement } from './axml.ts';
import { memorySource, rangedSource, view } from './byte-source.ts';
import { readManifest } from './manifest.ts';
import { readApk } from './read-apk.ts';
import { openZipEntry, readZipDirectory } from './zip.ts';

const AUTHORITY_ALIAS = 0x7f030002;

async function entryBytes(apk: string, name: string): Promise<Uint8Array> {
  const source = memorySource(readFileSync(new URL(`fixtures/${apk}.apk`, import.meta.url)));
  const entry = (await readZipDirectory(source, () => true)).entries.get(name);
  const opened = await openZipEntry(source, entry!, 1 << 20);
  return Uint8Array.from(await opened.read(0, opened.size));
}

/** Offsets of the type chunks of a table. */
function typeChunks(table: Uint8Array): number[] {
  const data = view(table);
  const found: number[] = [];
  for (let at = 12; at + 8 <= table.length; ) {
    const type = data.getUint16(at, true);
    if (type === 0x0201) found.push(at);
    at += type === 0x0200 ? data.getUint16(at + 2, true) : data.getUint32(at + 4, true);
  }
  return found;
}

/** Rewrites each type chunk in place, as newer packers lay it out. */
async function rewritten(change: (data: DataView, chunk: number) => void): Promise<Uint8Array> {
  const table = await entryBytes('harbour-aapt2-v3-rotated', 'resources.arsc');
  for (const chunk of typeChunks(table)) change(view(table), chunk);
  return table;
}

async function resolvedText(table: Uint8Array): Promise<unknown> {
  return openResourceTable(memorySource(table), 34).then((opened) => opened.resolve(AUTHORITY_ALIAS));
}
const alias = {
  kind: 'value',
  value: { string: 'dev.sample.harbour.tools' },
  hasLocales: false,
  guessed: false,
};

describe('layouts of a resource table', () => {
  it('sparse types, as packed by aapt2', async () => {
    const source = memorySource(readFileSync(new URL('fixtures/harbour-sparse.apk', import.meta.url)));
    const { manifest, signing } = await readApk(source, 34);
    expect(manifest.versionName).toBe('3.2 beta');
    expect(manifest.label).toBe('Harbour');
    expect(manifest.services[0]?.metaData[0]).toMatchObject({ v: 'dev.sample.harbour.tools' });
    expect(signing?.scheme).toBe('v3');
  });

  it('plain offsets', async () => {
    expect(await resolvedText(await rewritten(() => {}))).toMatchObject(alias);
  });

  it('16-bit offsets', async () => {
    const table = await rewritten((data, chunk) => {
      const start = chunk + data.getUint16(chunk + 2, true);
      const count = data.getUint32(chunk + 12, true);
      const offsets = Array.from({ length: count }, (_, index) => data.getUint32(start + index * 4, true));
      data.setUint8(chunk + 9, 0x02);
      for (const [index, offset] of offsets.entries()) {
        data.setUint16(start + index * 2, offset === 0xffffffff ? 0xffff : offset / 4, true);
      }
    });
    expect(await resolvedText(table)).toMatchObject(alias);
  });

  it('compact entries', async () => {
    const table = await rewritten((data, chunk) => {
      const start = chunk + data.getUint16(chunk + 2, true);
      for (let index = 0; index < data.getUint32(chunk + 12, true); index++) {
        const offset = data.getUint32(start + index * 4, true);
        if (offset === 0xffffffff) continue;
        const entry = chunk + data.getUint32(chunk + 16, true) + offset;
        const type = data.getUint8(entry + 8 + 3);
        const value = data.getUint32(entry + 8 + 4, true);
        data.setUint16(entry, data.getUint32(entry + 4, true), true);
        data.setUint16(entry + 2, 0x0008 | (type << 8), true);
        data.setUint32(entry + 4, value, true);
        data.setUint32(entry + 8, 0xdeadbeef, true);
      }
    });
    expect(await resolvedText(table)).toMatchObject(alias);
  });

  it('says when only a qualified variant exists, and when nothing does', async () => {
    const table = await rewritten((data, chunk) => {
      if (data.getUint8(chunk + 8) === 2) data.setUint16(chunk + 20 + 8, 0x6564, true);
    });
    const opened = await openResourceTable(memorySource(table), 34);
    expect(await opened.resolve(0x7f020000)).toMatchObject({ guessed: true, hasLocales: true, value: { data: 41 } });
    expect(await opened.resolve(0x7f02ffff)).toEqual({ kind: 'unresolved', reason: 'missing' });
    expect(await opened.resolve(0x0104000a)).toEqual({ kind: 'unresolved', reason: 'framework' });
  });
});

describe('an obfuscated manifest', () => {
  it('is read by resource ids where the attribute names are empty', async () => {
    const bytes = await entryBytes('harbour-aapt-v2', 'AndroidManifest.xml');
    const plain = readManifest(await parseAxml(bytes), new Map());
    const data = view(bytes);
    const pool = 8;
    const header = data.getUint16(pool + 2, true);
    const map = pool + data.getUint32(pool + 4, true);
    expect(data.getUint16(map, true)).toBe(0x0180);
    const named = (data.getUint32(map + 4, true) - 8) / 4;
    const empty = data.getUint32(pool + header + (named - 1) * 4, true);
    data.setUint16(pool + data.getUint32(pool + 20, true) + empty, 0, true);
    for (let index = 0; index < named; index++) {
      // The word `permission` also names an element here, so it must stay.
      const isPermission = data.getUint32(map + 8 + index * 4, true) === 0x01010006;
      if (!isPermission) data.setUint32(pool + header + index * 4, empty, true);
    }
    const root = await parseAxml(bytes);
    const names = (element: XmlElement): string[] => [
      ...element.attributes.filter((attribute) => attribute.id !== 0).map((attribute) => attribute.name),
      ...element.children.flatMap(names),
    ];
    expect(new Set(names(root))).toEqual(new Set(['', 'permission']));
    expect({ ...readManifest(root, new Map()), unresolved: [] }).toEqual({ ...plain, unresolved: [] });
  });
});

describe('bounds', () => {
  it('many attributes that share one long text are refused, not multiplied', async () => {
    const value = { type: 3, data: 0, string: 'x'.repeat(10_000) };
    const element = (name: string, attributes: XmlElement['attributes'], children: XmlElement[] = []): XmlElement => ({
      name,
      attributes,
      children,
    });
    const entry = element('meta-data', [
      { id: 0x01010003, name: 'name', type: 3, data: 0, string: 'k' },
      { id: 0x01010024, name: 'value', ...value },
    ]);
    const root = (count: number) =>
      element(
        'manifest',
        [{ id: 0, name: 'package', type: 3, data: 0, string: 'dev.big' }],
        [
          element(
            'application',
            [],
            [
              element(
                'service',
                [],
                Array.from({ length: count }, () => entry),
              ),
            ],
          ),
        ],
      );
    expect(readManifest(root(50), new Map()).services[0]?.metaData).toHaveLength(50);
    expect(() => readManifest(root(5000), new Map())).toThrow(expect.objectContaining({ code: 'manifest-too-large' }));
  });

  it('reading onwards takes ever larger steps', async () => {
    const lengths: number[] = [];
    const size = 4 * 1024 * 1024 + 5;
    const source = rangedSource(
      size,
      async (_, length) => {
        lengths.push(length);
        return new Uint8Array(length);
      },
      size,
    );
    for (let at = 0; at + 1000 <= size; at += 1000) await source.read(at, 1000);
    await source.read(size - 5, 5);
    expect(lengths.length).toBeLessThan(12);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(size);
    expect(Math.max(...lengths)).toBe(1024 * 1024);
  });
});
