import { memorySource, view } from './byte-source.ts';
import { ApkFault } from './fault.ts';
import { openStringPool, type StringPool } from './string-pool.ts';

/** `Res_value.dataType` of the platform's `ResourceTypes.h`. */
export const ResType = {
  null: 0x00,
  reference: 0x01,
  attribute: 0x02,
  string: 0x03,
  float: 0x04,
  dynamicReference: 0x07,
  firstInt: 0x10,
  boolean: 0x12,
  lastInt: 0x1f,
} as const;

/** A typed value as aapt compiled it. `string` is set for the type string only. */
export interface ResValue {
  readonly type: number;
  /** Unsigned 32 bits. */
  readonly data: number;
  readonly string: string | null;
}

export interface XmlAttribute extends ResValue {
  /** Resource id of the attribute (`android:name` is 0x01010003), 0 where it has none. The platform looks only at this. */
  readonly id: number;
  /** Its name in the file; obfuscated manifests leave it empty. */
  readonly name: string;
}

export interface XmlElement {
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
}

const XML_TYPE = 0x0003;
const POOL_TYPE = 0x0001;
const RESOURCE_MAP_TYPE = 0x0180;
const START_ELEMENT_TYPE = 0x0102;
const END_ELEMENT_TYPE = 0x0103;
const NO_STRING = 0xffffffff;
const MAX_ELEMENTS = 50_000;
const MAX_ATTRIBUTES = 200_000;
const MAX_DEPTH = 100;

function invalid(detail: string): ApkFault {
  return new ApkFault('manifest-invalid', detail);
}

interface OpenElement {
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: XmlElement[];
}

/** Parses a binary XML file (AXML) into its root element. Hostile input ends in an `ApkFault`. */
export async function parseAxml(bytes: Uint8Array): Promise<XmlElement> {
  try {
    return await parse(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`a field outside the file (${error.message})`);
    throw error;
  }
}

async function parse(bytes: Uint8Array): Promise<XmlElement> {
  const source = memorySource(bytes);
  const data = view(bytes);
  if (bytes.length < 8 || data.getUint16(0, true) !== XML_TYPE) throw invalid('not binary XML');
  const end = Math.min(bytes.length, data.getUint32(4, true));
  const stack: OpenElement[] = [];
  const counts = { elements: 0, attributes: 0 };
  let pool: StringPool | null = null;
  let ids: Uint32Array = new Uint32Array(0);
  let root: XmlElement | null = null;

  for (let at = data.getUint16(2, true); at + 8 <= end; ) {
    const type = data.getUint16(at, true);
    const headerBytes = data.getUint16(at + 2, true);
    const size = data.getUint32(at + 4, true);
    if (size < 8 || headerBytes < 8 || headerBytes > size || at + size > end) {
      throw invalid(`a chunk of ${size} bytes at ${at}`);
    }
    const chunk = new DataView(bytes.buffer, bytes.byteOffset + at, size);
    if (type === POOL_TYPE && pool === null) pool = await openStringPool(source, at);
    else if (type === RESOURCE_MAP_TYPE) {
      ids = Uint32Array.from({ length: Math.floor((size - headerBytes) / 4) }, (_, index) =>
        chunk.getUint32(headerBytes + index * 4, true),
      );
    } else if (type === START_ELEMENT_TYPE) {
      if (pool === null) throw invalid('an element before the string pool');
      if (stack.length >= MAX_DEPTH) throw invalid(`elements nested deeper than ${MAX_DEPTH}`);
      if (++counts.elements > MAX_ELEMENTS) throw invalid(`more than ${MAX_ELEMENTS} elements`);
      const element = await readElement(chunk, headerBytes, pool, ids, counts);
      if (root !== null && stack.length === 0) throw invalid('a second root element');
      stack.at(-1)?.children.push(element);
      root ??= element;
      stack.push(element);
    } else if (type === END_ELEMENT_TYPE) stack.pop();
    at += size;
  }
  if (root === null) throw invalid('no element');
  return root;
}

async function readElement(
  chunk: DataView,
  headerBytes: number,
  pool: StringPool,
  ids: Uint32Array,
  counts: { attributes: number },
): Promise<OpenElement> {
  const nameIndex = chunk.getUint32(headerBytes + 4, true);
  const attributeStart = headerBytes + chunk.getUint16(headerBytes + 8, true);
  const stride = chunk.getUint16(headerBytes + 10, true);
  const count = chunk.getUint16(headerBytes + 12, true);
  counts.attributes += count;
  if (counts.attributes > MAX_ATTRIBUTES) throw invalid(`more than ${MAX_ATTRIBUTES} attributes`);
  if (count > 0 && stride < 20) throw invalid(`attributes of ${stride} bytes`);
  const attributes: XmlAttribute[] = [];
  for (let index = 0; index < count; index++) {
    const at = attributeStart + index * stride;
    const attributeName = chunk.getUint32(at + 4, true);
    const rawIndex = chunk.getUint32(at + 8, true);
    const type = chunk.getUint8(at + 15);
    const value = chunk.getUint32(at + 16, true);
    const stringIndex = type === ResType.string ? value : NO_STRING;
    attributes.push({
      id: ids[attributeName] ?? 0,
      name: (await pool.string(attributeName)) ?? '',
      type,
      data: value,
      string: (await pool.string(stringIndex)) ?? (type === ResType.string ? await pool.string(rawIndex) : null),
    });
  }
  return { name: (await pool.string(nameIndex)) ?? '', attributes, children: [] };
}
