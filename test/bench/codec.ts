// `npm run bench:codec`: what the codings and compressions of Compressed Delta cost and save, record by
// record, whole and in frames of one second, beside `flac -8` and `xz -9`; and whether the figures of the
// formats reference, section 6.2, come out again.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateSync, zstdCompressSync } from 'node:zlib';
import type { Compressors } from '../../main/signal/compressed-delta/block.ts';
import {
  CODINGS,
  COMPRESSION_NUMBERS,
  type Compression,
  HEADER_BYTES,
} from '../../main/signal/compressed-delta/header.ts';
import { decodeCompressedDelta } from '../../main/signal/compressed-delta/read-frame.ts';
import {
  encodeCompressedDelta,
  encodeSmallest,
  type FrameSource,
  fillInvalid,
} from '../../main/signal/compressed-delta/write-frame.ts';
import { type Channel, INVALID_SAMPLE, rateHz, readAllSamples } from '../../shared/signal/recording.ts';
import { dataFolder, recordingFrom, shelfFolder } from '../support/test-data.ts';
import { printMachine } from './harness.ts';

const FLAC_CHANNELS = 8;
const TOLERANCE = 0.02;
const ROUNDS = 5;
/** Short records are coded often enough for the clock. */
const MIN_TIMED_SAMPLES = 1_000_000;
/** Work that takes longer is timed once. */
const LONG_MS = 400;
const MISSING_16 = -32_768;

const zstd = (level: number) => (coded: Uint8Array) =>
  zstdCompressSync(coded, { params: { [constants.ZSTD_c_compressionLevel]: level } });
const zlib9 = (coded: Uint8Array): Uint8Array => deflateSync(coded, { level: 9 });

/** The columns of the reference's tables: a compression and its level. */
const LEVELS: readonly {
  readonly name: string;
  readonly compression: Compression;
  readonly compressors: Compressors;
}[] = [
  { name: 'none', compression: 'none', compressors: { zstd: zstd(3), zlib: zlib9 } },
  { name: 'z9', compression: 'zlib', compressors: { zstd: zstd(3), zlib: zlib9 } },
  { name: 'zs3', compression: 'zstd', compressors: { zstd: zstd(3), zlib: zlib9 } },
  { name: 'zs19', compression: 'zstd', compressors: { zstd: zstd(19), zlib: zlib9 } },
];

interface Row {
  readonly name: string;
  readonly path: string;
  readonly channels?: number;
  /** Bits a sample of the reference, whole file. */
  readonly whole: Readonly<Record<string, number>>;
  /** In frames of one second. */
  readonly frames: Readonly<Record<string, number>>;
}

const columns = (names: readonly string[], values: readonly number[]): Record<string, number> =>
  Object.fromEntries(names.map((name, i) => [name, values[i] as number]));
const WHOLE = [
  'flac',
  'xz interleaved',
  'xz planar',
  'z9/0',
  'z9/1',
  'z9/2',
  'zs3/1',
  'zs3/2',
  'zs19/1',
  'zs19/2',
];
const FRAMES = ['z9/1', 'z9/2', 'zs3/1', 'zs3/2', 'zs19/1', 'zs19/2'];
const row = (
  name: string,
  path: string,
  whole: readonly number[],
  frames: readonly number[],
  channels?: number,
): Row => ({
  name,
  path,
  whole: columns(WHOLE, whole),
  frames: columns(FRAMES, frames),
  ...(channels !== undefined && { channels }),
});

