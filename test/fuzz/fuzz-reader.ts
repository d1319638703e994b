// Feeds one reader with mutated files, in a process of its own: `node fuzz-reader.ts READER COUNT FIRST`.
// Prints a line of progress for every few hundred files, so that whoever started it sees when it hangs, and
// at the end what was found as JSON.

import { createHash } from 'node:crypto';
import { bufferSource, type RecordFile } from '../../main/formats/byte-source.ts';
import { admit, readRecord, withIntegrityChecked } from '../../main/formats/read-record.ts';
import { parseWfdbAnnotations } from '../../main/formats/wfdb/wfdb-annotations.ts';
import { type Channel, readAllSamples } from '../../shared/signal/recording.ts';
import { peakMemoryBytes } from '../support/peak-memory.ts';
import { Chance, MUTATIONS } from './mutations.ts';
import type { Oddity } from './oddities.ts';
import { SEEDS, type Seed } from './seeds.ts';

const READ_SAMPLES = 5000;
const PROGRESS_EVERY = 100;

export interface FuzzFindings {
  readonly files: number;
  readonly read: number;
  readonly crashes: readonly string[];
  /** The longest time beyond that of the file before mutation. */
  readonly slowestExtraMs: number;
  readonly slowest: number;
  readonly peakBytes: number;
}

/** Reads the beginning, the middle and the end of a channel, as the screens would. */
function sample(channel: Channel): void {
  const target = new Int32Array(Math.min(READ_SAMPLES, Math.max(1, channel.sampleCount)));
  for (const start of [0, Math.floor(channel.sampleCount / 2), channel.sampleCount - target.length])
    channel.read(start, target);
}

/** @returns whether the file was read */
function readAll(files: readonly RecordFile[]): boolean {
  const result = readRecord(files[0] as RecordFile, files);
  for (const file of files)
    if (file.name.endsWith('.atr')) parseWfdbAnnotations(file.source.read(0, file.source.sizeBytes));
  if (!result.ok) {
    if (!/^[A-Z].*\.$/s.test(result.message)) throw new Error(`no sentence: ${result.message}`);
    return false;
  }
  const { channels } = withIntegrityChecked(result.recording);
  admit(result);
  for (const channel of channels) {
    if (!(channel.sampleCount >= 0) || !Number.isFinite(channel.scale) || !Number.isFinite(channel.offset))
      throw new Error(`scale or count of "${channel.label}"`);
    sample(channel);
  }
  return true;
}

const filesOf = ({ files }: Seed): RecordFile[] =>
  files.map(({ name, bytes }) => ({ name, source: bufferSource(bytes) }));

function mutated(seed: Seed, chance: Chance): RecordFile[] {
  const target = chance.below(3) === 0 ? chance.below(seed.files.length) : 0;
  return seed.files.map(({ name, bytes }, index) => {
    if (index !== target) return { name, source: bufferSource(bytes) };
    let changed = bytes;
    for (let n = 1 + chance.below(3); n > 0; n--) changed = chance.pick(MUTATIONS)(changed, chance);
    return { name, source: bufferSource(seed.repair?.(Uint8Array.from(changed), chance) ?? changed) };
  });
}

/** All that was read of a signal, to be compared. */
function signalOf(files: readonly RecordFile[]): string | undefined {
  const result = readRecord(files[0] as RecordFile, files);
  if (!result.ok) return undefined;
  const { channels, durationSeconds, patient, startTime } = result.recording;
  // Nothing is made of it before a person says its rate.
  if (channels.some(({ isRateUnknown }) => isRateUnknown === true)) return undefined;
  const read = channels.map((channel) => {
    const { label, unit, scale, offset, rate, isCalibrated } = channel;
    const samples = createHash('sha256')
      .update(Buffer.from(readAllSamples(channel).buffer))
      .digest('hex');
    return [label, unit, scale, offset, rate, isCalibrated, samples];
  });
  return JSON.stringify([read, durationSeconds, patient, startTime]);
}

/** The seed as another program might write it. @throws where it is read, and as something else */
function readOdd(seed: Seed, odd: Oddity, chance: Chance): boolean {
  const [main, ...others] = filesOf(seed);
  const bytes = odd((seed.files[0] as Seed['files'][number]).bytes, chance);
  const files = [{ name: main?.name ?? '', source: bufferSource(bytes) }, ...others];
  const read = signalOf(files);
  if (read !== undefined && read !== signalOf(filesOf(seed)))
    throw new Error(`read silently different: ${read.slice(0, 300)}`);
  return readAll(files);
}

export function fuzz(seeds: readonly Seed[], count: number, first: number): FuzzFindings {
  const baseMs = seeds.map((seed) => {
    readAll(filesOf(seed));
    const start = performance.now();
    if (!readAll(filesOf(seed)))
      throw new Error(`the seed "${seed.files[0]?.name}" is not read before it is mutated`);
    return performance.now() - start;
  });
  const crashes: string[] = [];
  let read = 0;
  let slowestExtraMs = 0;
  let slowest = -1;
  for (let n = first; n < first + count; n++) {
    const chance = new Chance(n + 1);
    const which = chance.below(seeds.length);
    const seed = seeds[which] as Seed;
    const isOdd = seed.odd !== undefined && chance.below(2) === 0;
    const files = isOdd ? [] : mutated(seed, chance);
    const start = performance.now();
    try {
      if (isOdd ? readOdd(seed, seed.odd as Oddity, chance) : readAll(files)) read++;
    } catch (error) {
      if (crashes.length < 20)
        crashes.push(`file ${n}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    const extraMs = performance.now() - start - (baseMs[which] as number);
    if (extraMs > slowestExtraMs) {
      slowestExtraMs = extraMs;
      slowest = n;
    }
    if (n % PROGRESS_EVERY === 0) process.stdout.write(`${n}\n`);
  }
  return {
    files: count,
    read,
    crashes,
    slowestExtraMs,
    slowest,
    peakBytes: peakMemoryBytes(),
  };
}

if (process.argv[1]?.endsWith('fuzz-reader.ts')) {
  const [reader = '', count = '1000', first = '0'] = process.argv.slice(2);
  const seeds = SEEDS[reader];
  if (seeds === undefined) throw new Error(`no reader "${reader}"`);
  process.stdout.write(`${JSON.stringify(fuzz(seeds, Number(count), Number(first)))}\n`);
}
