import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toProblem } from '../../shared/model/problem.ts';
import { planRange } from './range-plan.ts';
import { encodeShellPacket, ShellPacketReader } from './shell-packets.ts';
import { quoteShellCommand, quoteShellWord } from './shell-quote.ts';

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom("'", '"', '\\', '$', '`', '\n', ' ', '!', '*', '~', '#', ';', '&', '|', '=', 'a'),
    maxLength: 30,
  }),
);

describe('quoting', () => {
  it('gives the real sh exactly the words that went in', () => {
    const words = fc.array(
      word.filter((text) => !text.includes('\0') && text.isWellFormed()),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(words, (args) => {
        const command = quoteShellCommand(['printf', '%s\\0', ...args]);
        const out = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
        expect(out.split('\0').slice(0, -1)).toEqual(args);
      }),
      { numRuns: 150 },
    );
  });

  it('does not take a command for an assignment', () => {
    expect(() => execFileSync('sh', ['-c', quoteShellCommand(['A=b'])], { stdio: 'pipe' })).toThrow(/not found/);
  });

  it('refuses NUL', () => {
    let caught: unknown;
    try {
      quoteShellWord('a\0b');
    } catch (error) {
      caught = error;
    }
    expect(toProblem(caught).code).toBe('shell-argument-nul');
  });
});

describe('shell packets', () => {
  const packets = fc.array(fc.record({ id: fc.nat(5), data: fc.uint8Array({ maxLength: 300 }) }), { maxLength: 20 });

  it('are the same however the stream is cut', () => {
    fc.assert(
      fc.property(
        packets,
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 }),
        (sent, cuts) => {
          const wire = Buffer.concat(sent.map((packet) => encodeShellPacket(packet.id, packet.data)));
          const reader = new ShellPacketReader();
          const got: { id: number; data: number[] }[] = [];
          for (let at = 0, turn = 0; at < wire.length; turn++) {
            const size = cuts[turn % cuts.length] ?? 1;
            for (const packet of reader.push(wire.subarray(at, at + size)))
              got.push({ id: packet.id, data: [...packet.data] });
            at += size;
          }
          expect(got).toEqual(sent.map((packet) => ({ id: packet.id, data: [...packet.data] })));
          expect(reader.pending).toBe(false);
        },
      ),
    );
  });

  it('refuse a length that no device sends', () => {
    expect(() => new ShellPacketReader().push(Buffer.from([1, 255, 255, 255, 127]))).toThrow(/shell-protocol/);
  });
});

describe('planRange', () => {
  it('covers the range and reads little more', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), fc.integer({ min: 1, max: 64 * 1024 * 1024 }), (offset, length) => {
        const plan = planRange(offset, length);
        const start = plan.skip * plan.blockSize;
        const end = start + plan.count * plan.blockSize;
        expect(start + plan.lead).toBe(offset);
        expect(end).toBeGreaterThanOrEqual(offset + length);
        expect(end - start - length).toBeLessThanOrEqual(Math.max(1024, length / 2));
      }),
    );
  });
});
