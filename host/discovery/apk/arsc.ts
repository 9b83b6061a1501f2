import { ResType, type ResValue } from './axml.ts';
import { type ByteSource, view } from './byte-source.ts';
import { ApkFault } from './fault.ts';
import { openStringPool, type StringPool } from './string-pool.ts';

/**
 * Resolves resource references against resources.arsc (`ResourceTypes.h`), by
 * ranges: chunk headers, the wanted types' entries, the wanted strings.
 *
 * As the package manager does when it parses a manifest, the default
 * configuration rules, together with `-vNN` ones up to the device's API level.
 */
export type Resolution =
  | {
      readonly kind: 'value';
      readonly value: ResValue;
      /** Whether a language-specific variant exists, so that a person on the device may see another text. */
      readonly hasLocales: boolean;
      /** Whether only a qualified configuration had it: then the device may choose another one. */
      readonly guessed: boolean;
    }
  | { readonly kind: 'unresolved'; readonly reason: 'framework' | 'missing' | 'complex' | 'chain' | 'no-table' };

const TABLE_TYPE = 0x0002;
const PACKAGE_TYPE = 0x0200;
const TYPE_TYPE = 0x0201;
const FLAG_COMPLEX = 0x0001;
const FLAG_COMPACT = 0x0008;
const TYPE_SPARSE = 0x01;
const TYPE_OFFSET16 = 0x02;
const MAX_CHUNKS = 100_000;
const MAX_CHAIN = 16;
const MAX_SPARSE_ENTRIES = 0x10000;

interface TypeChunk {
  readonly offset: number;
  readonly size: number;
  readonly headerBytes: number;
  readonly flags: number;
  readonly entryCount: number;
  readonly entriesStart: number;
  readonly sdk: number;
  /** Only the API level is set, or nothing. */
  readonly plain: boolean;
  readonly hasLocale: boolean;
}

export interface ResourceTable {
  resolve(reference: number): Promise<Resolution>;
}

/** Opens a table. `sdk` is the device's API level; null takes the newest variant. */
export async function openResourceTable(source: ByteSource, sdk: number | null): Promise<ResourceTable> {
  const header = view(await source.read(0, 12));
  if (header.getUint16(0, true) !== TABLE_TYPE) throw new ApkFault('resources-invalid', 'not a resource table');
  const headerBytes = header.getUint16(2, true);
  const pool = await openStringPool(source, headerBytes);
  const types = await indexTypes(source, headerBytes);
  return { resolve: (reference) => resolveChain({ source, pool, types, sdk }, reference) };
}

interface Table {
  readonly source: ByteSource;
  readonly pool: StringPool;
  /** By `packageId << 8 | typeId`. */
  readonly types: ReadonlyMap<number, readonly TypeChunk[]>;
  readonly sdk: number | null;
}

async function indexTypes(source: ByteSource, start: number): Promise<Map<number, TypeChunk[]>> {
  const types = new Map<number, TypeChunk[]>();
  let packageId = 0;
  let chunks = 0;
  for (let at = start; at + 8 <= source.size; ) {
    if (++chunks > MAX_CHUNKS) throw new ApkFault('resources-invalid', `more than ${MAX_CHUNKS} chunks`);
    const header = view(await source.read(at, 8));
    const type = header.getUint16(0, true);
    const headerBytes = header.getUint16(2, true);
    const size = header.getUint32(4, true);
    if (headerBytes < 8 || size < headerBytes || at + size > source.size) {
      throw new ApkFault('resources-invalid', `a chunk of ${size} bytes at ${at}`);
    }
    if (type === PACKAGE_TYPE) {
      packageId = view(await source.read(at + 8, 4)).getUint32(0, true) & 0xff;
      at += headerBytes;
      continue;
    }
    if (type === TYPE_TYPE && headerBytes >= 24) {
      const { typeId, chunk } = await readTypeChunk(source, at, headerBytes, size);
      const key = (packageId << 8) | typeId;
      const list = types.get(key) ?? [];
      list.push(chunk);
      types.set(key, list);
    }
    at += size;
  }
  return types;
}

