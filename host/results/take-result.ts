import { type Problem, ProblemError, problem, toProblem } from '../../shared/model/problem.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { HandleStream } from '../bridge/companion/handle-stream.ts';
import { type FileOnDisk, type ReceiveOptions, receiveFile } from './receive-file.ts';
import { type Declared, type FileVerdict, type VerifyOptions, verifyFile } from './verify-file.ts';

/** A descriptor that could not be opened brought nothing: then there is no file, and `problem` says why. */
export type TakenResult =
  | { readonly kind: 'file'; readonly file: FileOnDisk; readonly verdict: FileVerdict }
  | { readonly kind: 'unopened'; readonly problem: Problem };

/**
 * The whole way of a file result (v2 4.5), for the answer of `execute_tool` and of `get_operation` alike: opens the
 * handle, writes the file, judges it. The caller must not release the handle before; it is consumed or released here.
 * `onWhole` runs between the last byte and the judgement.
 */
export async function takeResult(
  bridge: Bridge,
  handle: string,
  declared: Declared,
  receive: ReceiveOptions,
  verify: VerifyOptions,
  onWhole: (file: FileOnDisk) => void = () => {},
): Promise<TakenResult> {
  let source: HandleStream;
  const ended = () => {
    const reason: unknown = receive.signal?.reason;
    return reason instanceof ProblemError ? reason.problem : problem('result-file-cancelled', { bytes: 0 });
  };
  try {
    if (receive.signal?.aborted) throw new ProblemError(ended());
    source = await bridge.readHandle(handle, receive.signal);
  } catch (error) {
    await bridge.release([handle]).catch(() => {});
    return { kind: 'unopened', problem: receive.signal?.aborted ? ended() : toProblem(error) };
  }
  const file = await receiveFile(source, { ...receive, declaredBytes: declaredBytes(declared) });
  if (file.stopped === null) onWhole(file);
  return { kind: 'file', file, verdict: await verifyFile(file, declared, verify) };
}

/** Null where the declared size is no number of bytes. */
function declaredBytes({ sizeBytes }: Declared): number | null {
  return sizeBytes !== null && /^\d{1,15}$/.test(sizeBytes) ? Number(sizeBytes) : null;
}
