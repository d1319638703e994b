// AV blocks, also where they come and go. Each stretch without a named rhythm is analysed on its own, so that minutes in which all P waves
// are conducted do not hide those in which some are not. Analysis reference, section 8.4.

import type { Beat } from '../../../shared/analysis-result.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import type { LeadReader } from '../signal/lead-signals.ts';
import { joinRanges, lengthOf, type Range, type TimeBase } from '../signal/time-base.ts';
import { type BeatWaves, markOf } from '../waves/beat-waves.ts';
import { findAtrialBeats } from './atrial-beats.ts';
import { AV_CONDUCTION_KINDS, type AvConduction, avConduction } from './av-conduction.ts';

/** Longer stretches are cut into pieces: the atria must keep one rate in each, and a short block names no more than its own piece. */
const LONGEST_SECONDS = 120;
const SHORTEST_SECONDS = 8;
/** The signal on both sides of a stretch helps to show what P and QRST look like. */
const MARGIN_SECONDS = 15;

export interface ConductionInput {
  readonly reader: LeadReader;
  readonly time: TimeBase;
  readonly beats: readonly Beat[];
  /** Indices of the beats of the usual shape. */
  readonly dominant: readonly number[];
  /** A long recording has those of some of its beats. */
  readonly waves: readonly BeatWaves[];
  /** Where the usual P begins and ends, in samples from R; undefined where it has no marks. */
  readonly usualP: Range | undefined;
  /** One a beat: 1 where the usual P stands before it. */
  readonly hasP: ArrayLike<number>;
  /** From the onset of QRS to R, in samples. */
  readonly onsetBeforeR: number;
}

function piecesOf([start, end]: Range, sampleRateHz: number): Range[] {
  const count = Math.ceil((end - start) / (LONGEST_SECONDS * sampleRateHz));
  const at = (i: number): number => Math.round(start + (i * (end - start)) / count);
  return Array.from({ length: count }, (_, i) => [at(i), at(i + 1)]);
}

/** Marked P waves of a window, or, where none of its beats were marked, those that are known to be there. */
function knownP(
  { waves, usualP, hasP }: ConductionInput,
  samples: readonly number[],
  [first, behind]: Range,
): Range[] {
  const marked = waves
    .filter(({ beat }) => beat >= first && beat < behind)
    .map((one): Range => [markOf(one, 'pOnset'), markOf(one, 'pEnd')])
    .filter(([onset, end]) => !Number.isNaN(onset) && !Number.isNaN(end));
  if (marked.length > 0 || usualP === undefined) return marked;
  const known: Range[] = [];
  for (let beat = first; beat < behind; beat++) {
    const sample = samples[beat] as number;
    if (hasP[beat] === 1) known.push([sample + usualP[0], sample + usualP[1]]);
  }
  return known;
}

function conductionWithin(
  input: ConductionInput,
  samples: readonly number[],
  [start, end]: Range,
): AvConduction | undefined {
  const { reader, time, beats, dominant, onsetBeforeR } = input;
  const margin = Math.round(MARGIN_SECONDS * reader.sampleRateHz);
  const [from, to] = [Math.max(0, start - margin), Math.min(reader.sampleCount, end + margin)];
  const [first, behind] = [firstFrom(samples, from), firstFrom(samples, to)];
  const pWaves = findAtrialBeats({
    set: reader.window(from, to).coarse,
    startSample: from,
    samples: samples.slice(first, behind).map((sample) => sample - from),
    dominant: dominant
      .slice(firstFrom(dominant, first), firstFrom(dominant, behind))
      .map((beat) => beat - first),
    known: knownP(input, samples, [first, behind]),
  }).filter((place) => place >= start && place < end);
  const own = beats.slice(firstFrom(samples, start), firstFrom(samples, end));
  return avConduction(pWaves, own, onsetBeforeR, time);
}

/** What was found in all stretches together. */
export interface FoundConduction extends AvConduction {
  /** How long the stretches without a name are in which no block was found. */
  readonly unnamedSeconds: number;
}

/** @param stretches whose rhythm has no name @returns the gravest block of them, wherever it stands; undefined where none is found */
export function findConduction(
  input: ConductionInput,
  stretches: readonly Range[],
): FoundConduction | undefined {
  const { reader, beats } = input;
  const samples = beats.map(({ sample }) => sample);
  const pieces = stretches
    .filter(([start, end]) => end - start >= SHORTEST_SECONDS * reader.sampleRateHz)
    .flatMap((stretch) => piecesOf(stretch, reader.sampleRateHz))
    .map((piece) => ({ piece, conduction: conductionWithin(input, samples, piece) }));
  const found = pieces.flatMap(({ conduction }) => conduction ?? []);
  const named = pieces.filter(({ conduction }) => conduction !== undefined).map(({ piece }) => piece);
  const gravest = AV_CONDUCTION_KINDS.find((kind) => found.some((one) => one.kind === kind));
  const own = found.filter(({ kind }) => kind === gravest);
  const most = own.reduce<AvConduction | undefined>(
    (best, one) => (one.blocked > (best?.blocked ?? 0) ? one : best),
    undefined,
  );
  return (
    most && {
      ...most,
      blocked: own.reduce((sum, { blocked }) => sum + blocked, 0),
      ranges: joinRanges(own.flatMap(({ ranges }) => ranges)),
      unnamedSeconds: (lengthOf(stretches) - lengthOf(named)) / reader.sampleRateHz,
    }
  );
}
