// Trains boosted trees: Newton steps on the softmax of several classes, or on the logistic of one, with limits from histograms (Friedman
// 2001; Chen & Guestrin 2016). No chance and one order of sums, so that the same examples give the same trees.

import { LEAF, SCORE_UNIT, type TreeModel } from '../main/analysis/decisions/trees.ts';
import { median } from '../shared/signal/statistics.ts';

export interface Examples {
  readonly inputs: readonly string[];
  readonly classes: readonly string[];
  /** One row an example, one value an input; NaN where it is not known. */
  readonly rows: readonly Float64Array[];
  /** The class of each row; of a single class -1 where the row is not in it. */
  readonly labels: readonly number[];
  readonly weights: readonly number[];
}

export interface TreeOptions {
  readonly rounds: number;
  readonly depth: number;
  /** How much of each step is taken. */
  readonly rate: number;
  /** Pulls the scores of leaves towards nought. */
  readonly lambda: number;
  /** The least sum of second derivatives in a leaf. */
  readonly leastWeight: number;
  /** Per class and input: 1 where a larger value must not speak against the class, -1 where it must not speak for it. */
  readonly monotone?: Readonly<Record<string, Readonly<Record<string, 1 | -1>>>>;
}

const BINS = 64;
/** What two bytes hold. */
const MOST_STEPS = 32_767;

/** Limits between the values of an input, at most so many that each bin holds as much. */
function limitsOf(values: readonly number[]): number[] {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const limits: number[] = [];
  for (let bin = 1; bin < BINS; bin++) {
    const limit = sorted[Math.floor((bin * sorted.length) / BINS)];
    if (limit !== undefined && limit > (limits.at(-1) ?? sorted[0] ?? 0))
      limits.push(Number(limit.toPrecision(5)));
  }
  return [...new Set(limits)].sort((a, b) => a - b);
}

