import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openResourceTable } from './arsc.ts';
import { parseAxml } from './axml.ts';
import { memorySource, rangedSource } from './byte-source.ts';
import { ApkFault } from './fault.ts';
import { readManifest, referencesOf } from './manifest.ts';
import { readApk } from './read-apk.ts';
import { readSigningCertificates } from './signing-block.ts';
import { openZipEntry, readZipDirectory } from './zip.ts';

const apks = ['harbour-aapt-v2', 'harbour-aapt2-v3-rotated'].map((name) =>
  readFileSync(new URL(`fixtures/${name}.apk`, import.meta.url)),
);

/** Overwrites at a few places with bytes that hit lengths and offsets: small, huge, or any. */
const mutations = fc.array(
  fc.record({
    at: fc.nat({ max: 1 << 20 }),
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 4 }),
      fc.constantFrom(
        Uint8Array.of(0xff, 0xff, 0xff, 0xff),
        Uint8Array.of(0, 0, 0, 0),
        Uint8Array.of(0xff, 0xff, 0xff, 0x7f),
      ),
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

function mutate(original: Uint8Array, changes: readonly { at: number; bytes: Uint8Array }[]): Uint8Array {
  const copy = Uint8Array.from(original);
  for (const { at, bytes } of changes) {
    const start = at % copy.length;
    copy.set(bytes.subarray(0, copy.length - start), start);
  }
  return copy;
}

/** An expected failure is an ApkFault; anything else is a bug of ours. */
async function settles(work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error !== null) expect(error).toBeInstanceOf(ApkFault);
}

async function entryBytes(apk: Uint8Array, name: string): Promise<Uint8Array> {
  const source = memorySource(apk);
  const entry = (await readZipDirectory(source, () => true)).entries.get(name);
  const opened = await openZipEntry(source, entry!, 1 << 20);
  return opened.read(0, opened.size);
}

describe('hostile APKs end in facts or an ApkFault', () => {
  it('a mutated or cut file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...apks), mutations, fc.nat(), async (apk, changes, cut) => {
        await settles(readApk(memorySource(mutate(apk, changes)), 34));
        const shorter = apk.subarray(0, cut % apk.length);
        await settles(
          readApk(
            rangedSource(apk.length, async (at, n) => shorter.subarray(at, at + n), 1 << 20),
            34,
          ),
        );
      }),
      { numRuns: 1500 },
    );
  });

  it('a mutated manifest', async () => {
    const manifests = await Promise.all(apks.map((apk) => entryBytes(apk, 'AndroidManifest.xml')));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...manifests), mutations, async (manifest, changes) => {
        await settles(
          parseAxml(mutate(manifest, changes)).then((root) => {
            referencesOf(root);
            return readManifest(root, new Map());
          }),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('a mutated resource table', async () => {
    const tables = await Promise.all(apks.map((apk) => entryBytes(apk, 'resources.arsc')));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...tables), mutations, async (table, changes) => {
        const source = memorySource(mutate(table, changes));
        await settles(
          openResourceTable(source, 34).then(async (opened) => {
            for (let id = 0; id < 12; id++) await opened.resolve(0x7f010000 + ((id >> 2) << 16) + (id & 3));
          }),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('a mutated signing block', async () => {
    const [apk] = apks.slice(1);
    const { directoryOffset } = await readZipDirectory(memorySource(apk!), () => true);
    const window = 3000;
    await fc.assert(
      fc.asyncProperty(mutations, async (changes) => {
        const start = directoryOffset - window;
        const near = changes.map(({ at, bytes }) => ({ at: start + (at % window), bytes }));
        await settles(readSigningCertificates(memorySource(mutate(apk!, near)), directoryOffset, 34));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('amplification', () => {
  it('a table whose entry points at itself ends', async () => {
    const table = await entryBytes(apks[1]!, 'resources.arsc');
    const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
    const copy = Uint8Array.from(table);
    let patched = 0;
    for (let at = 0; at + 8 <= table.length; at += 4) {
      const isReference = view.getUint16(at, true) === 8 && view.getUint8(at + 3) === 1;
      if (!isReference) continue;
      new DataView(copy.buffer).setUint32(at + 4, 0x7f030002, true);
      patched++;
    }
    expect(patched).toBe(1);
    const opened = await openResourceTable(memorySource(copy), 34);
    expect(await opened.resolve(0x7f030002)).toEqual({ kind: 'unresolved', reason: 'chain' });
  });
});
