import { type Json, printJson } from '../../shared/base/json.ts';
import type { Finding } from '../../shared/model/finding.ts';
import type { ReceivedFile, ResultFile } from '../../shared/model/result-file.ts';
import type { SchemaVerdict } from '../../shared/model/schema-verdict.ts';
import type { FileVerdict as ContentVerdict, FileInput } from '../validation/worker-messages.ts';
import type { FileOnDisk } from './receive-file.ts';

/** The largest file whose text is parsed and checked against `output_schema`, in bytes. */
export const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

/** What the Provider said of the file; null where it said nothing usable. */
export type Declared = Omit<ResultFile, 'received'>;

export interface FileVerdict {
  /**
   * The whole stream came, its size and SHA-256 are those declared, and no fault of its JSON was found. Whether the JSON
   * and the schema were checked at all is told by `outputVerdict`.
   */
  readonly verified: boolean;
  readonly checks: ReceivedFile['checks'];
  readonly findings: readonly Finding[];
  readonly outputVerdict: SchemaVerdict;
}

export interface VerifyOptions {
  readonly outputSchema: Json | null;
  readonly dialect: string | null;
  /** The host's schema service: parses and checks in a bounded worker. */
  readonly checkFile: (input: FileInput) => Promise<ContentVerdict>;
}

/** Our verdict on what came beside what the Provider declared of it (v2 4.5). Reads the file only where it is whole and small. */
export async function verifyFile(file: FileOnDisk, declared: Declared, options: VerifyOptions): Promise<FileVerdict> {
  const findings: Finding[] = [];
  const add = (rule: string, where: string | null, params: Finding['params'], severity: Finding['severity'] = 'must') =>
    findings.push({ rule, clause: 'v2 4.5', severity, params, where });
  if (file.stopped?.code === 'result-file-overrun') {
    // That it is longer is known without its end; its digest is not.
    add('file-overrun', '/size_bytes', { declared: declared.sizeBytes?.slice(0, 80) ?? '', bytes: file.bytes });
    const checks = { ...NOTHING_CHECKED, size: 'differs' as const };
    return { verified: false, checks, findings, outputVerdict: notChecked('file-not-whole') };
  }
  if (file.stopped !== null) {
    // A part has no size or digest to compare with those of the whole; its own numbers are told instead.
    add('file-not-whole', 'result_fd', { code: file.stopped.code, bytes: file.bytes }, 'advice');
    return { verified: false, checks: NOTHING_CHECKED, findings, outputVerdict: notChecked('file-not-whole') };
  }
  const size = compare(declared.sizeBytes, (text) => Number(text) === file.bytes);
  // Another letter case is the codec's finding, not another content.
  const digest = compare(declared.sha256, (text) => text.toLowerCase() === file.sha256);
  if (size === 'differs') {
    add('file-bytes-differ', '/size_bytes', { declared: declared.sizeBytes?.slice(0, 80) ?? '', actual: file.bytes });
  }
  if (digest === 'differs') {
    add('file-digest-differs', '/sha256', { declared: declared.sha256?.slice(0, 80) ?? '', actual: file.sha256 });
  }
  const { verdict, isJson, fault } = await content(file, declared, options);
  if (fault !== null) add('file-not-json', 'result_fd', { reason: fault });
  const known = isJson === null ? 'not-checked' : isJson ? 'same' : 'differs';
  const mediaType = declared.mediaType === null ? 'not-declared' : known;
  return {
    verified: size === 'same' && digest === 'same' && fault === null,
    checks: { size, digest, mediaType },
    findings,
    outputVerdict: verdict,
  };
}

/** For a file that is not whole, or not yet. */
export const NOTHING_CHECKED: ReceivedFile['checks'] = {
  size: 'not-checked',
  digest: 'not-checked',
  mediaType: 'not-checked',
};

function compare(declared: string | null, isSame: (declared: string) => boolean): 'same' | 'differs' | 'not-declared' {
  return declared === null ? 'not-declared' : isSame(declared) ? 'same' : 'differs';
}

/** A file of another media type than JSON is not looked into. */
async function content(
  file: FileOnDisk,
  declared: Declared,
  { outputSchema, dialect, checkFile }: VerifyOptions,
): Promise<ContentVerdict> {
  const unchecked = (reason: string) => ({ verdict: notChecked(reason), isJson: null, fault: null });
  if (!/^application\/json\s*(;|$)/i.test(declared.mediaType ?? '')) return unchecked('file-not-json-type');
  if (file.bytes > MAX_CHECKED_BYTES) return unchecked('file-too-large');
  const schemaText = outputSchema === null ? null : printJson(outputSchema);
  return checkFile({ path: file.path, schemaText, dialect });
}

function notChecked(reason: string): SchemaVerdict {
  return { state: 'not-checked', issues: [], reason };
}
