// The network that marks P, QRS and T on one lead: a 1-D U-Net (Ronneberger 2015) at 125 rows a second, each row
// two samples. Its layers are those of training/wave_network.py, which made its weights.

import { type Convolve, openConvolution } from './convolution.ts';

/** Samples a second of a lead that goes in. */
export const NETWORK_RATE_HZ = 250;
/** So many samples go in at once; a shorter lead ends in zeros. */
export const NETWORK_SAMPLES = 2560;
/** Scores of a sample, and the place of each kind among them. */
export const SCORES = 4;
export const SCORE_OF = { none: 0, P: 1, QRS: 2, T: 3 } as const;

const CHANNELS = [12, 16, 24, 32] as const;
const WIDTHS = [7, 5, 5, 7] as const;
const SAMPLES_A_ROW = 2;
/** Rows of zeros before and behind, for the reach of the widest convolution. */
const PAD_ROWS = 4;
const LARGEST_WEIGHT = 32_767;
const NO_FLOOR = Number.NEGATIVE_INFINITY;

/** A stretch of the network's memory; addresses count its floats. */
interface Rows {
  readonly at: number;
  readonly channels: number;
  readonly count: number;
}

interface Layer {
  readonly width: number;
  readonly inputs: number;
  readonly outputs: number;
}

const TOP = CHANNELS.length - 1;
const inputsUp = (level: number): number => (CHANNELS[level] as number) + (CHANNELS[level + 1] as number);

function pairOfLayers(level: number, inputs: number): Layer[] {
  const [width, outputs] = [WIDTHS[level] as number, CHANNELS[level] as number];
  return [
    { width, inputs, outputs },
    { width, inputs: outputs, outputs },
  ];
}

/** In the order in which they are applied, which is that of the weights. */
const LAYERS: readonly Layer[] = [
  ...CHANNELS.flatMap((_, level) =>
    pairOfLayers(level, level === 0 ? SAMPLES_A_ROW : (CHANNELS[level - 1] as number)),
  ),
  ...CHANNELS.slice(0, TOP).flatMap((_, k) => pairOfLayers(TOP - 1 - k, inputsUp(TOP - 1 - k))),
  { width: 1, inputs: CHANNELS[0], outputs: SAMPLES_A_ROW * SCORES },
];

interface LoadedLayer extends Layer {
  readonly weightsAt: number;
  readonly offsetsAt: number;
}

/** Gives out the memory piece by piece, at addresses that vectors can be read from. */
class Plan {
  #floats = 0;

  take(count: number): number {
    const at = this.#floats;
    this.#floats += Math.ceil(count / 4) * 4;
    return at;
  }

  rows(channels: number, count: number): Rows {
    const at = this.take((count + 2 * PAD_ROWS) * channels) + PAD_ROWS * channels;
    return { at, channels, count };
  }

  get bytes(): number {
    return 4 * this.#floats;
  }
}

export interface WaveScores {
  /**
   * @param lead `NETWORK_SAMPLES` at most, normalised
   * @returns SCORES numbers a sample; overwritten by the next run
   */
  scores(lead: Float32Array): Float32Array;
}

/**
 * Holds the weights and the memory of one run after the other. The same samples give the same scores, to the bit,
 * wherever it runs.
 */
export class WaveNetwork implements WaveScores {
  readonly #convolve: Convolve;
  readonly #floats: Float32Array;
  readonly #layers: readonly LoadedLayer[];
  readonly #input: Rows;
  /** By level: two to work in, and what is joined on the way up. */
  readonly #work: readonly (readonly [Rows, Rows])[];
  readonly #pooled: readonly Rows[];
  readonly #joined: readonly Rows[];
  readonly #output: Rows;

