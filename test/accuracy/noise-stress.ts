// Finding beats in noise of a known level, after Moody 1984 (Computers in Cardiology 11:381-384): from the fifth minute
// of two MIT-BIH records on, every other two minutes have noise added. It is synthetic: electrode motion below 8 Hz and
// muscle above 15 Hz. Five noises count together: at 6 dB one alone gives an F1 of 98.96 to 99.31 %.

import { analyse } from '../../main/analysis/analyse.ts';
import { gaussian, seededRandom } from '../../main/signal/synthetic/random.ts';
import { filterZeroPhase, highPass, lowPass } from '../../shared/signal/butterworth.ts';
import { type Channel, type Recording, rateHz } from '../../shared/signal/recording.ts';
import { recordingFrom } from '../support/test-data.ts';
import { ds1Path } from './databases.ts';
import { readReference } from './reference.ts';
import { addTables, type BeatTable, f1, qrsScore, scoreBeats } from './score-beats.ts';
import type { Figure } from './tables.ts';

const RECORDS = ['118', '119'];
const START_SECONDS = 300;
const TURN_SECONDS = 120;
const SEEDS = [7, 107, 207, 307, 407];

/** RMS 1. */
function madeNoise(count: number, rate: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  const band = (filters: Parameters<typeof filterZeroPhase>[1]): Float64Array => {
    const white = Float32Array.from({ length: count }, () => gaussian(random));
    return scaled(filterZeroPhase(white, filters, rate), 1);
  };
  const electrode = band([highPass(0.5, rate), lowPass(8, rate)]);
  const muscle = band([highPass(15, rate), lowPass(60, rate)]);
  return scaled(
    electrode.map((value, i) => value + 0.5 * (muscle[i] as number)),
    1,
  );
}

function scaled(values: Float64Array, rms: number): Float64Array {
  const own = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  return values.map((value) => (rms * value) / own);
}

/** Median peak-to-peak height of the marked QRS; an eighth of its square is the power of the signal. */
function qrsHeight(samples: Int32Array, beats: readonly { readonly sample: number }[], rate: number): number {
  const reach = Math.round(0.05 * rate);
  const heights = beats
    .map(({ sample }) => samples.subarray(Math.max(0, sample - reach), sample + reach))
    .map((part) => Math.max(...part) - Math.min(...part))
    .sort((a, b) => a - b);
  return heights[heights.length >> 1] ?? 0;
}

function withNoise(
  recording: Recording,
  beats: readonly { readonly sample: number }[],
  snrDb: number,
  seed: number,
): Recording {
  const noisy = (channel: Channel, index: number): Channel => {
    const rate = rateHz(channel.rate);
    const samples = new Int32Array(channel.sampleCount);
    channel.read(0, samples);
    const rms = qrsHeight(samples, beats, rate) / Math.sqrt(8 * 10 ** (snrDb / 10));
    const noise = madeNoise(samples.length, rate, seed + index);
    for (let i = Math.round(START_SECONDS * rate); i < samples.length; i++)
      if (Math.floor((i / rate - START_SECONDS) / TURN_SECONDS) % 2 === 0)
        samples[i] = Math.round((samples[i] as number) + rms * (noise[i] as number));
    return {
      ...channel,
      read: (start, target) => target.set(samples.subarray(start, start + target.length)),
    };
  };
  return { ...recording, channels: recording.channels.map(noisy) };
}

/** The tables of one record, from the first noise on, in each noise. */
function tablesOf(name: string, snrDb: number): BeatTable[] {
  const path = ds1Path(name) as string;
  const recording = recordingFrom(`${path}.hea`);
  const { sampleCount, rate: stated } = recording.channels[0] as Channel;
  const rate = rateHz(stated);
  const reference = readReference(`${path}.atr`, sampleCount);
  const behind = <T extends { readonly sample: number }>(beats: readonly T[]): T[] =>
    beats.filter(({ sample }) => sample >= START_SECONDS * rate);
  return SEEDS.map((seed) => {
    const { beats } = analyse(withNoise(recording, reference.beats, snrDb, seed));
    return scoreBeats(behind(reference.beats), behind(beats), rate, reference.excluded);
  });
}

/** F1 of QRS, records and noises together. */
export function noiseStressFigures(floors: Readonly<Record<string, number>>): Figure[] {
  return [24, 12, 6, 0].map((snrDb) => {
    const score = qrsScore(addTables(RECORDS.flatMap((record) => tablesOf(record, snrDb))));
    const name = `QRS F1 at ${snrDb} dB`;
    return {
      name,
      value: f1(score),
      floor: floors[name] ?? 0,
      peers: `${score.missed} missed, ${score.false} false of ${score.right + score.missed}`,
    };
  });
}
