import { parentPort } from 'node:worker_threads';
import { checkFile } from './check-file.ts';
import { checkValue } from './check-value.ts';
import { SchemaCompiler } from './compile.ts';
import { generate, makeExample } from './example.ts';
import type { Job, JobAnswer, JobMessage, WorkerMessage } from './worker-messages.ts';

/**
 * Runs in a worker thread: compiles schemas that a Provider wrote and checks
 * values against them. Whatever goes wrong in here costs this thread only.
 */
const port = parentPort;
if (port === null) throw new Error('schema-worker.ts runs in a worker thread');

const compiler = new SchemaCompiler();

function run(job: Job): JobAnswer {
  switch (job.op) {
    case 'validate':
      return {
        op: 'verdict',
        verdict: checkValue(compiler.compile(job.input.schemaText, job.input.dialect), job.input.valueText),
      };
    case 'file':
      return { op: 'file', file: checkFile(compiler, job.input) };
    case 'check': {
      const compiled = compiler.compile(job.schemaText, job.dialect);
      return compiled.ok
        ? { op: 'verdict', verdict: { state: 'valid', issues: [], reason: null } }
        : { op: 'verdict', verdict: { state: 'not-checked', issues: [...compiled.issues], reason: compiled.reason } };
    }
    case 'example':
      return { op: 'example', result: makeExample(compiler.compile(job.schemaText, job.dialect)) };
    case 'generate':
      return { op: 'generate', result: generate(compiler.compile(job.schemaText, job.dialect), job.mode) };
  }
}

port.on('message', ({ id, job }: JobMessage) => {
  const message: WorkerMessage = { id, answer: run(job) };
  port.postMessage(message);
});
port.postMessage({ ready: true } satisfies WorkerMessage);
