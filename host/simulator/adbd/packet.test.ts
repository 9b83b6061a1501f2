import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMAND, checksum, encodePacket, MAX_PAYLOAD, type Packet, PacketError, PacketReader } from './packet.ts';

const packets = fc.array(
  fc.record({
    command: fc.constantFrom(...Object.values(COMMAND)),
    arg0: fc.nat(0xffffffff),
    arg1: fc.nat(0xffffffff),
    payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 6 },
);

test('packets survive any cutting of the stream', () => {
  fc.assert(
    fc.property(
      packets,
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1 }),
      fc.boolean(),
      (list, cuts, sums) => {
        const stream = Buffer.concat(list.flatMap((packet) => encodePacket(packet, sums)));
        const reader = new PacketReader();
        reader.verifyChecksum = sums;
        const read: Packet[] = [];
        for (let at = 0, cut = 0; at < stream.length; cut++) {
          const size = cuts[cut % cuts.length] ?? 1;
          read.push(...reader.push(stream.subarray(at, at + size)));
          at += size;
        }
        expect(read.map((packet) => ({ ...packet, payload: Buffer.from(packet.payload) }))).toEqual(list);
      },
    ),
  );
});

test('the header is laid out as adb wants it', () => {
  const [header] = encodePacket(
    { command: COMMAND.OPEN, arg0: 1, arg1: 0x80000000, payload: Buffer.from([200, 100]) },
    true,
  );
  expect(header.toString('hex')).toBe('4f50454e' + '01000000' + '00000080' + '02000000' + '2c010000' + 'b0afbab1');
});

test('the checksum is the sum of the bytes, also of the largest payload', () => {
  expect(checksum(Buffer.alloc(MAX_PAYLOAD, 255))).toBe(255 * MAX_PAYLOAD);
});

test('what is no packet is refused before it is stored', () => {
  const packet = { command: COMMAND.WRTE, arg0: 1, arg1: 2, payload: Buffer.from('abc') };
  const wrongMagic = Buffer.concat(encodePacket(packet, true));
  wrongMagic[20] = 0;
  expect(() => new PacketReader().push(wrongMagic)).toThrow(PacketError);
  const wrongSum = Buffer.concat(encodePacket(packet, false));
  expect(() => new PacketReader().push(wrongSum)).toThrow('wrong checksum');
  const huge = Buffer.concat(encodePacket(packet, true));
  huge.writeUInt32LE(MAX_PAYLOAD + 1, 12);
  expect(() => new PacketReader().push(huge.subarray(0, 24))).toThrow('payload of 1048577 bytes');
});
