import { type Problem, problem } from '../../../shared/model/problem.ts';

/** Why an APK (or a part of it) could not be read. The texts are `apkFault.<code>` in `shared/i18n`. */
export type ApkFaultCode =
  | 'not-a-zip'
  | 'zip64'
  | 'no-manifest'
  | 'duplicate-entry'
  | 'entry-encrypted'
  | 'entry-method'
  | 'entry-corrupt'
  | 'entry-too-large'
  | 'manifest-invalid'
  | 'manifest-too-large'
  | 'resources-invalid'
  | 'signing-block-invalid'
  | 'truncated'
  | 'too-much-read';

/** An expected failure while reading an APK; caught where the reading starts. */
export class ApkFault extends Error {
  readonly code: ApkFaultCode;
  readonly detail: string;
  constructor(code: ApkFaultCode, detail: string) {
    super(`${code}: ${detail}`);
    this.name = 'ApkFault';
    this.code = code;
    this.detail = detail;
  }
}

/** The fault as data for the UI: problem `apk-unreadable` with the fault's code, the file and what was seen. */
export function apkProblem(fault: ApkFault, file: string): Problem {
  return problem('apk-unreadable', { file, fault: fault.code }, fault.detail);
}
