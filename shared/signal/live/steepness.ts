// How steep each lead is at the last beat, and how steep it has been since: whether something like a beat stood there
// that was not told as one. Bounded, whatever the time since the last beat.

const TENTHS_KEPT = 10;
const STEP_SECONDS = 0.04;
/** In tenths of a second: around a beat, and what of the present may belong to a beat that is told only later. */
const AROUND_BEAT = 1;
const BEHIND_BEAT = 4;
const NOT_YET = 4;
/** What is as steep may be a beat; P and T are not. */
const STEEP_SHARE = 0.5;

export class Steepness {
  readonly #rateHz: number;
  readonly #leads: number;
  /** The last values of each lead, as far back as a step. */
  readonly #past: Float64Array;
  readonly #stepSamples: number;
  /** The steepest of each of the last tenths of a second, lead after lead. */
  readonly #tenths: Float64Array;
  /** For each lead: the steepest at the last beat, and since it was over. */
  readonly #atBeat: Float64Array;
  readonly #since: Float64Array;
  #sinceTenth = Number.POSITIVE_INFINITY;
  #tenth = 0;
  #count = 0;
  #startSample = 0;

  constructor(rateHz: number, leads: number) {
    this.#rateHz = rateHz;
    this.#leads = leads;
    this.#stepSamples = Math.max(1, Math.round(STEP_SECONDS * rateHz));
    this.#past = new Float64Array(this.#stepSamples * leads);
    this.#tenths = new Float64Array(TENTHS_KEPT * leads);
    this.#atBeat = new Float64Array(leads);
    this.#since = new Float64Array(leads);
  }

  restart(): void {
    this.#count = 0;
    this.#tenth = 0;
    this.#sinceTenth = Number.POSITIVE_INFINITY;
    for (const values of [this.#tenths, this.#atBeat, this.#since]) values.fill(0);
  }

  #tenthOf(sample: number): number {
    return Math.floor((10 * (sample - this.#startSample)) / this.#rateHz);
  }

  next(mv: Float64Array, sample: number): void {
    if (this.#count === 0) this.#startSample = sample;
    const tenth = this.#tenthOf(sample);
    if (tenth !== this.#tenth) this.#begin(tenth);
    const [past, tenths] = [(this.#count % this.#stepSamples) * this.#leads, this.#placeOf(tenth)];
    const isFilled = this.#count >= this.#stepSamples;
    for (let lead = 0; lead < this.#leads; lead++) {
      const value = mv[lead] as number;
      const rise = isFilled ? Math.abs(value - (this.#past[past + lead] as number)) : 0;
      this.#past[past + lead] = value;
      if (rise > (this.#tenths[tenths + lead] as number)) this.#tenths[tenths + lead] = rise;
    }
    this.#count++;
  }

  #placeOf(tenth: number): number {
    return (tenth % TENTHS_KEPT) * this.#leads;
  }

  /** One that cannot belong to a beat any more counts as time since the last one. */
  #begin(tenth: number): void {
    this.#tenth = tenth;
    const settled = tenth - NOT_YET - 1;
    if (settled >= this.#sinceTenth) this.#take(settled, this.#since);
    const place = this.#placeOf(tenth);
    this.#tenths.fill(0, place, place + this.#leads);
  }

  #take(tenth: number, into: Float64Array): void {
    const place = this.#placeOf(tenth);
    for (let lead = 0; lead < this.#leads; lead++)
      into[lead] = Math.max(into[lead] as number, this.#tenths[place + lead] as number);
  }

  /** @param sample of a beat, told within half a second */
  beat(sample: number): void {
    const tenth = this.#tenthOf(sample);
    this.#atBeat.fill(0);
    this.#since.fill(0);
    const first = Math.max(0, tenth - AROUND_BEAT, this.#tenth - TENTHS_KEPT + 1);
    for (let i = first; i <= Math.min(tenth + AROUND_BEAT, this.#tenth); i++) this.#take(i, this.#atBeat);
    this.#sinceTenth = tenth + BEHIND_BEAT;
  }

  /** Whether some lead has been half as steep since the last beat as at that. */
  get hasBeenSteep(): boolean {
    // A lead without signal has no beat to be held against.
    return this.#atBeat.some(
      (steep, lead) => steep > 0 && (this.#since[lead] as number) >= STEEP_SHARE * steep,
    );
  }
}