  /** @param weights as training/wave_network.py writes them @throws RangeError where they are of another network */
  constructor(weights: Uint8Array) {
    const plan = new Plan();
    const count = (level: number): number => NETWORK_SAMPLES / SAMPLES_A_ROW / 2 ** level;
    this.#layers = LAYERS.map((layer) => ({
      ...layer,
      weightsAt: plan.take(layer.width * layer.inputs * layer.outputs),
      offsetsAt: plan.take(layer.outputs),
    }));
    this.#input = plan.rows(SAMPLES_A_ROW, count(0));
    this.#work = CHANNELS.map((channels, level) => [
      plan.rows(channels, count(level)),
      plan.rows(channels, count(level)),
    ]);
    this.#pooled = CHANNELS.slice(0, TOP).map((channels, level) => plan.rows(channels, count(level + 1)));
    this.#joined = CHANNELS.slice(0, TOP).map((_, level) => plan.rows(inputsUp(level), count(level)));
    this.#output = plan.rows(SAMPLES_A_ROW * SCORES, count(0));
    const { convolve, floats } = openConvolution(plan.bytes);
    this.#convolve = convolve;
    this.#floats = floats;
    this.#load(weights);
  }

  #load(weights: Uint8Array): void {
    const view = new DataView(weights.buffer, weights.byteOffset, weights.byteLength);
    let at = 0;
    for (const { width, inputs, outputs, weightsAt, offsetsAt } of this.#layers) {
      const taps = width * inputs;
      const step = view.getFloat32(at, true) / LARGEST_WEIGHT;
      at += 4;
      for (let tap = 0; tap < taps; tap++)
        for (let output = 0; output < outputs; output++) {
          const to = weightsAt + (output >> 2) * 4 * taps + 4 * tap + (output & 3);
          this.#floats[to] = step * view.getInt16(at, true);
          at += 2;
        }
      for (let output = 0; output < outputs; output++) {
        this.#floats[offsetsAt + output] = view.getFloat32(at, true);
        at += 4;
      }
    }
    if (at !== weights.byteLength) throw new RangeError('These are not the weights of the wave network.');
  }

  #apply(layer: number, input: Rows, output: Rows): void {
    const { width, inputs, outputs, weightsAt, offsetsAt } = this.#layers[layer] as LoadedLayer;
    this.#convolve(
      4 * (input.at - ((width - 1) / 2) * inputs),
      inputs,
      width * inputs,
      4 * weightsAt,
      4 * offsetsAt,
      4 * output.at,
      outputs / 4,
      output.count,
      layer === this.#layers.length - 1 ? NO_FLOOR : 0,
    );
  }

  /** The larger one of each two neighbours. */
  #pool(from: Rows, to: Rows): void {
    const [floats, { channels }] = [this.#floats, from];
    for (let row = 0; row < to.count; row++)
      for (let k = 0; k < channels; k++) {
        const first = from.at + 2 * row * channels + k;
        floats[to.at + row * channels + k] = Math.max(
          floats[first] as number,
          floats[first + channels] as number,
        );
      }
  }

  /** Each row of `deep` twice, with those of `level` beside it. */
  #join(deep: Rows, level: Rows, to: Rows): void {
    const floats = this.#floats;
    for (let row = 0; row < to.count; row++) {
      const at = to.at + row * to.channels;
      const first = deep.at + (row >> 1) * deep.channels;
      const second = level.at + row * level.channels;
      floats.copyWithin(at, first, first + deep.channels);
      floats.copyWithin(at + deep.channels, second, second + level.channels);
    }
  }

  scores(lead: Float32Array): Float32Array {
    const floats = this.#floats;
    floats.fill(0, this.#input.at, this.#input.at + NETWORK_SAMPLES);
    floats.set(lead, this.#input.at);
    let layer = 0;
    let rows = this.#input;
    for (const [level, [first, second]] of this.#work.entries()) {
      this.#apply(layer++, rows, first);
      this.#apply(layer++, first, second);
      rows = second;
      const pooled = this.#pooled[level];
      if (pooled === undefined) break;
      this.#pool(second, pooled);
      rows = pooled;
    }
    for (let level = TOP - 1; level >= 0; level--) {
      const [first, second] = this.#work[level] as readonly [Rows, Rows];
      const joined = this.#joined[level] as Rows;
      this.#join(rows, second, joined);
      this.#apply(layer++, joined, first);
      this.#apply(layer++, first, second);
      rows = second;
    }
    this.#apply(layer, rows, this.#output);
    return floats.subarray(this.#output.at, this.#output.at + SCORES * NETWORK_SAMPLES);
  }
}
