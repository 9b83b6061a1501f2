import { spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { DeviceServices } from '../../simulator/virtual-device.ts';
import { encodeShellPacket, ShellPacketId, ShellPacketReader } from '../shell-packets.ts';

export interface ShDeviceOptions {
  readonly serial: string;
  readonly features?: readonly string[];
  /** Answers a service instead of the shell; undefined leaves it to the shell. */
  readonly open?: (service: string) => Duplex | null | undefined;
}

/** A device whose shell is this machine's `sh`, to check quoting, packets and ranges against the real thing. */
export function shDevice(options: ShDeviceOptions): DeviceServices {
  const features = options.features ?? ['shell_v2', 'cmd'];
  return {
    serial: options.serial,
    banner: `device::ro.product.name=sh;ro.product.model=Sh_Device;ro.product.device=sh;features=${features.join(',')}`,
    features,
    open(service) {
      const own = options.open?.(service);
      if (own !== undefined) return own;
      const [kind, command] = split(service);
      if (kind === 'shell,v2,raw') return shellV2(command);
      if (kind === 'exec' || kind === 'shell') return merged(command);
      return null;
    },
  };
}

function split(service: string): readonly [string, string] {
  const colon = service.indexOf(':');
  return [service.slice(0, colon), service.slice(colon + 1)];
}

function merged(command: string): Duplex {
  const child = spawn('sh', ['-c', `{ ${command}\n} 2>&1`]);
  child.stdin.on('error', () => {});
  const stream = joined({
    write: (data) => void child.stdin.write(data),
    end: () => void child.stdin.end(),
    stop: () => void child.kill(),
  });
  child.stdout.on('data', (data: Buffer) => stream.push(data));
  child.stdout.on('end', () => stream.push(null));
  return stream;
}

function shellV2(command: string): Duplex {
  const child = spawn('sh', ['-c', command]);
  const reader = new ShellPacketReader();
  child.stdin.on('error', () => {});
  const stream = joined({
    write(data) {
      for (const packet of reader.push(data)) {
        if (packet.id === ShellPacketId.stdin) child.stdin.write(packet.data);
        else if (packet.id === ShellPacketId.closeStdin) child.stdin.end();
      }
    },
    end: () => void child.stdin.end(),
    stop: () => void child.kill(),
  });
  child.stdout.on('data', (data: Buffer) => stream.push(encodeShellPacket(ShellPacketId.stdout, data)));
  child.stderr.on('data', (data: Buffer) => stream.push(encodeShellPacket(ShellPacketId.stderr, data)));
  child.on('close', (code) => {
    stream.push(encodeShellPacket(ShellPacketId.exit, Buffer.from([code ?? 255])));
    stream.push(null);
  });
  return stream;
}

/** A stream whose two directions end on their own, unlike `Duplex.from`, which drops output when the input closes. */
function joined(on: { write: (data: Buffer) => void; end: () => void; stop: () => void }): Duplex {
  const stream = new Duplex({
    read() {},
    write(data: Buffer, _encoding, done) {
      on.write(data);
      done();
    },
    final(done) {
      on.end();
      done();
    },
  });
  stream.on('close', on.stop);
  stream.on('error', () => {});
  return stream;
}
