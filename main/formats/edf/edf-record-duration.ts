// How long the data records of an EDF file must be so that every signal has a whole number of samples in one.

import type { SampleRate } from '../../../shared/signal/recording.ts';

export interface RecordDuration {
  /** As it stands in the header: at most eight characters. */
  readonly text: string;
  readonly samplesPerRecord: readonly number[];
  /** How far the worst rate that is read back is off, relative. */
  readonly error: number;
}

const FIELD_CHARACTERS = 8;
const LONGEST_SECONDS = 61;
/** What the standard recommends at most. */
const RECORD_BYTES = 61_440;
const EXACT = 1e-12;
/**
 * A rate that is off by less than this loses one sample in an hour at 500 Hz: worth a warning, no refusal.
 */
const TOLERABLE = 1e-6;
/**
 * A second as a rule; shorter where so many signals would make the record too large; then the shortest that
 * fits.
 */
const PREFERRED_SECONDS = [1, 0.5, 0.25, 0.2, 0.1, 0.05, 0.04, 0.02, 0.01];
const LONGER_SECONDS = [2, 4, 5, 10, 20, 30, 60];

function tryDuration(text: string, rates: readonly SampleRate[]): RecordDuration | undefined {
  const seconds = Number(text);
  if (text.length > FIELD_CHARACTERS || !(seconds > 0) || seconds > LONGEST_SECONDS) return undefined;
  const samplesPerRecord = rates.map((rate) => Math.round((seconds * rate.samples) / rate.seconds));
  if (samplesPerRecord.some((count) => count < 1)) return undefined;
  const errors = rates.map((rate, i) =>
    Math.abs(((samplesPerRecord[i] as number) * rate.seconds) / (seconds * rate.samples) - 1),
  );
  return { text, samplesPerRecord, error: Math.max(...errors) };
}

function* candidates(rates: readonly SampleRate[]): Generator<string> {
  for (const seconds of PREFERRED_SECONDS) yield String(seconds);
  const multiples = rates.flatMap((rate) => {
    const count = Math.min(1000, Math.floor(LONGEST_SECONDS / rate.seconds));
    return Array.from({ length: count }, (_, n) => Number(((n + 1) * rate.seconds).toFixed(9)));
  });
  for (const seconds of [...new Set([...multiples, ...LONGER_SECONDS])].sort((a, b) => a - b))
    yield String(seconds);
  for (let ms = 1; ms <= LONGEST_SECONDS * 1000; ms++) yield String(ms / 1000);
  // Rates without a common exact duration: as many samples of the slowest as bring the others nearest.
  const slowest = rates.reduce((a, b) => (a.samples / a.seconds <= b.samples / b.seconds ? a : b));
  for (let n = 1; (n * slowest.seconds) / slowest.samples <= LONGEST_SECONDS && n <= 20_000; n++)
    yield String(Number(((n * slowest.seconds) / slowest.samples).toPrecision(7)));
}

/** Undefined where no duration comes near enough. */
export function findRecordDuration(
  rates: readonly SampleRate[],
  sampleBytes: number,
): RecordDuration | undefined {
  let best: RecordDuration | undefined;
  for (const text of candidates(rates)) {
    const found = tryDuration(text, rates);
    if (found === undefined || found.error > TOLERABLE) continue;
    const bytes = sampleBytes * found.samplesPerRecord.reduce((sum, count) => sum + count, 0);
    if (found.error < EXACT && bytes <= RECORD_BYTES) return found;
    if (best === undefined || found.error < best.error) best = found;
  }
  return best;
}
