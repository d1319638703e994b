// What lies in a stretch that looks like fibrillation of the ventricles: that, or the beats of a tachycardia, one
// like the other at regular intervals. A stretch is judged in pieces, for the one becomes the other.

import { RUN_BPM } from '../../../shared/clinical-limits.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { type CoarseSet, type LeadReader, toCoarse } from '../signal/lead-signals.ts';
import { appendRange, type Range, samplesWithin } from '../signal/time-base.ts';
import { irregularity } from './beat-timing.ts';
import { refineFiducials } from './fiducials.ts';
import { likenessOfBeats } from './heartbeat-proof.ts';
import type { SignalScan } from './signal-scan.ts';

const PIECE_SECONDS = 8;
/** Read on both sides of a piece, where filters settle. */
const AROUND_SECONDS = 4;
/** Beats for a shorter time beside fibrillation are the tachycardia that it comes from, or chance. */
const MIN_BEATS_BESIDE_SECONDS = 30;

/** [start, end) of the pieces; the last one may be half as long again. */
function piecesOf([start, end]: Range, sampleRateHz: number): Range[] {
  const length = PIECE_SECONDS * sampleRateHz;
  const count = Math.max(1, Math.round((end - start) / length));
  return Array.from({ length: count }, (_, i) => [
    Math.round(start + i * length),
    i === count - 1 ? end : Math.round(start + (i + 1) * length),
  ]);
}

const MIN_BEATS = 5;
const MIN_LIKENESS = 0.95;
const MAX_VARIATION = 0.12;
/** Faster, it is flutter of the ventricles. */
const MAX_BPM = 240;

type Verdict = 'fibrillation' | 'tachycardia';

/** @param samples of the beats in a piece, coarse ones */
function judgeBeats(set: CoarseSet, samples: readonly number[]): Verdict {
  if (samples.length < MIN_BEATS) return 'fibrillation';
  const intervals = samples.slice(1).map((sample, i) => sample - (samples[i] as number));
  const bpm = (60 * set.sampleRateHz) / (median(intervals) ?? Number.POSITIVE_INFINITY);
  const areBeats =
    // Slower, waves that leave no rest between them are said as the graver of the two.
    bpm >= RUN_BPM &&
    bpm <= MAX_BPM &&
    irregularity(samples, () => true) <= MAX_VARIATION &&
    likenessOfBeats(set, samples) >= MIN_LIKENESS;
  return areBeats ? 'tachycardia' : 'fibrillation';
}

function judgePiece(reader: LeadReader, scan: SignalScan, [from, to]: Range): Verdict {
  const around = Math.round(AROUND_SECONDS * reader.sampleRateHz);
  const start = Math.max(0, from - around);
  const set = reader.window(start, Math.min(reader.sampleCount, to + around));
  const found = refineFiducials(
    set.leads[scan.shapeLeads.indexOf(scan.bestLead)],
    samplesWithin(scan.peaks, [from, to], start),
    reader.sampleRateHz,
  );
  return judgeBeats(
    set.coarse,
    found.map((sample) => toCoarse(sample, set.coarse)),
  );
}

export interface JudgedWaves {
  readonly fibrillation: readonly Range[];
  readonly tachycardia: readonly Range[];
}

/** Pieces of one verdict, joined. */
interface Part {
  readonly verdict: Verdict;
  readonly range: [number, number];
}

function partsOf(reader: LeadReader, scan: SignalScan, stretch: Range): Part[] {
  const parts: Part[] = [];
  for (const piece of piecesOf(stretch, reader.sampleRateHz)) {
    const verdict = judgePiece(reader, scan, piece);
    const last = parts.at(-1);
    if (last?.verdict === verdict) last.range[1] = piece[1];
    else parts.push({ verdict, range: [...piece] });
  }
  return parts;
}

/**
 * @param reader of the leads that beats are compared on
 * @param waves stretches that look like fibrillation
 */
export function judgeStretches(reader: LeadReader, scan: SignalScan, waves: readonly Range[]): JudgedWaves {
  const fibrillation: [number, number][] = [];
  const tachycardia: [number, number][] = [];
  for (const stretch of waves) {
    const parts = partsOf(reader, scan, stretch);
    const isMixed = parts.some(({ verdict }) => verdict === 'fibrillation');
    for (const { verdict, range } of parts) {
      const isShort = range[1] - range[0] < MIN_BEATS_BESIDE_SECONDS * reader.sampleRateHz;
      if (verdict === 'fibrillation' || (isMixed && isShort)) appendRange(fibrillation, range);
      else appendRange(tachycardia, range);
    }
  }
  return { fibrillation, tachycardia };
}