const ROWS: readonly Row[] = [
  row(
    '100',
    'wfdb/100.hea',
    [4.07, 4.78, 4.42, 6.13, 4.84, 5.09, 4.82, 5.01, 4.16, 4.35],
    [6.55, 6.8, 6.71, 7.04, 6.17, 6.45],
  ),
  row(
    's0010_re',
    'wfdb/s0010_re.hea',
    [5.92, 8.72, 7.79, 10.64, 7.94, 8.01, 7.8, 7.84, 7.93, 8.05],
    [8.48, 8.58, 7.97, 8.05, 7.88, 7.92],
  ),
  row(
    's0010_re, 12 leads',
    'wfdb/s0010_re.hea',
    [6.18, 8.92, 8.05, 10.91, 8.24, 8.36, 8.04, 8.11, 8.29, 8.39],
    [8.77, 8.92, 8.19, 8.3, 8.16, 8.25],
    12,
  ),
  row(
    'v102s',
    'wfdb/v102s.hea',
    [8.38, 10.2, 9.06, 12.02, 9.18, 8.72, 8.82, 8.43, 8.54, 8.43],
    [11.07, 10.39, 10.77, 10.04, 10.62, 9.83],
  ),
  row(
    'a103l',
    'wfdb/a103l.hea',
    [6.23, 9.45, 6.99, 9.47, 8.57, 9.57, 8.89, 9.4, 7.84, 8.82],
    [12.03, 11.93, 11.72, 11.48, 11.6, 11.47],
  ),
  row(
    'test01_00s',
    'wfdb/test01_00s.hea',
    [3.15, 5.13, 4.63, 6.19, 4.23, 4.04, 4.35, 4.2, 3.79, 3.64],
    [4.95, 4.67, 5.07, 4.94, 4.53, 4.28],
  ),
  row(
    '3975656_0001',
    'wfdb/multi/s00001/3975656_0001.hea',
    [1.05, 1.3, 1.22, 1.52, 1.19, 1.27, 1.19, 1.24, 1.05, 1.09],
    [2.67, 2.78, 3.07, 3.1, 2.71, 2.78],
  ),
  row(
    'Example.scp',
    'scp/Example.scp',
    [3.6, 5.58, 5.08, 6.87, 4.85, 4.68, 4.97, 4.85, 4.43, 4.31],
    [5.39, 5.11, 5.51, 5.34, 4.94, 4.64],
  ),
];

interface Loaded {
  readonly source: FrameSource;
  readonly samples: number;
  /** With missing samples as −32768, as flac and xz get them. */
  readonly marked: readonly Int32Array[];
}

/** SCP reads in nanovolts; what the file stores are its own steps. */
const NANOVOLTS_PER_STEP = 2500;

function load({ path, channels: limit }: Row): Loaded | undefined {
  const found = [shelfFolder('formats'), dataFolder]
    .map((folder) => (folder === undefined ? '' : join(folder, path)))
    .find((candidate) => existsSync(candidate));
  if (found === undefined) return undefined;
  const channels: readonly Channel[] = recordingFrom(found).channels.slice(0, limit);
  const steps = path.endsWith('.scp') ? NANOVOLTS_PER_STEP : 1;
  const read = channels.map((channel) =>
    readAllSamples(channel).map((value) => (value === INVALID_SAMPLE ? value : value / steps)),
  );
  const marked = read.map((samples) =>
    samples.map((value) => (value === INVALID_SAMPLE ? MISSING_16 : value)),
  );
  for (const samples of read) fillInvalid(samples);
  return {
    source: { channels: read, sampleRateHz: rateHz(channels[0]!.rate), bitsPerSample: 16 },
    samples: read.reduce((sum, samples) => sum + samples.length, 0),
    marked,
  };
}

function* secondFrames({ channels, sampleRateHz, bitsPerSample }: FrameSource): Generator<FrameSource> {
  const length = channels[0]?.length ?? 0;
  const step = Math.round(sampleRateHz);
  for (let start = 0; start < length; start += step)
    yield {
      channels: channels.map((samples) => samples.subarray(start, start + step)),
      sampleRateHz,
      bitsPerSample,
    };
}

const encode = (source: FrameSource, coding: number, level: (typeof LEVELS)[number]): Uint8Array =>
  encodeCompressedDelta(
    source,
    { coding: CODINGS[coding]!, compression: level.compression, mayWrap: true },
    level.compressors,
    COMPRESSION_NUMBERS,
  );

function int16(samples: readonly Int32Array[], isPlanar: boolean): Buffer {
  const count = samples[0]?.length ?? 0;
  const all = new Int16Array(count * samples.length);
  for (const [channel, values] of samples.entries())
    for (let i = 0; i < count; i++)
      all[isPlanar ? channel * count + i : i * samples.length + channel] = values[i] as number;
  return Buffer.from(all.buffer);
}

