// How much hum of the mains is in the leads: the share of each second that turns with 50 or with 60 Hz. A QRS
// has a little of everything, but not in every second the same; hum is there all the time, so that the least
// of the last seconds counts.

const WINDOW_MS = 1000;
const WINDOWS = 3;
export const MAINS_HZ = [50, 60] as const;
export type MainsHz = (typeof MAINS_HZ)[number];
/** From here on it disturbs who reads the ECG (E26). */
const DISTURBING_UV = 25;

export interface Hum {
  readonly hz: MainsHz;
  /** Peak, of the lead that has the most. */
  readonly uv: number;
}

/** The sums of one frequency, in the window so far. */
interface ToneSums {
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
  cos: number;
  sin: number;
  sumCos: number;
  sumSin: number;
  /** Peaks of the last windows, in microvolts. */
  readonly last: number[];
}

/** One frequency in all leads. */
class Tone {
  readonly #stepCos: number;
  readonly #stepSin: number;
  readonly state: ToneSums;

  constructor(hz: number, rateHz: number, leads: number, state: ToneSums | undefined) {
    const angle = (2 * Math.PI * hz) / rateHz;
    this.#stepCos = Math.cos(angle);
    this.#stepSin = Math.sin(angle);
    this.state = state ?? {
      real: new Float64Array(leads),
      imaginary: new Float64Array(leads),
      cos: 1,
      sin: 0,
      sumCos: 0,
      sumSin: 0,
      last: [],
    };
  }

  next(mv: Float64Array): void {
    const { state } = this;
    const { real, imaginary, cos, sin } = state;
    for (let lead = 0; lead < mv.length; lead++) {
      const value = mv[lead] as number;
      real[lead] = (real[lead] as number) + value * cos;
      imaginary[lead] = (imaginary[lead] as number) + value * sin;
    }
    state.sumCos += cos;
    state.sumSin += sin;
    state.cos = cos * this.#stepCos - sin * this.#stepSin;
    state.sin = sin * this.#stepCos + cos * this.#stepSin;
  }

  /** The largest amplitude over a window, without what an offset alone would give; begins the next window. */
  take(sums: Float64Array, count: number): number {
    let most = 0;
    const { state } = this;
    for (let lead = 0; lead < sums.length; lead++) {
      const mean = (sums[lead] as number) / count;
      const real = (state.real[lead] as number) - mean * state.sumCos;
      const imaginary = (state.imaginary[lead] as number) - mean * state.sumSin;
      most = Math.max(most, (2 * Math.hypot(real, imaginary)) / count);
    }
    this.clear();
    return most;
  }

  clear(): void {
    const { state } = this;
    state.real.fill(0);
    state.imaginary.fill(0);
    state.cos = 1;
    state.sin = 0;
    state.sumCos = 0;
    state.sumSin = 0;
  }
}

/** The sums of the window so far. */
export interface HumSums {
  readonly sums: Float64Array;
  readonly tones: readonly ToneSums[];
  count: number;
}

export class MainsHum {
  readonly #windowSamples: number;
  readonly #tones: readonly { readonly hz: MainsHz; readonly tone: Tone }[];
  readonly state: HumSums;

  /** @param state of one that is gone on with */
  constructor(rateHz: number, leads: number, state?: HumSums) {
    this.#windowSamples = Math.round((WINDOW_MS * rateHz) / 1000);
    // What is sampled too slowly has no such frequency.
    this.#tones = MAINS_HZ.filter((hz) => hz < 0.45 * rateHz).map((hz, index) => ({
      hz,
      tone: new Tone(hz, rateHz, leads, state?.tones[index]),
    }));
    this.state = state ?? {
      sums: new Float64Array(leads),
      tones: this.#tones.map(({ tone }) => tone.state),
      count: 0,
    };
  }

  /** @param mv of each lead; 0 where it is not usable */
  next(mv: Float64Array): void {
    const { state } = this;
    const { sums } = state;
    for (let lead = 0; lead < mv.length; lead++) sums[lead] = (sums[lead] as number) + (mv[lead] as number);
    for (const { tone } of this.#tones) tone.next(mv);
    if (++state.count < this.#windowSamples) return;
    for (const { tone } of this.#tones) {
      const { last } = tone.state;
      last.push(1000 * tone.take(sums, state.count));
      if (last.length > WINDOWS) last.shift();
    }
    this.#begin();
  }

  /** Something is missing, or another signal begins. */
  restart(): void {
    for (const { tone } of this.#tones) {
      tone.clear();
      tone.state.last.length = 0;
    }
    this.#begin();
  }

  #begin(): void {
    this.state.count = 0;
    this.state.sums.fill(0);
  }

  /** Undefined until it is known, and where it does not disturb. */
  get disturbing(): Hum | undefined {
    const found = this.#tones
      .map(({ hz, tone }) => ({ hz, last: tone.state.last }))
      .filter(({ last }) => last.length === WINDOWS)
      .map(({ hz, last }): Hum => ({ hz, uv: Math.min(...last) }))
      .sort((a, b) => b.uv - a.uv)[0];
    return found !== undefined && found.uv >= DISTURBING_UV
      ? { hz: found.hz, uv: Math.round(found.uv) }
      : undefined;
  }
}
