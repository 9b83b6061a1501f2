import type { JsonObject } from '../../../../shared/base/json.ts';
import type { BinderOutcome, DeviceObject } from '../../virtual-device.ts';
import { type Deviation, FILE_BYTES } from './deviation.ts';
import { dataOf, withData, withObject, withoutKey } from './rewrite.ts';

const CHUNK = 16 * 1024;

/** Section 4.5. */
export const files = {
  wrong_digest: facts('the declared SHA-256 is not the one of the bytes.', () => ({ sha256: '0'.repeat(64) })),
  wrong_size: facts('the declared size is one byte too small.', () => ({ size_bytes: FILE_BYTES.byteLength - 1 })),
  uppercase_digest: facts('the SHA-256 is written in capitals.', (data) => ({
    sha256: String(data['sha256']).toUpperCase(),
  })),
  short_file: bytes('the descriptor ends in the middle of the declared bytes.', async function* () {
    yield FILE_BYTES.subarray(0, CHUNK);
  }),
  endless_file: bytes('the descriptor never comes to an end.', async function* () {
    const chunk = Buffer.alloc(CHUNK, 'x');
    for (;;) {
      yield chunk;
      // Other work goes on between two chunks.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }),
  stalled_descriptor: bytes('the descriptor falls silent after 16 KiB and stays open.', async function* () {
    yield FILE_BYTES.subarray(0, CHUNK);
    await new Promise<never>(() => {});
  }),
  failing_descriptor: bytes('reading the descriptor fails after 16 KiB.', async function* () {
    yield FILE_BYTES.subarray(0, CHUNK);
    throw new Error('EIO (I/O error)');
  }),
  no_descriptor: {
    clause: '4.5',
    what: 'a file result comes without a descriptor.',
    kind: 'file',
    tool: () => ({ rewrite: ({ outcome }) => withoutKey(outcome, 'result_fd') }),
  },
  file_breaks_schema: {
    clause: '4.5',
    what: 'the file is whole and does not match output_schema.',
    kind: 'file',
    tool: () => ({
      run: () => ({ kind: 'file', bytes: Buffer.from('{"ok":"yes"}'), mediaType: 'application/json' }),
    }),
  },
  file_not_negotiated: {
    clause: '2.3',
    what: 'a file result comes although large_results was not negotiated.',
    kind: 'file',
    tool: () => ({ breaks: ['capability'] }),
  },
  inline_too_large: {
    clause: '4.5',
    what: 'a result above max_inline_result_bytes comes inline.',
    kind: 'read',
    tool: () => ({
      breaks: ['inline-limit'],
      // Above the limit, and still within what one Binder reply holds.
      run: () => ({ kind: 'value', value: { ok: true, pad: 'x'.repeat(280_000) } }),
    }),
  },
} satisfies Record<string, Deviation>;

function facts(what: string, change: (data: JsonObject) => JsonObject): Deviation {
  return file(what, (outcome) => withData(outcome, (data) => ({ ...data, ...change(data) })));
}

function bytes(what: string, read: Extract<DeviceObject, { t: 'fd' }>['read']): Deviation {
  return file(what, (outcome) =>
    withObject(outcome, 'result_fd', (object) => (object.t === 'fd' ? { ...object, read } : object)),
  );
}

/** Only an answer that carries a file is touched: an error stays an error. */
function file(what: string, change: (outcome: BinderOutcome) => BinderOutcome): Deviation {
  return {
    clause: '4.5',
    what,
    kind: 'file',
    tool: () => ({ rewrite: ({ outcome }) => (dataOf(outcome)?.['kind'] === 'file' ? change(outcome) : outcome) }),
  };
}
