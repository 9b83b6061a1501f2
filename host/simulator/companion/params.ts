import type { Bundle } from '../../../shared/model/bundle.ts';
import { decodeBundle } from './bundle-codec.ts';
import { type Frame, own } from './frames.ts';
import { ProtocolError } from './protocol-error.ts';

const MIN_TIMEOUT_MS = 100;
const MAX_TIMEOUT_MS = 600_000;

/** Typed reading of a request's `params`; every fault is BAD_PARAMS with the name of the parameter. */
export class Params {
  private readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  string(name: string): string {
    const value = own(this.frame, name);
    if (typeof value !== 'string') throw bad(name, 'a string');
    return value;
  }

  optionalString(name: string): string | null {
    return this.absent(name) ? null : this.string(name);
  }

  optionalBoolean(name: string): boolean | null {
    if (this.absent(name)) return null;
    const value = own(this.frame, name);
    if (typeof value !== 'boolean') throw bad(name, 'a boolean');
    return value;
  }

  optionalCount(name: string): number | null {
    if (this.absent(name)) return null;
    const value = own(this.frame, name);
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) throw bad(name, 'a positive integer');
    return value;
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T {
    const value = own(this.frame, name);
    const found = values.find((item) => item === value);
    if (found === undefined) throw bad(name, `one of ${values.join(', ')}`);
    return found;
  }

  strings(name: string): readonly string[] {
    const value = own(this.frame, name);
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw bad(name, 'strings');
    return value;
  }

  id(name: string): number {
    const value = own(this.frame, name);
    if (!isRequestId(value)) throw bad(name, 'a request id');
    return value;
  }

  /** In ms; 100 to 600 000 (section 5). */
  timeoutMs(): number {
    const value = own(this.frame, 'timeoutMs');
    if (typeof value !== 'number' || !Number.isInteger(value) || value < MIN_TIMEOUT_MS || value > MAX_TIMEOUT_MS) {
      throw bad('timeoutMs', `an integer from ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}`);
    }
    return value;
  }

  optionalBundle(name: string): Bundle | null {
    return this.absent(name) ? null : decodeBundle(own(this.frame, name), name);
  }

  raw(name: string): unknown {
    return own(this.frame, name);
  }

  private absent(name: string): boolean {
    const value = own(this.frame, name);
    return value === undefined || value === null;
  }
}

function bad(name: string, wanted: string): ProtocolError {
  return new ProtocolError('BAD_PARAMS', `${name} must be ${wanted}`);
}

export function isRequestId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0);
}
