import { type Problem, ProblemError } from '../../shared/model/problem.ts';
import type { DeviceIo } from '../adb/device-io.ts';
import { rangedSource } from './apk/byte-source.ts';
import { ApkFault, apkProblem } from './apk/fault.ts';
import { type ApkFacts, readApk } from './apk/read-apk.ts';

/** An APK on the device. A package that is replaced gets a new path or another version or size. */
export interface ApkLocation {
  readonly path: string;
  /** Null where it is not known. */
  readonly versionCode: string | null;
}

/** Facts of APKs already read, by path, version and size: only a changed file is read again. */
export interface ApkCache {
  read(io: DeviceIo, apk: ApkLocation, signal: AbortSignal): Promise<ApkFacts>;
  clear(): void;
}

const MAX_READ_BYTES = 64 * 1024 * 1024;
const MAX_CACHED = 500;

/** A failing read is a `ProblemError`: `apk-unreadable`, or what the device answered. */
export function createApkCache(): ApkCache {
  const known = new Map<string, ApkFacts | Problem>();
  return {
    async read(io, apk, signal) {
      const size = await io.fileSize(apk.path, signal);
      const key = JSON.stringify([io.deviceKey, apk.path, apk.versionCode, size, io.sdk]);
      const cached = known.get(key);
      if (cached !== undefined) {
        if ('code' in cached) throw new ProblemError(cached);
        return cached;
      }
      const source = rangedSource(size, (at, length) => io.readRange(apk.path, at, length, signal), MAX_READ_BYTES);
      let facts: ApkFacts | Problem;
      try {
        facts = await readApk(source, io.sdk);
      } catch (error) {
        if (!(error instanceof ApkFault)) throw error;
        facts = apkProblem(error, apk.path);
        // A file cut short may be one that is being replaced right now: look again next time.
        if (error.code === 'truncated') throw new ProblemError(facts, { cause: error });
      }
      if (known.size >= MAX_CACHED) known.clear();
      known.set(key, facts);
      if ('code' in facts) throw new ProblemError(facts);
      return facts;
    },
    clear: () => known.clear(),
  };
}
