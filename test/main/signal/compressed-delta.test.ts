import { isDeepStrictEqual } from 'node:util';
import { constants, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FILE_LEVELS, nativeCompressors } from '../../../main/formats/compressed-delta/compression.ts';
import { decompressBlock } from '../../../main/signal/compressed-delta/block.ts';
import {
  type BitsPerSample,
  CODINGS,
  COMPRESSIONS,
  type Coding,
  type Compression,
  HEADER_BYTES,
  parseDeltaHeader,
} from '../../../main/signal/compressed-delta/header.ts';
import { decodeCompressedDelta } from '../../../main/signal/compressed-delta/read-frame.ts';
import {
  DeltaRangeError,
  encodeCompressedDelta,
  encodeSmallest,
  type FrameSource,
} from '../../../main/signal/compressed-delta/write-frame.ts';
import { frameChannels } from '../../support/make-frames.ts';

const FORTY_EIGHT = [
  [100, 102, 99, -5],
  [-1, 0, 1, -300],
];
const WIDE = [
  [1, -1, 4_000_000, -4_000_000],
  [0, 1000, -1000, 5],
];
const RAMP = [Array.from({ length: 64 }, (_, i) => 3 * i - 50)];

interface Vector {
  readonly channels: readonly (readonly number[])[];
  readonly sampleRateHz: number;
  readonly bits: BitsPerSample;
  readonly coding: Coding;
  readonly compression?: Compression;
  readonly hex: string;
}

/** The worked examples of the central service's page, section 6. */
const VECTORS: Readonly<Record<string, Vector>> = {
  V1: {
    channels: FORTY_EIGHT,
    sampleRateHz: 500,
    bits: 16,
    coding: 'twosComplement',
    hex: '634d6454100000000000000002040000000000000000407f40100000640066006300fbffffff00000100d4fe',
  },
  V2: {
    channels: FORTY_EIGHT,
    sampleRateHz: 500,
    bits: 16,
    coding: 'delta',
    hex: '634d6454100000000000000002040000000000000000407f40100100c80004000500cf000100020002005902',
  },
  V3: {
    channels: FORTY_EIGHT,
    sampleRateHz: 500,
    bits: 16,
    coding: 'doubleDelta',
    hex: '634d6454100000000000000002040000000000000000407f40100200c800c3000900c9000100040000005b02',
  },
  V4: {
    channels: WIDE,
    sampleRateHz: 250,
    bits: 24,
    coding: 'twosComplement',
    hex: '634d6454180000000000000002040000000000000000406f40180000010000ffffff00093d00f7c2000000e8030018fcff050000',
  },
  V5: {
    channels: WIDE,
    sampleRateHz: 250,
    bits: 24,
    coding: 'delta',
    hex: '634d6454180000000000000002040000000000000000406f4018010002000003000002127aff23f4000000d007009f0f00da0700',
  },
  V6: {
    channels: [[-128, -127, 0, 1]],
    sampleRateHz: 125,
    bits: 8,
    coding: 'delta',
    hex: '634d6454040000000000000001040000000000000000405f40080100ff02fe02',
  },
  V7: {
    channels: RAMP,
    sampleRateHz: 500,
    bits: 16,
    coding: 'doubleDelta',
    compression: 'zlib',
    hex: '634d64540e0000000000000001400000000000000000407f4010020278da4b66c86218480000662c00ce',
  },
  V8: {
    channels: RAMP,
    sampleRateHz: 500,
    bits: 16,
    coding: 'doubleDelta',
    compression: 'zstd',
    hex: '634d6454130000000000000001400000000000000000407f4010020128b52ffd00585500002063006a000100390544',
  },
  W1: {
    channels: [[32767, -32768, 0, 1]],
    sampleRateHz: 500,
    bits: 16,
    coding: 'delta',
    hex: '634d6454080000000000000001040000000000000000407f40100100feff0200ffff0200',
  },
  W2: {
    channels: [[32767, -32768, 0, 1]],
    sampleRateHz: 500,
    bits: 16,
    coding: 'doubleDelta',
    hex: '634d6454080000000000000001040000000000000000407f40100200fefffbfffefffdff',
  },
  W3: {
    channels: [[-2147483648, 2147483647, 0]],
    sampleRateHz: 1000,
    bits: 32,
    coding: 'doubleDelta',
    hex: '634d64540c0000000000000001030000000000000000408f40200200fffffffffefffffffbffffff',
  },
  W4: {
    channels: [
      [1, -1, 8388607, -8388608],
      [0, 1000, -1000, 5],
    ],
    sampleRateHz: 250,
    bits: 24,
    coding: 'doubleDelta',
    hex: '634d6454180000000000000002040000000000000000406f40180200020000050000fbfffffdffff000000d007006f17007a1700',
  },
};

const fromHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const sourceOf = ({
  channels,
  sampleRateHz,
  bits,
}: Pick<Vector, 'channels' | 'sampleRateHz' | 'bits'>): FrameSource => ({
  channels: channels.map((channel) => Int32Array.from(channel)),
  sampleRateHz,
  bitsPerSample: bits,
});
const COMPRESSORS = nativeCompressors();

