import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parseJson } from '../../shared/base/json.ts';
import type { SchemaVerdict } from '../../shared/model/call.ts';
import { checkParsedValue } from './check-value.ts';
import type { SchemaCompiler } from './compile.ts';
import type { FileInput, FileVerdict } from './worker-messages.ts';

/** Reads a JSON file and checks it; runs in a worker of its own, whose memory and time are bounded. */
export function checkFile(compiler: SchemaCompiler, input: FileInput): FileVerdict {
  const bytes = readFileSync(input.path);
  if (!isUtf8(bytes)) return noJson('not UTF-8');
  const parsed = parseJson(bytes.toString('utf8'), { maxLength: bytes.length, maxDepth: 200 });
  if (!parsed.ok) {
    if (parsed.error.code === 'syntax') return noJson(parsed.error.message.slice(0, 300));
    return { isJson: null, fault: null, verdict: notChecked('value-too-deep') };
  }
  const found = { isJson: true, fault: null };
  if (input.schemaText === null) return { ...found, verdict: notChecked('no-schema') };
  const compiled = compiler.compile(input.schemaText, input.dialect);
  return { ...found, verdict: checkParsedValue(compiled, parsed.value.value) };
}

function noJson(fault: string): FileVerdict {
  return { isJson: false, fault, verdict: notChecked('file-not-json') };
}

function notChecked(reason: string): SchemaVerdict {
  return { state: 'not-checked', issues: [], reason };
}
