// P, QRS and T of one lead as stretches, from the network's scores.

import { NETWORK_RATE_HZ, NETWORK_SAMPLES, SCORE_OF, SCORES, type WaveScores } from './wave-network.ts';

const WAVE_KINDS = ['P', 'QRS', 'T'] as const;
export type WaveKind = (typeof WAVE_KINDS)[number];

/** Positions are samples at NETWORK_RATE_HZ, between two of them as well. */
export interface WaveSpan {
  readonly kind: WaveKind;
  readonly onset: number;
  readonly end: number;
}

export interface LeadWaves {
  /** In their order. */
  readonly waves: readonly WaveSpan[];
  /** The P waves of `waves`, and fainter ones that count only where other leads or beats support them. */
  readonly faintP: readonly WaveSpan[];
}

/** A mean is taken over so many samples, one second. */
const LEVEL_SAMPLES = NETWORK_RATE_HZ + 1;
/** Scores near the ends of a run lack what comes before or behind; a run's are used without these. */
const MARGIN_SAMPLES = 256;
/** A wave whose edge is as near as 20 ms to an end of the run may go on beyond it. */
const EDGE_SAMPLES = 5;

/** Freed of its mean over a second, in units of its standard deviation; zero where it is flat. */
export function normalised(lead: Float32Array): Float32Array {
  const half = (LEVEL_SAMPLES - 1) / 2;
  const out = new Float32Array(lead.length);
  let sum = 0;
  let [low, high] = [0, 0];
  let [total, squares] = [0, 0];
  for (let i = 0; i < lead.length; i++) {
    for (; high < Math.min(lead.length, i + half + 1); high++) sum += lead[high] as number;
    for (; low < i - half; low++) sum -= lead[low] as number;
    const value = (lead[i] as number) - sum / (high - low);
    out[i] = value;
    total += value;
    squares += value * value;
  }
  const mean = total / lead.length;
  const spread = Math.sqrt(Math.max(0, squares / lead.length - mean * mean));
  return spread > 0 ? out.map((value) => value / spread) : out.fill(0);
}

/** What is added to the score of P where faint ones are looked for; found by `npm run test:accuracy`. */
const FAINT_P = 2;

/** The scores of one run, with P favoured by so much. */
export class Scores {
  readonly #scores: Float32Array;
  readonly #favour: number;

  constructor(scores: Float32Array, favour = 0) {
    this.#scores = scores;
    this.#favour = favour;
  }

  #of(sample: number, kind: number): number {
    return (this.#scores[SCORES * sample + kind] as number) + (kind === SCORE_OF.P ? this.#favour : 0);
  }

  /** The kind that is ahead, by its place among the scores. */
  winner(sample: number): number {
    let best = 0;
    for (let kind = 1; kind < SCORES; kind++)
      if (this.#of(sample, kind) > this.#of(sample, best)) best = kind;
    return best;
  }

  /** How far one score of a sample is above the others; negative where another is. */
  #aheadBy(sample: number, kind: number): number {
    let others = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < SCORES; k++) if (k !== kind) others = Math.max(others, this.#of(sample, k));
    return this.#of(sample, kind) - others;
  }

  /** Where, between the sample before and this one, a kind comes ahead or falls behind. */
  crossing(sample: number, kind: number): number {
    const before = this.#aheadBy(sample - 1, kind);
    return sample - 1 + before / (before - this.#aheadBy(sample, kind));
  }
}

/**
 * Waves that begin within [from, to) of a run, as they stand. A label of the training data spans its edges' samples
 * whole, so that its edges lie half a sample within the crossings.
 */
function spansOf(scores: Scores, count: number, from: number, to: number, shift: number): WaveSpan[] {
  const spans: WaveSpan[] = [];
  let kind = 0;
  let start = 0;
  for (let i = 0; i <= count; i++) {
    const now = i < count ? scores.winner(i) : 0;
    if (now === kind) continue;
    // What lies at an end of the run is cut: only its other part is known.
    if (kind > 0 && start > EDGE_SAMPLES && i < count - EDGE_SAMPLES && start >= from && start < to)
      spans.push({
        kind: WAVE_KINDS[kind - 1] as WaveKind,
        onset: shift + scores.crossing(start, kind) + 0.5,
        end: shift + scores.crossing(i, kind) - 0.5,
      });
    kind = now;
    start = i;
  }
  return spans;
}

/** Pieces of one wave lie no farther from each other, as the halves of a notched P or of a biphasic T do. */
const JOIN_SAMPLES: Readonly<Record<WaveKind, number>> = { P: 6, QRS: 6, T: 10 };
/** Shorter ones are no waves: 32, 24 and 40 ms. */
const LEAST_SAMPLES: Readonly<Record<WaveKind, number>> = { P: 8, QRS: 6, T: 10 };

/** Waves whole, and without crumbs. @param spans in order */
function wholeWaves(spans: readonly WaveSpan[]): WaveSpan[] {
  const waves: WaveSpan[] = [];
  for (const span of spans) {
    const last = waves.at(-1);
    if (last?.kind === span.kind && span.onset - last.end <= JOIN_SAMPLES[span.kind])
      waves[waves.length - 1] = { ...last, end: span.end };
    else waves.push(span);
  }
  return waves.filter(({ kind, onset, end }) => end - onset >= LEAST_SAMPLES[kind]);
}

/** What the network says of a piece of a lead. */
interface Run {
  /** SCORES numbers a sample; overwritten by the next run. */
  readonly scores: Float32Array;
  /** Where the piece begins in the lead. */
  readonly start: number;
  readonly count: number;
  /** Samples of the piece whose scores are used. */
  readonly from: number;
  readonly to: number;
}

/**
 * Runs the network over a lead, piece by piece.
 * @param lead millivolts at NETWORK_RATE_HZ, of any length
 * @param isWanted false where nobody asks for the scores of [from, to) of the lead
 */
export function eachRun(
  network: WaveScores,
  lead: Float32Array,
  use: (run: Run) => void,
  isWanted: (from: number, to: number) => boolean = () => true,
): void {
  const stride = NETWORK_SAMPLES - 2 * MARGIN_SAMPLES;
  for (let start = 0, isLast = false; !isLast; start += stride) {
    const piece = lead.subarray(start, start + NETWORK_SAMPLES);
    isLast = start + piece.length >= lead.length;
    const from = start === 0 ? 0 : MARGIN_SAMPLES;
    const to = isLast ? piece.length : NETWORK_SAMPLES - MARGIN_SAMPLES;
    if (!isWanted(start + from, start + to)) continue;
    use({ scores: network.scores(normalised(piece)), start, count: piece.length, from, to });
  }
}

/** @param lead millivolts at NETWORK_RATE_HZ, of any length */
export function leadWaves(network: WaveScores, lead: Float32Array): LeadWaves {
  const spans: WaveSpan[] = [];
  const faint: WaveSpan[] = [];
  eachRun(network, lead, ({ scores, start, count, from, to }) => {
    spans.push(...spansOf(new Scores(scores), count, from, to, start));
    faint.push(...spansOf(new Scores(scores, FAINT_P), count, from, to, start));
  });
  return { waves: wholeWaves(spans), faintP: wholeWaves(faint).filter(({ kind }) => kind === 'P') };
}