/** Sizes that other programs reach; NaN where one is not installed. */
function withPrograms({ marked }: Loaded, folder: string): Record<string, number> {
  let flacBytes = 0;
  for (let first = 0; first < marked.length; first += FLAC_CHANNELS) {
    const group = marked.slice(first, first + FLAC_CHANNELS);
    const raw = join(folder, 'raw');
    writeFileSync(raw, int16(group, false));
    const args = [
      '-8',
      '-s',
      '-c',
      '--no-padding',
      '--no-seektable',
      '--force-raw-format',
      '--endian=little',
      '--sign=signed',
      `--channels=${group.length}`,
      '--bps=16',
      '--sample-rate=1000',
      raw,
    ];
    flacBytes += spawnSync('flac', args, { maxBuffer: 1 << 28 }).stdout?.length ?? Number.NaN;
  }
  const xz = (bytes: Buffer): number =>
    spawnSync('xz', ['-9', '-c'], { input: bytes, maxBuffer: 1 << 28 }).stdout?.length ?? Number.NaN;
  return {
    flac: flacBytes,
    'xz interleaved': xz(int16(marked, false)),
    'xz planar': xz(int16(marked, true)),
  };
}

/**
 * Sizes by the system's own zlib: Node's is another implementation, whose streams are a few per cent larger
 * or smaller.
 */
const ZLIB_SCRIPT = `
import struct, sys, zlib
data, at, total = sys.stdin.buffer.read(), 0, 0
while at < len(data):
    length, = struct.unpack_from('<I', data, at)
    total += len(zlib.compress(data[at + 4:at + 4 + length], 9))
    at += 4 + length
print(total)
`;

function systemZlib(blocks: readonly Uint8Array[]): number {
  const parts = blocks.flatMap((block) => [
    Buffer.from(Uint32Array.of(block.length).buffer),
    Buffer.from(block),
  ]);
  return Number(
    spawnSync('python3', ['-c', ZLIB_SCRIPT], { input: Buffer.concat(parts) }).stdout?.toString() ||
      Number.NaN,
  );
}

/** Size by the system's own zstd, which is an older version than Node's. */
const systemZstd = (block: Uint8Array, level: string): number =>
  spawnSync('zstd', [`-${level}`, '-c', '-q', '--no-check'], { input: block, maxBuffer: 1 << 28 }).stdout
    ?.length ?? Number.NaN;

/**
 * What the programs make of the coded bytes with which the reference was made; with the header of each frame.
 */
