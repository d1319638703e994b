// Whether the arm electrodes seem to be exchanged: then lead I is upside down, against what V5 or V6 shows of
// the same side, or, with limb leads alone, with QRS down in I and up in aVR. A hint for a look at the
// cables, no finding (Kligfield et al., AHA/ACCF/HRS 2007).

import type { LimbOrder } from '../../../shared/signal/live/live-findings.ts';

const BEATS = 6;
const MIN_MV = 0.15;
const REACH_MS = 60;
const KEPT_MS = 1000;

export class LimbSwapDetector {
  readonly #rateHz: number;
  readonly #one: number;
  readonly #side: number;
  readonly #two: number;
  /** The last second of lead I, and of what it is compared with. */
  readonly #past: readonly [Float64Array, Float64Array];
  #votes: boolean[] = [];
  #sample = 0;

  constructor(rateHz: number, leadCodes: readonly string[]) {
    this.#rateHz = rateHz;
    this.#one = leadCodes.indexOf('MDC_ECG_LEAD_I');
    this.#two = leadCodes.indexOf('MDC_ECG_LEAD_II');
    const [v5, v6] = [leadCodes.indexOf('MDC_ECG_LEAD_V5'), leadCodes.indexOf('MDC_ECG_LEAD_V6')];
    this.#side = v6 >= 0 ? v6 : v5;
    const length = Math.ceil((KEPT_MS * rateHz) / 1000);
    this.#past = [new Float64Array(length), new Float64Array(length)];
  }

  get #canTell(): boolean {
    return this.#one >= 0 && (this.#side >= 0 || this.#two >= 0);
  }

  restart(): void {
    this.#votes = [];
  }

  next(mv: Float64Array, sample: number): void {
    if (!this.#canTell) return;
    const [one, other] = this.#past;
    const place = sample % one.length;
    this.#sample = sample;
    one[place] = mv[this.#one] as number;
    // Against aVR = −(I + II) / 2 where there is nothing of the left side.
    other[place] =
      this.#side >= 0
        ? (mv[this.#side] as number)
        : ((mv[this.#one] as number) + (mv[this.#two] as number)) / 2;
  }

  /** The main deflection of both around a beat. */
  beat(sample: number): void {
    if (!this.#canTell) return;
    const reach = Math.round((REACH_MS * this.#rateHz) / 1000);
    const { length } = this.#past[0];
    if (sample - reach < 0 || this.#sample - sample + reach >= length) return;
    const [one, other] = this.#past.map((past) => mainDeflection(past, sample - reach, sample + reach)) as [
      number,
      number,
    ];
    if (Math.abs(one) < MIN_MV || Math.abs(other) < MIN_MV) return;
    this.#votes.push(one < 0 && (this.#side >= 0 ? other > 0 : other < 0));
    if (this.#votes.length > BEATS) this.#votes.shift();
  }

  get isLikely(): boolean {
    return this.order === 'doubtful';
  }

  /** Undefined as long as too few beats tell, and for leads that cannot tell. */
  get order(): LimbOrder | undefined {
    if (this.#votes.length < BEATS) return undefined;
    return this.#votes.every(Boolean) ? 'doubtful' : 'plausible';
  }
}

/** The largest deviation from where the stretch begins and ends. */
function mainDeflection(past: Float64Array, from: number, to: number): number {
  const at = (sample: number): number => past[sample % past.length] as number;
  const base = (at(from) + at(to)) / 2;
  let main = 0;
  for (let sample = from; sample <= to; sample++)
    if (Math.abs(at(sample) - base) > Math.abs(main)) main = at(sample) - base;
  return main;
}
