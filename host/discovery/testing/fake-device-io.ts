import { Duplex } from 'node:stream';
import { ProblemError, problem } from '../../../shared/model/problem.ts';
import type { DeviceIo, ShellResult } from '../../adb/device-io.ts';

/** A device made of files and command outputs, for what no virtual device would print. */
export interface FakeDevice {
  readonly io: DeviceIo;
  readonly files: Map<string, Uint8Array>;
  /** Stdout by a part of the command line; the first that fits. No match: exit code 127. */
  readonly outputs: Map<string, string>;
  /** Command lines and `read PATH` in their order. */
  readonly log: string[];
}

export function createFakeDevice(sdk: number | null): FakeDevice {
  const files = new Map<string, Uint8Array>();
  const outputs = new Map<string, string>();
  const log: string[] = [];

  function file(path: string): Uint8Array {
    const bytes = files.get(path);
    if (bytes === undefined) throw new ProblemError(problem('file-not-found', { path }));
    return bytes;
  }
  const answer = (stdout: string, exitCode = 0): ShellResult => ({ stdout, stderr: '', exitCode });
  const io: DeviceIo = {
    deviceKey: 'fake/1',
    sdk,
    async shell(args, options) {
      options?.signal?.throwIfAborted();
      const line = args.join(' ');
      log.push(line);
      for (const [part, output] of outputs) if (line.includes(part)) return answer(output);
      return { stdout: '', stderr: `sh: ${line}: not found`, exitCode: 127 };
    },
    async readRange(path, offset, length) {
      log.push(`read ${path}`);
      return file(path).subarray(offset, offset + length);
    },
    async fileSize(path) {
      return file(path).length;
    },
    async shellStream() {
      return new Duplex();
    },
    async push() {},
    async openLocalAbstract() {
      return new Duplex();
    },
  };
  return { io, files, outputs, log };
}

export interface ListedService {
  readonly package: string;
  readonly name: string;
  readonly sourceDir: string;
  readonly versionCode?: number;
  readonly splitSourceDirs?: readonly string[];
}

/** The text of `cmd package query-services` for these Services. */
export function servicesText(services: readonly ListedService[]): string {
  if (services.length === 0) return 'No services found\n';
  const blocks = services.map(
    (service, index) => `  Service #${index}:
    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false
    ServiceInfo:
      name=${service.name}
      packageName=${service.package}
      enabled=true exported=true directBootAware=false
      permission=null
      flags=0x0
      ApplicationInfo:
        packageName=${service.package}
        processName=${service.package}
        uid=10077 flags=0x0 privateFlags=0x0 theme=0x0
        sourceDir=${service.sourceDir}
        splitSourceDirs=[${(service.splitSourceDirs ?? []).join(', ')}]
        enabled=true minSdkVersion=26 targetSdkVersion=34 versionCode=${service.versionCode ?? 42} targetSandboxVersion=1
`,
  );
  return `${services.length} services found:\n${blocks.join('')}`;
}
