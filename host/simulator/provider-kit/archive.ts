import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../shared/base/json.ts';
import type { DeviceObject, PackageSpec } from '../virtual-device.ts';
import { providerPackage, text, V2_INT } from './package-builder.ts';
import type { V2Options } from './v2/definition.ts';
import { v2Success } from './v2/envelope.ts';
import { createV2Provider, type V2Provider } from './v2/provider.ts';

export const ARCHIVE_PACKAGE = 'org.example.archive';

/** What is wrong with the file that comes; `silent` stops after the first block and says nothing more. */
export const ARCHIVE_FAULTS = ['none', 'tampered', 'short', 'long', 'not_json', 'silent'] as const;
type Fault = (typeof ARCHIVE_FAULTS)[number];

/** Bytes of one record with its comma and line end; every record has as many. */
export const RECORD_BYTES = 128;
/** As many as fill one packet of adb with their counts. */
const RECORDS_A_BLOCK = 7_680;

export interface Archive {
  readonly app: V2Provider;
  /** Descriptors that were handed out, and those that were closed. */
  readonly descriptors: { opened: number; closed: number };
}

/**
 * A v2 Provider whose one tool always answers with a file of so many records, made as it is read, of any size. `keep`
 * makes each size once and holds its bytes, as a phone has a file on its disk.
 */
export function createArchive(options: V2Options = {}, keep = false): Archive {
  const descriptors = { opened: 0, closed: 0 };
  const kept = new Map<number, readonly Buffer[]>();
  const blocks = (records: number): Iterable<Buffer> => {
    if (!keep) return archiveBlocks(records);
    const known = kept.get(records) ?? [...archiveBlocks(records)];
    kept.set(records, known);
    return known;
  };
  const app = createV2Provider(
    {
      package: ARCHIVE_PACKAGE,
      providerName: 'Records Archive',
      description: 'Large results',
      revision: 'archive-1',
      scopes: [],
      tools: [
        {
          name: 'export_records',
          title: 'Export records',
          description: 'All records as one JSON array of fixed-width lines.',
          inputSchema: INPUT,
          outputSchema: { type: 'array', items: { type: 'object', required: ['id', 'note'] } },
          scopes: [],
          annotations: {
            effect: 'read',
            risk: 'low',
            destructive: false,
            idempotent: true,
            open_world: false,
            confirmation: 'never',
            execution: 'sync',
          },
          run: () => ({ kind: 'value', value: null }),
          brokenAnswer: (call) => {
            const entry = call.extras?.entries.find(({ key }) => key === 'request_id');
            const args = argsOf(call.extras?.entries.find(({ key }) => key === 'args'));
            const object = descriptor(args, descriptors, blocks(args.records));
            return v2Success(entry?.t === 'string' ? entry.v : null, declared(args), { result_fd: object });
          },
        },
      ],
    },
    options,
  );
  return { app, descriptors };
}

export function archivePackage(app: V2Provider = createArchive().app): PackageSpec {
  return providerPackage({
    package: ARCHIVE_PACKAGE,
    label: 'Records Archive',
    app,
    version: V2_INT,
    versions: text('2'),
  });
}

const INPUT: JsonObject = {
  type: 'object',
  properties: {
    records: { type: 'integer', minimum: 1, maximum: 16_777_216 },
    fault: { enum: [...ARCHIVE_FAULTS], default: 'none' },
  },
  required: ['records'],
  additionalProperties: false,
};

interface Args {
  readonly records: number;
  readonly fault: Fault;
}

function argsOf(entry: { readonly t: string; readonly v?: unknown } | undefined): Args {
  const { records = 1, fault = 'none' } = JSON.parse(String(entry?.v ?? '{}')) as Partial<Args>;
  return { records, fault };
}

const digests = new Map<number, string>();

/** Of the file as it should be, whatever is wrong with the one that comes. */
function declared({ records }: Args): JsonObject {
  let sha256 = digests.get(records);
  if (sha256 === undefined) {
    const hash = createHash('sha256');
    for (const block of archiveBlocks(records)) hash.update(block);
    sha256 = hash.digest('hex');
    digests.set(records, sha256);
  }
  return { kind: 'file', media_type: 'application/json', size_bytes: archiveBytes(records), sha256 };
}

/** The size of the whole file in bytes. */
export function archiveBytes(records: number): number {
  return records * RECORD_BYTES + 2;
}

/** The file, a block at a time. */
export function* archiveBlocks(records: number): Generator<Buffer> {
  const record = Buffer.alloc(RECORD_BYTES, 'x');
  record.write('{"id":"00000000","note":"');
  record.write('"},\n', RECORD_BYTES - 4);
  const note = ' Aufzeichnung, 记录, record ';
  record.write(note, 25);
  yield Buffer.from('[\n');
  for (let from = 0; from < records; from += RECORDS_A_BLOCK) {
    const count = Math.min(RECORDS_A_BLOCK, records - from);
    const block = Buffer.alloc(count * RECORD_BYTES, record);
    for (let at = 0; at < count; at++) block.write(String(from + at).padStart(8, '0'), at * RECORD_BYTES + 7);
    // The last one has no comma; the array's end stands in its place.
    if (from + count === records) block.write('\n]', block.length - 2);
    yield block;
  }
}

function descriptor(
  { fault }: Args,
  counts: Archive['descriptors'],
  blocks: Iterable<Buffer>,
): Extract<DeviceObject, { t: 'fd' }> {
  counts.opened++;
  return {
    t: 'fd',
    size: -1,
    read: () => faulty(blocks, fault),
    close: () => {
      counts.closed++;
    },
  };
}

async function* faulty(blocks: Iterable<Buffer>, fault: Fault): AsyncGenerator<Uint8Array> {
  let place = 0;
  for (const block of blocks) {
    place++;
    if (fault === 'silent' && place > 2) await new Promise<never>(() => {});
    if (fault === 'short' && place === 2) yield block.subarray(0, block.length - 1);
    else if (fault === 'not_json' && place === 2) yield Buffer.from(block).fill('}', 0, 1);
    else if (fault === 'tampered' && place === 2) yield Buffer.from(block).fill('X', 100, 101);
    else yield block;
  }
  if (fault === 'long') yield Buffer.from('\n');
}