async function readTypeChunk(
  source: ByteSource,
  offset: number,
  headerBytes: number,
  size: number,
): Promise<{ typeId: number; chunk: TypeChunk }> {
  const header = view(await source.read(offset, Math.min(headerBytes, 20 + 128)));
  const config = Math.min(header.byteLength, 20 + header.getUint32(20, true));
  let plain = true;
  for (let at = 24; at < config; at++) {
    const isSdk = at >= 44 && at < 48;
    if (!isSdk && header.getUint8(at) !== 0) plain = false;
  }
  const sdk = config >= 46 ? header.getUint16(44, true) : 0;
  return {
    typeId: header.getUint8(8),
    chunk: {
      offset,
      size,
      headerBytes,
      flags: header.getUint8(9),
      entryCount: header.getUint32(12, true),
      entriesStart: header.getUint32(16, true),
      sdk,
      plain,
      hasLocale: config >= 32 && header.getUint32(28, true) !== 0,
    },
  };
}

async function resolveChain(table: Table, reference: number): Promise<Resolution> {
  let next = reference >>> 0;
  let hasLocales = false;
  let guessed = false;
  for (let step = 0; step < MAX_CHAIN; step++) {
    const found = await resolveOnce(table, next);
    if (found.kind === 'unresolved') return found;
    hasLocales ||= found.hasLocales;
    guessed ||= found.guessed;
    const { value } = found;
    if (value.type !== ResType.reference && value.type !== ResType.dynamicReference) {
      return { kind: 'value', value, hasLocales, guessed };
    }
    next = value.data;
  }
  return { kind: 'unresolved', reason: 'chain' };
}

async function resolveOnce(table: Table, reference: number): Promise<Resolution> {
  const chunks = table.types.get(reference >>> 16);
  if (chunks === undefined) {
    return { kind: 'unresolved', reason: reference >>> 24 === 0x01 ? 'framework' : 'missing' };
  }
  const entry = reference & 0xffff;
  let hasLocales = false;
  let best: { readonly chunk: TypeChunk; readonly at: number } | null = null;
  for (const chunk of chunks) {
    const at = await findEntry(table.source, chunk, entry);
    if (at === null) continue;
    hasLocales ||= chunk.hasLocale;
    if (best === null || rank(chunk, table.sdk) > rank(best.chunk, table.sdk)) best = { chunk, at };
  }
  if (best === null) return { kind: 'unresolved', reason: 'missing' };
  const value = await readEntry(table, best.chunk, best.at);
  if (value === null) return { kind: 'unresolved', reason: 'complex' };
  return { kind: 'value', value, hasLocales, guessed: rank(best.chunk, table.sdk) < 0 };
}

/** A plain configuration that the device takes ranks by its API level; any other below zero. */
function rank(chunk: TypeChunk, sdk: number | null): number {
  return chunk.plain && (sdk === null || chunk.sdk <= sdk) ? chunk.sdk : -1;
}

/** Offset of an entry inside its chunk, or null where this configuration does not have it. */
async function findEntry(source: ByteSource, chunk: TypeChunk, index: number): Promise<number | null> {
  const table = chunk.offset + chunk.headerBytes;
  if ((chunk.flags & TYPE_SPARSE) !== 0) {
    const count = Math.min(chunk.entryCount, MAX_SPARSE_ENTRIES);
    const pairs = view(await source.read(table, count * 4));
    for (let pair = 0; pair < count; pair++) {
      if (pairs.getUint16(pair * 4, true) === index) return pairs.getUint16(pair * 4 + 2, true) * 4;
    }
    return null;
  }
  if (index >= chunk.entryCount) return null;
  if ((chunk.flags & TYPE_OFFSET16) !== 0) {
    const offset = view(await source.read(table + index * 2, 2)).getUint16(0, true);
    return offset === 0xffff ? null : offset * 4;
  }
  const offset = view(await source.read(table + index * 4, 4)).getUint32(0, true);
  return offset === 0xffffffff ? null : offset;
}

async function readEntry(table: Table, chunk: TypeChunk, entry: number): Promise<ResValue | null> {
  const at = chunk.entriesStart + entry;
  if (at + 8 > chunk.size) throw new ApkFault('resources-invalid', 'an entry outside its chunk');
  const head = view(await table.source.read(chunk.offset + at, 8));
  const flags = head.getUint16(2, true);
  if ((flags & FLAG_COMPACT) !== 0) return withString(table.pool, flags >>> 8, head.getUint32(4, true));
  if ((flags & FLAG_COMPLEX) !== 0) return null;
  const start = at + head.getUint16(0, true);
  if (start + 8 > chunk.size) throw new ApkFault('resources-invalid', 'a value outside its chunk');
  const value = view(await table.source.read(chunk.offset + start, 8));
  return withString(table.pool, value.getUint8(3), value.getUint32(4, true));
}

async function withString(pool: StringPool, type: number, data: number): Promise<ResValue> {
  return { type, data, string: type === ResType.string ? await pool.string(data) : null };
}
