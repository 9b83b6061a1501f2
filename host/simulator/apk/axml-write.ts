import { ByteWriter, resChunk } from './bytes.ts';
import { StringTable, writeStringPool } from './string-pool.ts';

const ANDROID_URI = 'http://schemas.android.com/apk/res/android';
const NONE = 0xffffffff;

/** Public resource ids of the framework's attributes (`public.xml` of AOSP). */
const ATTRIBUTE_IDS = {
  label: 0x01010001,
  name: 0x01010003,
  permission: 0x01010006,
  readPermission: 0x01010007,
  writePermission: 0x01010008,
  protectionLevel: 0x01010009,
  sharedUserId: 0x0101000b,
  hasCode: 0x0101000c,
  enabled: 0x0101000e,
  exported: 0x01010010,
  process: 0x01010011,
  authorities: 0x01010018,
  initOrder: 0x0101001a,
  grantUriPermissions: 0x0101001b,
  value: 0x01010024,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  targetPackage: 0x01010021,
} as const;

export type AndroidAttribute = keyof typeof ATTRIBUTE_IDS;

/** A typed attribute value, as `Res_value` stores it. */
export type AxmlValue =
  | { readonly t: 'string'; readonly v: string }
  | { readonly t: 'int'; readonly v: number }
  | { readonly t: 'hex'; readonly v: number }
  | { readonly t: 'boolean'; readonly v: boolean }
  | { readonly t: 'float'; readonly v: number }
  | { readonly t: 'reference'; readonly v: number };

export interface AxmlElement {
  readonly tag: string;
  readonly attributes: Partial<Record<AndroidAttribute, AxmlValue>>;
  /** Attributes of no namespace, such as `package`. */
  readonly plain?: Readonly<Record<string, string>>;
  readonly children?: readonly AxmlElement[];
}

/** Writes a binary XML document with the `android:` namespace. Attributes are sorted by resource id, as the framework expects. */
export function writeAxml(root: AxmlElement): Buffer {
  const strings = new StringTable();
  const used = new Set<AndroidAttribute>();
  collectAttributes(root, used);
  const ordered = [...used].sort((a, b) => ATTRIBUTE_IDS[a] - ATTRIBUTE_IDS[b]);
  // The resource map is parallel to the start of the pool, so attribute names come first.
  for (const name of ordered) strings.index(name);
  const uri = strings.index(ANDROID_URI);
  const prefix = strings.index('android');

  const body = new ByteWriter();
  const namespace = new ByteWriter().u32(prefix).u32(uri).take();
  body.bytes(node(0x0100, namespace));
  writeElement(body, root, strings, uri);
  body.bytes(node(0x0101, namespace));

  const map = new ByteWriter();
  for (const name of ordered) map.u32(ATTRIBUTE_IDS[name]);
  return resChunk(
    0x0003,
    new Uint8Array(),
    new ByteWriter()
      .bytes(writeStringPool(strings.strings))
      .bytes(resChunk(0x0180, new Uint8Array(), map.take()))
      .bytes(body.take())
      .take(),
  );
}

function collectAttributes(element: AxmlElement, used: Set<AndroidAttribute>): void {
  for (const name of Object.keys(element.attributes) as AndroidAttribute[]) used.add(name);
  for (const child of element.children ?? []) collectAttributes(child, used);
}

function writeElement(out: ByteWriter, element: AxmlElement, strings: StringTable, uri: number): void {
  const name = strings.index(element.tag);
  const attributes = (Object.entries(element.attributes) as [AndroidAttribute, AxmlValue][]).sort(
    ([a], [b]) => ATTRIBUTE_IDS[a] - ATTRIBUTE_IDS[b],
  );
  const plain = Object.entries(element.plain ?? {});
  const start = new ByteWriter().u32(NONE).u32(name).u16(20).u16(20);
  start
    .u16(attributes.length + plain.length)
    .u16(0)
    .u16(0)
    .u16(0);
  for (const [key, value] of attributes) writeAttribute(start, uri, strings.index(key), value, strings);
  for (const [key, v] of plain) writeAttribute(start, NONE, strings.index(key), { t: 'string', v }, strings);
  out.bytes(node(0x0102, start.take()));
  for (const child of element.children ?? []) writeElement(out, child, strings, uri);
  out.bytes(node(0x0103, new ByteWriter().u32(NONE).u32(name).take()));
}

function writeAttribute(out: ByteWriter, ns: number, name: number, value: AxmlValue, strings: StringTable): void {
  const raw = value.t === 'string' ? strings.index(value.v) : NONE;
  out.u32(ns).u32(name).u32(raw);
  out.bytes(resValue(value, raw));
}

/** `Res_value`: size, 0, data type, data. `pool` is the index of a string. */
export function resValue(value: AxmlValue, pool: number): Buffer {
  const out = new ByteWriter().u16(8).u8(0);
  switch (value.t) {
    case 'string':
      return out.u8(0x03).u32(pool).take();
    case 'int':
      return out.u8(0x10).u32(value.v).take();
    case 'hex':
      return out.u8(0x11).u32(value.v).take();
    case 'boolean':
      return out
        .u8(0x12)
        .u32(value.v ? 0xffffffff : 0)
        .take();
    case 'float': {
      const data = Buffer.alloc(4);
      data.writeFloatLE(value.v);
      return out.u8(0x04).bytes(data).take();
    }
    case 'reference':
      return out.u8(0x01).u32(value.v).take();
  }
}

/** `ResXMLTree_node`: a line number and no comment before the body. */
function node(type: number, body: Uint8Array): Buffer {
  return resChunk(type, new ByteWriter().u32(1).u32(NONE).take(), body);
}
