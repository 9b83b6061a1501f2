import { readFile } from 'node:fs/promises';
import { type Json, parseJson, printJson } from '../../shared/base/json.ts';
import type { CallOutcome, SchemaVerdict } from '../../shared/model/call.ts';
import type { Finding } from '../../shared/model/finding.ts';
import type { ReceivedFile } from './receive-file.ts';

/** The largest file whose text is parsed and checked against `output_schema`, in bytes. */
export const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

/** What the Provider said of the file; null where it said nothing usable. */
export type Declared = NonNullable<Extract<CallOutcome, { kind: 'success' }>['file']>;

export interface FileVerdict {
  /**
   * The whole stream came, its size and SHA-256 are those declared, and no fault of its JSON was found. Whether the JSON
   * and the schema were checked at all is told by `outputVerdict`.
   */
  readonly verified: boolean;
  readonly findings: readonly Finding[];
  readonly outputVerdict: SchemaVerdict;
}

export interface VerifyOptions {
  readonly outputSchema: Json | null;
  readonly dialect: string | null;
  readonly validate: (input: {
    readonly schemaText: string;
    readonly dialect: string | null;
    readonly valueText: string;
  }) => Promise<SchemaVerdict>;
}

/** Our verdict on what came beside what the Provider declared of it (v2 4.5). Reads the file only where it is whole and small. */
export async function verifyFile(file: ReceivedFile, declared: Declared, options: VerifyOptions): Promise<FileVerdict> {
  const findings: Finding[] = [];
  const add = (rule: string, where: string | null, params: Finding['params'], severity: Finding['severity'] = 'must') =>
    findings.push({ rule, clause: 'v2 4.5', severity, params, where });
  if (file.stopped !== null) {
    // A part has no size or digest to compare with those of the whole; its own numbers are told instead.
    add('file-not-whole', 'result_fd', { code: file.stopped.code, bytes: file.bytes }, 'advice');
    return { verified: false, findings, outputVerdict: notChecked('file-not-whole') };
  }
  const sizeFits = declared.sizeBytes !== null && Number(declared.sizeBytes) === file.bytes;
  // Another letter case is the codec's finding, not another content.
  const digestFits = declared.sha256?.toLowerCase() === file.sha256;
  if (declared.sizeBytes !== null && !sizeFits) {
    add('file-bytes-differ', '/size_bytes', { declared: declared.sizeBytes.slice(0, 80), actual: file.bytes });
  }
  if (declared.sha256 !== null && !digestFits) {
    add('file-digest-differs', '/sha256', { declared: declared.sha256.slice(0, 80), actual: file.sha256 });
  }
  const { outputVerdict, fault } = await content(file, declared, options);
  if (fault !== null) add('file-not-json', 'result_fd', { reason: fault });
  return { verified: sizeFits && digestFits && fault === null, findings, outputVerdict };
}

async function content(
  file: ReceivedFile,
  declared: Declared,
  { outputSchema, dialect, validate }: VerifyOptions,
): Promise<{ outputVerdict: SchemaVerdict; fault: string | null }> {
  const unchecked = (reason: string, fault: string | null = null) => ({ outputVerdict: notChecked(reason), fault });
  if (!/^application\/json\s*(;|$)/i.test(declared.mediaType ?? '')) return unchecked('file-not-json-type');
  if (file.bytes > MAX_CHECKED_BYTES) return unchecked('file-too-large');
  let valueText: string;
  try {
    valueText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file.path));
  } catch (error) {
    if (error instanceof TypeError) return unchecked('file-not-json', 'not UTF-8');
    throw error;
  }
  const parsed = parseJson(valueText, { maxLength: MAX_CHECKED_BYTES, maxDepth: 200 });
  if (!parsed.ok) {
    if (parsed.error.code !== 'syntax') return unchecked('value-too-deep');
    return unchecked('file-not-json', parsed.error.message.slice(0, 300));
  }
  if (outputSchema === null) return unchecked('no-schema');
  return {
    outputVerdict: await validate({ schemaText: printJson(outputSchema), dialect, valueText }),
    fault: null,
  };
}

function notChecked(reason: string): SchemaVerdict {
  return { state: 'not-checked', issues: [], reason };
}
