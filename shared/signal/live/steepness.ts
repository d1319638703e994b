// How steep each lead has been in the last seconds, tenth by tenth: whether something like a QRS stood somewhere.

const TENTHS_KEPT = 80;
const STEP_SECONDS = 0.04;

export class Steepness {
  readonly #rateHz: number;
  readonly #leads: number;
  /** The last values of each lead, as far back as a step. */
  readonly #past: Float64Array;
  readonly #stepSamples: number;
  /** The steepest of each tenth, lead after lead. */
  readonly #tenths: Float64Array;
  #count = 0;
  #startSample = 0;

  constructor(rateHz: number, leads: number) {
    this.#rateHz = rateHz;
    this.#leads = leads;
    this.#stepSamples = Math.max(1, Math.round(STEP_SECONDS * rateHz));
    this.#past = new Float64Array(this.#stepSamples * leads);
    this.#tenths = new Float64Array(TENTHS_KEPT * leads);
  }

  restart(): void {
    this.#count = 0;
    this.#tenths.fill(0);
  }

  #tenthOf(sample: number): number {
    return Math.floor((10 * (sample - this.#startSample)) / this.#rateHz);
  }

  next(mv: Float64Array, sample: number): void {
    if (this.#count === 0) this.#startSample = sample;
    const slot = this.#count % this.#stepSamples;
    const tenth = this.#tenthOf(sample) % TENTHS_KEPT;
    const isNew = this.#tenthOf(sample) !== this.#tenthOf(sample - 1);
    for (let lead = 0; lead < this.#leads; lead++) {
      const [at, place] = [slot * this.#leads + lead, tenth * this.#leads + lead];
      const rise =
        this.#count < this.#stepSamples ? 0 : Math.abs((mv[lead] as number) - (this.#past[at] as number));
      this.#past[at] = mv[lead] as number;
      this.#tenths[place] = isNew ? rise : Math.max(this.#tenths[place] as number, rise);
    }
    this.#count++;
  }

  /** The steepest place of a lead between two samples, both within the last eight seconds. */
  between(lead: number, from: number, to: number): number {
    let most = 0;
    for (let tenth = Math.max(0, this.#tenthOf(from)); tenth <= this.#tenthOf(to); tenth++)
      most = Math.max(most, this.#tenths[(tenth % TENTHS_KEPT) * this.#leads + lead] as number);
    return most;
  }
}
