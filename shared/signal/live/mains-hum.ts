// How much hum of the mains is in the leads: the share of each second that turns with 50 or with 60 Hz. A QRS
// has a little of everything, but not in every second the same; hum is there all the time, so that the least
// of the last seconds counts.

const WINDOW_MS = 1000;
const WINDOWS = 3;
export const MAINS_HZ = [50, 60] as const;
export type MainsHz = (typeof MAINS_HZ)[number];
/** From here on it disturbs who reads the ECG (E26). */
export const DISTURBING_UV = 25;

export interface Hum {
  readonly hz: MainsHz;
  /** Peak, of the lead that has the most. */
  readonly uv: number;
}

/** One frequency in all leads. */
class Tone {
  readonly #stepCos: number;
  readonly #stepSin: number;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;
  #cos = 1;
  #sin = 0;
  #sumCos = 0;
  #sumSin = 0;

  constructor(hz: number, rateHz: number, leads: number) {
    const angle = (2 * Math.PI * hz) / rateHz;
    this.#stepCos = Math.cos(angle);
    this.#stepSin = Math.sin(angle);
    this.#real = new Float64Array(leads);
    this.#imaginary = new Float64Array(leads);
  }

  next(mv: Float64Array): void {
    const [real, imaginary, cos, sin] = [this.#real, this.#imaginary, this.#cos, this.#sin];
    for (let lead = 0; lead < mv.length; lead++) {
      const value = mv[lead] as number;
      real[lead] = (real[lead] as number) + value * cos;
      imaginary[lead] = (imaginary[lead] as number) + value * sin;
    }
    this.#sumCos += cos;
    this.#sumSin += sin;
    this.#cos = cos * this.#stepCos - sin * this.#stepSin;
    this.#sin = sin * this.#stepCos + cos * this.#stepSin;
  }

  /** The largest amplitude over a window, without what an offset alone would give; begins the next window. */
  take(sums: Float64Array, count: number): number {
    let most = 0;
    for (let lead = 0; lead < sums.length; lead++) {
      const mean = (sums[lead] as number) / count;
      const real = (this.#real[lead] as number) - mean * this.#sumCos;
      const imaginary = (this.#imaginary[lead] as number) - mean * this.#sumSin;
      most = Math.max(most, (2 * Math.hypot(real, imaginary)) / count);
    }
    this.clear();
    return most;
  }

  clear(): void {
    this.#real.fill(0);
    this.#imaginary.fill(0);
    this.#cos = 1;
    this.#sin = 0;
    this.#sumCos = 0;
    this.#sumSin = 0;
  }
}

export class MainsHum {
  readonly #windowSamples: number;
  readonly #tones: readonly { readonly hz: MainsHz; readonly tone: Tone; readonly last: number[] }[];
  readonly #sums: Float64Array;
  #count = 0;

  constructor(rateHz: number, leads: number) {
    this.#windowSamples = Math.round((WINDOW_MS * rateHz) / 1000);
    this.#sums = new Float64Array(leads);
    // What is sampled too slowly has no such frequency.
    this.#tones = MAINS_HZ.filter((hz) => hz < 0.45 * rateHz).map((hz) => ({
      hz,
      tone: new Tone(hz, rateHz, leads),
      last: [],
    }));
  }

  /** @param mv of each lead; 0 where it is not usable */
  next(mv: Float64Array): void {
    for (let lead = 0; lead < mv.length; lead++)
      this.#sums[lead] = (this.#sums[lead] as number) + (mv[lead] as number);
    for (const { tone } of this.#tones) tone.next(mv);
    if (++this.#count < this.#windowSamples) return;
    for (const { tone, last } of this.#tones) {
      last.push(1000 * tone.take(this.#sums, this.#count));
      if (last.length > WINDOWS) last.shift();
    }
    this.#begin();
  }

  /** Something is missing, or another signal begins. */
  restart(): void {
    for (const { tone, last } of this.#tones) {
      tone.clear();
      last.length = 0;
    }
    this.#begin();
  }

  #begin(): void {
    this.#count = 0;
    this.#sums.fill(0);
  }

  /** Undefined until it is known, and where it does not disturb. */
  get disturbing(): Hum | undefined {
    const found = this.#tones
      .filter(({ last }) => last.length === WINDOWS)
      .map(({ hz, last }): Hum => ({ hz, uv: Math.min(...last) }))
      .sort((a, b) => b.uv - a.uv)[0];
    return found !== undefined && found.uv >= DISTURBING_UV
      ? { hz: found.hz, uv: Math.round(found.uv) }
      : undefined;
  }
}