/** The coded bytes of a frame, before compression. */
function codedOf(frame: Uint8Array): Uint8Array {
  const parsed = parseDeltaHeader(frame.subarray(0, HEADER_BYTES), frame.length);
  if (!parsed.ok) throw new Error(parsed.message);
  return decompressBlock(parsed.header, frame.subarray(HEADER_BYTES))!.coded;
}

describe.each(Object.entries(VECTORS))('worked example %s', (_, vector) => {
  test('is decoded', () => {
    const decoded = decodeCompressedDelta(fromHex(vector.hex));
    if (!decoded.ok) throw new Error(decoded.message);
    expect(decoded.frame.channels.map((channel) => [...channel])).toEqual(vector.channels);
    expect(decoded.frame.header).toMatchObject({
      sampleRateHz: vector.sampleRateHz,
      bitsPerSample: vector.bits,
      coding: vector.coding,
    });
    expect(decoded.frame.compression).toBe(vector.compression ?? 'none');
    expect(decoded.frame.isNumberOdd).toBe(false);
  });

  test('is encoded to the same bytes, or, compressed, to the same bytes before compression', () => {
    const { coding, compression = 'none', hex } = vector;
    const frame = encodeCompressedDelta(
      sourceOf(vector),
      { coding, compression, mayWrap: true },
      COMPRESSORS,
    );
    if (compression === 'none') expect(toHex(frame)).toBe(hex);
    else expect(toHex(codedOf(frame))).toBe(toHex(codedOf(fromHex(hex))));
  });
});

const V1 = fromHex(VECTORS.V1!.hex);
const changed = (bytes: Uint8Array, at: number, ...values: number[]): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy.set(values, at);
  return copy;
};
const longer = (bytes: Uint8Array): Uint8Array =>
  changed(Uint8Array.from([...bytes, 0]), 4, (bytes[4] as number) + 1);

describe('frames that must be refused', () => {
  const v7 = fromHex(VECTORS.V7!.hex);
  test.each([
    ['one byte less', V1.subarray(0, -1)],
    ['one byte more', Uint8Array.from([...V1, 0])],
    ['no channels', changed(V1, 12, 0)],
    ['no samples', changed(V1, 13, 0, 0, 0, 0)],
    ['12 bits', changed(V1, 25, 12)],
    ['coding 3', changed(V1, 26, 3)],
    ['a rate that is no number', changed(V1, 17, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f)],
    ['a byte behind the zlib stream', longer(v7)],
    ['a byte behind the Zstandard frame', longer(fromHex(VECTORS.V8!.hex))],
    ['a wrong zlib checksum', changed(v7, v7.length - 1, 0)],
    ['four thousand million samples', changed(V1, 13, 255, 255, 255, 255)],
    ['another mark', changed(V1, 0, 0)],
    ['only a header', V1.subarray(0, 20)],
  ])('%s', (_, frame) => {
    expect(decodeCompressedDelta(frame)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^It.*\.$/),
    });
  });
});

test('the number of the compression may be another: what the bytes are decides, and it is noted', () => {
  const decoded = decodeCompressedDelta(changed(fromHex(VECTORS.V7!.hex), 27, 9));
  expect(decoded).toMatchObject({ ok: true, frame: { compression: 'zlib', isNumberOdd: true } });
});

const anyFrame = fc
  .record({
    bits: fc.constantFrom<BitsPerSample>(8, 16, 24, 32),
    channels: fc.integer({ min: 1, max: 5 }),
    samples: fc.integer({ min: 1, max: 300 }),
    seed: fc.integer(),
    isExtreme: fc.boolean(),
  })
  .map(({ bits, channels, samples, seed, isExtreme }) => {
    let state = seed | 1;
    const next = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      return state;
    };
    const shift = 32 - bits;
    const value = (i: number): number =>
      isExtreme && (next() & 3) === 0
        ? i & 1
          ? -(2 ** (bits - 1))
          : 2 ** (bits - 1) - 1
        : (next() >> shift) >> (isExtreme ? 0 : 2);
    return {
      channels: Array.from({ length: channels }, () =>
        Int32Array.from({ length: samples }, (_, i) => value(i)),
      ),
      sampleRateHz: 500,
      bitsPerSample: bits,
    };
  });