function withReferencePrograms(source: FrameSource): {
  whole: Record<string, number>;
  frames: Record<string, number>;
} {
  const [plain] = LEVELS;
  const whole: Record<string, number> = {};
  const frames: Record<string, number> = {};
  for (const coding of CODINGS.keys()) {
    const block = encode(source, coding, plain!).subarray(HEADER_BYTES);
    whole[`z9/${coding}`] = HEADER_BYTES + systemZlib([block]);
    for (const level of ['3', '19']) whole[`zs${level}/${coding}`] = HEADER_BYTES + systemZstd(block, level);
    const blocks = [...secondFrames(source)].map((frame) =>
      encode(frame, coding, plain!).subarray(HEADER_BYTES),
    );
    frames[`z9/${coding}`] = blocks.length * HEADER_BYTES + systemZlib(blocks);
  }
  return { whole, frames };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Million samples a second. */
function speed(work: () => void, samples: number): number {
  const repeats = Math.max(1, Math.ceil(MIN_TIMED_SAMPLES / samples));
  const once = (): number => {
    const start = performance.now();
    for (let i = 0; i < repeats; i++) work();
    return performance.now() - start;
  };
  const first = once();
  const ms = first > LONG_MS ? first : median(Array.from({ length: ROUNDS }, once));
  return (samples * repeats) / ms / 1000;
}

interface Speeds {
  readonly encode: number;
  readonly decode: number;
}

function timeCoding(loaded: Loaded, coding: number, level: (typeof LEVELS)[number]): Speeds {
  const frame = encode(loaded.source, coding, level);
  return {
    encode: speed(() => void encode(loaded.source, coding, level), loaded.samples),
    decode: speed(() => void decodeCompressedDelta(frame), loaded.samples),
  };
}

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const rounded = (value: number): number => Math.round(value * 100) / 100;
const deviations: { row: string; column: string; expected: number; found: number; percent: number }[] = [];
const slowest = {
  'delta none encode': 1e9,
  'delta none decode': 1e9,
  'delta zs3 encode': 1e9,
  'delta zs3 decode': 1e9,
};
const TARGETS: Readonly<Record<keyof typeof slowest, number>> = {
  'delta none encode': 20,
  'delta none decode': 60,
  'delta zs3 encode': 8,
  'delta zs3 decode': 25,
};
let compared = 0;

function compareWith(
  name: string,
  expected: Readonly<Record<string, number>>,
  found: Readonly<Record<string, number>>,
  kind: string,
): void {
  for (const [column, value] of Object.entries(expected)) {
    const measured = found[column] ?? Number.NaN;
    compared++;
    // The reference is written with two decimals.
    if (Math.abs(measured - value) > Math.max(TOLERANCE * value, 0.006))
      deviations.push({
        row: `${name} (${kind})`,
        column,
        expected: value,
        found: rounded(measured),
        percent: rounded((100 * (measured - value)) / value),
      });
  }
}

function benchRow(described: Row, folder: string): void {
  const loaded = load(described);
  if (loaded === undefined) {
    print({ record: described.name, leftOut: 'the file is not here' });
    return;
  }
  const { source, samples } = loaded;
  const perSample = (bytes: number): number => (8 * bytes) / samples;
  const whole: Record<string, number> = Object.fromEntries(
    Object.entries(withPrograms(loaded, folder)).map(([name, bytes]) => [name, perSample(bytes)]),
  );
  const frames: Record<string, number> = {};
  const speeds: Record<string, Speeds> = {};
  for (const level of LEVELS) {
    for (const coding of CODINGS.keys()) {
      const column = `${level.name}/${coding}`;
      whole[column] = perSample(encode(source, coding, level).length);
      let bytes = 0;
      for (const frame of secondFrames(source)) bytes += encode(frame, coding, level).length;
      frames[column] = perSample(bytes);
      const { encode: encoding, decode: decoding } = timeCoding(loaded, coding, level);
      speeds[column] = { encode: rounded(encoding), decode: rounded(decoding) };
    }
  }
  const smallest = perSample(
    encodeSmallest(
      source,
      { codings: CODINGS, compressions: ['none', 'zlib', 'zstd'] },
      { zstd: zstd(19), zlib: zlib9 },
    ).length,
  );
  const bestSingle = Math.min(
    ...LEVELS.filter(({ name }) => name !== 'zs3').flatMap(({ name }) =>
      [0, 1, 2].map((coding) => whole[`${name}/${coding}`] as number),
    ),
  );
  print({
    record: described.name,
    samples,
    wholeBits: mapped(whole),
    secondFramesBits: mapped(frames),
    millionSamplesPerSecond: speeds,
    best: rounded(smallest),
    bestSingle: rounded(bestSingle),
  });
  if (smallest > bestSingle + 1e-9)
    deviations.push({
      row: described.name,
      column: 'best',
      expected: rounded(bestSingle),
      found: rounded(smallest),
      percent: 0,
    });
  const reference = withReferencePrograms(source);
  const bits = (bytes: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(
      Object.entries(bytes).flatMap(([name, value]) =>
        Number.isNaN(value) ? [] : [[name, perSample(value)]],
      ),
    );
  compareWith(described.name, described.whole, { ...whole, ...bits(reference.whole) }, 'whole');
  compareWith(described.name, described.frames, { ...frames, ...bits(reference.frames) }, 'frames');
  for (const [name, column, kind] of [
    ['delta none encode', 'none/1', 'encode'],
    ['delta none decode', 'none/1', 'decode'],
    ['delta zs3 encode', 'zs3/1', 'encode'],
    ['delta zs3 decode', 'zs3/1', 'decode'],
  ] as const)
    slowest[name] = Math.min(slowest[name], speeds[column]?.[kind] ?? 0);
}

const mapped = (values: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, rounded(value)]));

printMachine();
const folder = mkdtempSync(join(tmpdir(), 'isoline-codec-'));
try {
  for (const described of ROWS) benchRow(described, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
print({ slowestMillionSamplesPerSecond: slowest, targets: TARGETS });
print({ comparedWithReference: compared, withinTwoPercent: compared - deviations.length, deviations });