/** In which bin each value lies: the number of limits that it reaches; those that are not known, in the last. */
function binsOf(rows: readonly Float64Array[], input: number, limits: readonly number[]): Uint8Array {
  return Uint8Array.from(rows, (row) => {
    const value = row[input] as number;
    if (Number.isNaN(value)) return BINS;
    let [low, high] = [0, limits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((limits[middle] as number) <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}

type TreeNode = readonly [input: number, bin: number, right: number] | readonly [score: number];

interface Split {
  readonly gain: number;
  readonly input: number;
  readonly bin: number;
  readonly left: number;
  readonly right: number;
}

/** Sums of the first and second derivatives of the loss, bin after bin and input after input. */
interface Histogram {
  readonly g: Float64Array;
  readonly h: Float64Array;
}

/** What a leaf may say at least and at most, so that inputs stay monotone. */
type Bounds = readonly [least: number, most: number];

class TreeGrower {
  readonly #bins: readonly Uint8Array[];
  readonly #limits: readonly (readonly number[])[];
  readonly #options: TreeOptions;
  readonly #signs: readonly (1 | -1 | 0)[];
  readonly #g: Float64Array;
  readonly #h: Float64Array;
  readonly nodes: TreeNode[] = [];

  constructor(
    bins: readonly Uint8Array[],
    limits: readonly (readonly number[])[],
    options: TreeOptions,
    signs: readonly (1 | -1 | 0)[],
    g: Float64Array,
    h: Float64Array,
  ) {
    this.#bins = bins;
    this.#limits = limits;
    this.#options = options;
    this.#signs = signs;
    this.#g = g;
    this.#h = h;
  }

  #scoreOf(g: number, h: number, [least, most]: Bounds): number {
    return Math.min(most, Math.max(least, -g / (h + this.#options.lambda)));
  }

  /** How much a leaf with this score lowers the loss. */
  #gainOf(g: number, h: number, score: number): number {
    return -(g * score + 0.5 * (h + this.#options.lambda) * score * score);
  }

  /** Sums of both derivatives over some rows, for each input and each of its bins. */
  #histogramOf(rows: Uint32Array): Histogram {
    const size = this.#bins.length * (BINS + 1);
    const histogram = { g: new Float64Array(size), h: new Float64Array(size) };
    const g = Float64Array.from(rows, (row) => this.#g[row] as number);
    const h = Float64Array.from(rows, (row) => this.#h[row] as number);
    for (const [input, bins] of this.#bins.entries()) {
      const at = input * (BINS + 1);
      for (let i = 0; i < rows.length; i++) {
        const bin = at + (bins[rows[i] as number] as number);
        histogram.g[bin] = (histogram.g[bin] as number) + (g[i] as number);
        histogram.h[bin] = (histogram.h[bin] as number) + (h[i] as number);
      }
    }
    return histogram;
  }

  #bestSplit(histogram: Histogram, g: number, h: number, bounds: Bounds): Split | undefined {
    const own = this.#gainOf(g, h, this.#scoreOf(g, h, bounds));
    let best: Split | undefined;
    for (const [input, limits] of this.#limits.entries()) {
      const at = input * (BINS + 1);
      let [leftG, leftH] = [0, 0];
      for (let bin = 0; bin < limits.length; bin++) {
        leftG += histogram.g[at + bin] as number;
        leftH += histogram.h[at + bin] as number;
        const [rightG, rightH] = [g - leftG, h - leftH];
        if (leftH < this.#options.leastWeight || rightH < this.#options.leastWeight) continue;
        const [left, right] = [this.#scoreOf(leftG, leftH, bounds), this.#scoreOf(rightG, rightH, bounds)];
        if ((right - left) * (this.#signs[input] as number) < 0) continue;
        const gain = this.#gainOf(leftG, leftH, left) + this.#gainOf(rightG, rightH, right) - own;
        if (gain > (best?.gain ?? 1e-6)) best = { gain, input, bin, left, right };
      }
    }
    return best;
  }

  /**
   * @param known the sums over the rows, where they are known already
   * @returns the index of the node that it made
   */
  grow(rows: Uint32Array, depth: number, bounds: Bounds, known?: Histogram): number {
    let [g, h] = [0, 0];
    for (const row of rows) {
      g += this.#g[row] as number;
      h += this.#h[row] as number;
    }
    const index = this.nodes.length;
    const steps = Math.round((this.#scoreOf(g, h, bounds) * this.#options.rate) / SCORE_UNIT);
    this.nodes.push([Math.max(-MOST_STEPS, Math.min(MOST_STEPS, steps))]);
    if (depth === 0) return index;
    const histogram = known ?? this.#histogramOf(rows);
    const split = this.#bestSplit(histogram, g, h, bounds);
    if (split === undefined) return index;
    const bins = this.#bins[split.input] as Uint8Array;
    const isLeft = (row: number): boolean => (bins[row] as number) <= split.bin;
    const middle = (split.left + split.right) / 2;
    const sign = this.#signs[split.input] as number;
    const [least, most] = bounds;
    const leftBounds: Bounds = sign > 0 ? [least, middle] : sign < 0 ? [middle, most] : bounds;
    const rightBounds: Bounds = sign > 0 ? [middle, most] : sign < 0 ? [least, middle] : bounds;
    const [left, right] = [rows.filter(isLeft), rows.filter((row) => !isLeft(row))];
    const sums = depth === 1 ? undefined : this.#histogramsOf(histogram, left, right);
    this.grow(left, depth - 1, leftBounds, sums?.left);
    const next = this.grow(right, depth - 1, rightBounds, sums?.right);
    this.nodes[index] = [split.input, split.bin, next];
    return index;
  }

  /** The sums of the smaller part; those of the other are what is left of the whole. */
  #histogramsOf(
    whole: Histogram,
    left: Uint32Array,
    right: Uint32Array,
  ): { readonly left: Histogram; readonly right: Histogram } {
    const isLeftSmaller = left.length <= right.length;
    const smaller = this.#histogramOf(isLeftSmaller ? left : right);
    const rest = {
      g: whole.g.map((sum, i) => sum - (smaller.g[i] as number)),
      h: whole.h.map((sum, i) => sum - (smaller.h[i] as number)),
    };
    return isLeftSmaller ? { left: smaller, right: rest } : { left: rest, right: smaller };
  }
}

/** The steps of the leaf that an example comes to. */
function stepsOf(nodes: readonly TreeNode[], bins: readonly Uint8Array[], row: number): number {
  let at = 0;
  for (let node = nodes[at] as TreeNode; ; node = nodes[at] as TreeNode) {
    if (node.length === 1) return node[0];
    const [input, bin, right] = node;
    at = (bins[input]?.[row] as number) <= bin ? at + 1 : right;
  }
}

/** As `TreeModel` keeps them. */
function packed(trees: readonly (readonly TreeNode[])[]): Uint8Array {
  return Uint8Array.from(
    trees.flatMap((nodes) =>
      nodes.flatMap((node, at) => {
        if (node.length === 1) return [LEAF, (node[0] >> 8) & 0xff, node[0] & 0xff];
        const [input, bin, right] = node;
        return [input, bin, right - at];
      }),
    ),
  );
}

/** The probability of each class for each example: the softmax of its scores, or of one class the logistic. */
function probabilitiesOf(scores: readonly Float64Array[]): Float64Array[] {
  const [only] = scores;
  if (only !== undefined && scores.length === 1) return [only.map((score) => 1 / (1 + Math.exp(-score)))];
  const powers = scores.map((score) => score.map(Math.exp));
  const sums = (powers[0] as Float64Array).map((_, i) =>
    powers.reduce((sum, power) => sum + (power[i] as number), 0),
  );
  return powers.map((power) => power.map((value, i) => value / (sums[i] as number)));
}

export function trainTrees(examples: Examples, options: TreeOptions): TreeModel {
  const { inputs, classes, rows, labels, weights } = examples;
  const limits = inputs.map((_, input) => limitsOf(rows.map((row) => row[input] as number)));
  const bins = inputs.map((_, input) => binsOf(rows, input, limits[input] as number[]));
  const total = weights.reduce((a, b) => a + b, 0);
  const base = classes.map((_, k) => {
    const own = weights.reduce((sum, weight, i) => sum + (labels[i] === k ? weight : 0), 0);
    return Number(Math.log(own / (classes.length === 1 ? total - own : total)).toFixed(4));
  });
  const scores = classes.map((_, k) => new Float64Array(rows.length).fill(base[k] as number));
  const everyRow = Uint32Array.from(rows.keys());
  const trees: TreeNode[][] = [];
  for (let round = 0; round < options.rounds; round++) {
    const probabilities = probabilitiesOf(scores);
    for (const [k, name] of classes.entries()) {
      const p = probabilities[k] as Float64Array;
      const g = Float64Array.from(
        rows,
        (_, i) => (weights[i] as number) * ((p[i] as number) - (labels[i] === k ? 1 : 0)),
      );
      const h = Float64Array.from(
        rows,
        (_, i) => (weights[i] as number) * (p[i] as number) * (1 - (p[i] as number)),
      );
      const signs = inputs.map((input) => options.monotone?.[name]?.[input] ?? 0);
      const grower = new TreeGrower(bins, limits, options, signs, g, h);
      grower.grow(everyRow, options.depth, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
      trees.push(grower.nodes);
      const own = scores[k] as Float64Array;
      for (const i of rows.keys()) own[i] = (own[i] as number) + SCORE_UNIT * stepsOf(grower.nodes, bins, i);
    }
  }
  const usual = inputs.map((_, input) =>
    Number(
      (
        median(rows.map((row) => row[input] as number).filter((value) => !Number.isNaN(value))) ?? 0
      ).toPrecision(4),
    ),
  );
  return { inputs, classes, base, limits, usual, nodes: packed(trees) };
}