describe('a frame with a Zstandard checksum', () => {
  const compressors = {
    ...COMPRESSORS,
    zstd: (coded: Uint8Array) => zstdCompressSync(coded, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
  };

  test('comes back as it was', () => {
    fc.assert(
      fc.property(anyFrame, (source) => {
        const frame = encodeCompressedDelta(source, { coding: 'delta', compression: 'zstd' }, compressors);
        const decoded = decodeCompressedDelta(frame);
        if (!decoded.ok) throw new Error(decoded.message);
        expect(decoded.frame.channels).toEqual(source.channels);
      }),
      { numRuns: 50 },
    );
  });

  test('never yields other samples when one of its bits is flipped', () => {
    const source = { channels: frameChannels({ leads: 2 }), sampleRateHz: 500, bitsPerSample: 16 } as const;
    const frame = encodeCompressedDelta(source, { coding: 'delta', compression: 'zstd' }, compressors);
    const accepted: string[] = [];
    for (let at = HEADER_BYTES; at < frame.length; at++)
      for (let bit = 0; bit < 8; bit++) {
        const decoded = decodeCompressedDelta(changed(frame, at, (frame[at] as number) ^ (1 << bit)));
        if (decoded.ok && !isDeepStrictEqual(decoded.frame.channels, source.channels))
          accepted.push(`bit ${bit} of byte ${at}`);
      }
    expect(accepted).toEqual([]);
  });
});

describe('any frame', () => {
  test('comes back as it was, in every coding and compression, wrapped or not', () => {
    fc.assert(
      fc.property(
        anyFrame,
        fc.constantFrom(...CODINGS),
        fc.constantFrom(...COMPRESSIONS),
        fc.boolean(),
        (source, coding, compression, mayWrap) => {
          const frame = encodeCompressedDelta(source, { coding, compression, mayWrap }, COMPRESSORS);
          const decoded = decodeCompressedDelta(frame);
          if (!decoded.ok) throw new Error(decoded.message);
          expect(decoded.frame.channels).toEqual(source.channels);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('is never larger as "smallest" than with any single choice that does not wrap', () => {
    fc.assert(
      fc.property(anyFrame, (source) => {
        const smallest = encodeSmallest(
          source,
          { codings: CODINGS, compressions: COMPRESSIONS },
          COMPRESSORS,
        ).length;
        for (const coding of CODINGS)
          for (const compression of COMPRESSIONS)
            expect(smallest).toBeLessThanOrEqual(
              encodeCompressedDelta(source, { coding, compression }, COMPRESSORS).length,
            );
      }),
      { numRuns: 100 },
    );
  });

  test('never wraps unless it is told to: the coding is lowered instead', () => {
    const source = sourceOf({ channels: [[32767, -32768, 0, 1]], sampleRateHz: 500, bits: 16 });
    const coding = (frame: Uint8Array): number => frame[26] as number;
    expect(coding(encodeCompressedDelta(source, { coding: 'doubleDelta', compression: 'none' }))).toBe(0);
    const gentle = sourceOf({ channels: [[0, 20_000, -10_000, 5]], sampleRateHz: 500, bits: 16 });
    expect(coding(encodeCompressedDelta(gentle, { coding: 'doubleDelta', compression: 'none' }))).toBe(1);
  });

  test('without a choice is what a microcontroller can make: first differences, not compressed', () => {
    const frame = encodeCompressedDelta(sourceOf({ channels: FORTY_EIGHT, sampleRateHz: 500, bits: 16 }));
    expect(toHex(frame)).toBe(VECTORS.V2!.hex);
  });

  test('takes the numbers of the compressions from its caller', () => {
    const numbers = { none: 7, zstd: 8, zlib: 9 };
    const source = sourceOf({ channels: RAMP, sampleRateHz: 500, bits: 16 });
    expect(
      encodeCompressedDelta(source, { coding: 'delta', compression: 'zlib' }, COMPRESSORS, numbers)[27],
    ).toBe(9);
    expect(
      encodeSmallest(source, { codings: CODINGS, compressions: ['none'] }, COMPRESSORS, numbers)[27],
    ).toBe(7);
    // No difference fits here, so that it falls back to plain samples.
    const jumps = sourceOf({ channels: [[32_767, -32_768, 32_767]], sampleRateHz: 500, bits: 16 });
    const plain = encodeSmallest(jumps, { codings: ['delta'], compressions: ['zlib'] }, COMPRESSORS, numbers);
    expect([...plain.subarray(26, 28)]).toEqual([0, 7]);
  });

  test('of samples outside its width is a fault of the caller', () => {
    const source = sourceOf({ channels: [[40_000]], sampleRateHz: 500, bits: 16 });
    expect(() => encodeCompressedDelta(source)).toThrow(DeltaRangeError);
    expect(() =>
      encodeSmallest(source, { codings: CODINGS, compressions: COMPRESSIONS }, COMPRESSORS),
    ).toThrow(DeltaRangeError);
    expect(() => encodeCompressedDelta({ ...source, channels: [] })).toThrow(DeltaRangeError);
  });
});

test('a bomb is not unpacked: a block may hold no more than the header states', () => {
  const zeros = new Uint8Array(50_000_000);
  for (const [compress, number] of [
    [nativeCompressors(FILE_LEVELS).zstd, 1],
    [nativeCompressors(FILE_LEVELS).zlib, 2],
  ] as const) {
    const block = compress(zeros);
    const frame = new Uint8Array(HEADER_BYTES + block.length);
    frame.set(V1.subarray(0, HEADER_BYTES));
    new DataView(frame.buffer).setUint32(4, block.length, true);
    frame[27] = number;
    frame.set(block, HEADER_BYTES);
    expect(decodeCompressedDelta(frame).ok).toBe(false);
  }
});
