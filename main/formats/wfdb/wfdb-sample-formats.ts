// How WFDB packs samples into bytes: one entry a format. Formats reference, section 2.2; the FLAC formats are
// opened in signal-group.ts.

export interface SampleFormat {
  /** Samples are packed in units of so many samples in so many bytes; decoding begins at a unit's border. */
  readonly unitSamples: number;
  readonly unitBytes: number;
  /** The code that marks an invalid sample; absent where the format has none. */
  readonly invalidCode?: number;
  /** Stored values are differences from the sample before. */
  readonly isDifferences?: boolean;
  /** Number of samples in so many bytes, a shortened last unit included. */
  samplesIn(bytes: number): number;
  /** Decodes `count` stored codes from the beginning of `bytes`; missing bytes read as 0. */
  decode(bytes: Uint8Array, count: number, target: Int32Array): void;
}

const at = (bytes: Uint8Array, index: number): number => bytes[index] ?? 0;
const signed = (value: number, bits: number): number => (value << (32 - bits)) >> (32 - bits);

/** One sample in `unitBytes` bytes. */
function wholeBytes(
  unitBytes: number,
  invalidCode: number | undefined,
  decodeOne: (bytes: Uint8Array, start: number) => number,
): SampleFormat {
  return {
    unitSamples: 1,
    unitBytes,
    ...(invalidCode !== undefined && { invalidCode }),
    samplesIn: (bytes) => Math.floor(bytes / unitBytes),
    decode(bytes, count, target) {
      for (let i = 0; i < count; i++) target[i] = decodeOne(bytes, i * unitBytes);
    },
  };
}

const FORMAT_16: SampleFormat = {
  ...wholeBytes(2, -32768, () => 0),
  decode(bytes, count, target) {
    // The common format gets a loop of its own: no call and no default a sample.
    const whole = Math.min(count, bytes.length >> 1);
    for (let i = 0; i < whole; i++)
      target[i] = (((bytes[2 * i + 1] as number) << 24) >> 16) | (bytes[2 * i] as number);
    if (whole < count) target.fill(0, whole, count);
  },
};

const FORMAT_212: SampleFormat = {
  unitSamples: 2,
  unitBytes: 3,
  invalidCode: -2048,
  samplesIn: (bytes) => 2 * Math.floor(bytes / 3) + (bytes % 3 === 2 ? 1 : 0),
  decode(bytes, count, target) {
    const pairs = Math.min(count >> 1, Math.floor(bytes.length / 3));
    for (let pair = 0, from = 0; pair < pairs; pair++, from += 3) {
      const middle = bytes[from + 1] as number;
      target[2 * pair] = ((middle << 28) >> 20) | (bytes[from] as number);
      target[2 * pair + 1] = (((middle & 0xf0) << 24) >> 20) | (bytes[from + 2] as number);
    }
    for (let i = 2 * pairs; i < count; i++) {
      const unit = 3 * (i >> 1);
      const middle = at(bytes, unit + 1);
      target[i] =
        (i & 1) === 0
          ? ((middle << 28) >> 20) | at(bytes, unit)
          : (((middle & 0xf0) << 24) >> 20) | at(bytes, unit + 2);
    }
  },
};

const word16 = (bytes: Uint8Array, start: number): number => at(bytes, start) | (at(bytes, start + 1) << 8);

/** Three ten-bit samples in four bytes, in the two arrangements that exist. */
function tenBits(
  samplesInRest: (restBytes: number) => number,
  decodeOne: (bytes: Uint8Array, unit: number, index: number) => number,
) {
  return {
    unitSamples: 3,
    unitBytes: 4,
    invalidCode: -512,
    samplesIn: (bytes: number) => 3 * Math.floor(bytes / 4) + samplesInRest(bytes % 4),
    decode(bytes: Uint8Array, count: number, target: Int32Array) {
      for (let i = 0; i < count; i++) target[i] = decodeOne(bytes, 4 * Math.floor(i / 3), i % 3);
    },
  };
}

const FORMAT_310: SampleFormat = tenBits(
  (rest) => rest >> 1,
  (bytes, unit, index) => {
    const [low, high] = [word16(bytes, unit), word16(bytes, unit + 2)];
    if (index === 2) return signed((low >> 11) | ((high >> 11) << 5), 10);
    return signed((index === 0 ? low : high) >> 1, 10);
  },
);

const FORMAT_311: SampleFormat = tenBits(
  (rest) => Math.max(0, rest - 1),
  (bytes, unit, index) => signed((word16(bytes, unit) | (word16(bytes, unit + 2) << 16)) >> (10 * index), 10),
);

const word32 = (bytes: Uint8Array, start: number): number =>
  word16(bytes, start) | (word16(bytes, start + 2) << 16);

export const SAMPLE_FORMATS: Readonly<Record<number, SampleFormat>> = {
  8: { ...wholeBytes(1, undefined, (bytes, start) => signed(at(bytes, start), 8)), isDifferences: true },
  16: FORMAT_16,
  24: wholeBytes(3, -8388608, (bytes, start) =>
    signed(word16(bytes, start) | (at(bytes, start + 2) << 16), 24),
  ),
  32: wholeBytes(4, -2147483648, word32),
  61: wholeBytes(2, -32768, (bytes, start) => signed((at(bytes, start) << 8) | at(bytes, start + 1), 16)),
  80: wholeBytes(1, -128, (bytes, start) => at(bytes, start) - 128),
  160: wholeBytes(2, -32768, (bytes, start) => word16(bytes, start) - 32768),
  212: FORMAT_212,
  310: FORMAT_310,
  311: FORMAT_311,
};

/** Bits a sample of the formats whose signal file is a FLAC stream. */
export const FLAC_FORMAT_BITS: Readonly<Record<number, number>> = { 508: 8, 516: 16, 524: 24 };
