import { constants, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { xxh64Low } from '../../../main/signal/compressed-delta/xxh64.ts';

test.each([
  ['', 0x51d8e999],
  ['a', 0xa98c6e5b],
  ['abc', 0xad770999],
])('of "%s" it is what the specification says', (text, hash) => {
  expect(xxh64Low(new TextEncoder().encode(text))).toBe(hash);
});

test('of any bytes it is the checksum that Zstandard itself writes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const frame = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
      expect(xxh64Low(bytes)).toBe(frame.readUInt32LE(frame.length - 4));
    }),
    { numRuns: 500 },
  );
});
