// A learned decision: boosted trees over a few named numbers (Friedman, Ann Stat 2001;29:1189-1232; Chen & Guestrin, KDD
// 2016:785-794), the same bits on every machine. Trees are data; training/README.md says how they are made.

/** What is decided by which numbers. */
export interface TreeModel {
  readonly inputs: readonly string[];
  /** Several that leave no other, or one that is there or not. */
  readonly classes: readonly string[];
  /** Score of each class before the first tree. */
  readonly base: readonly number[];
  /** The limits of each input, in rising order. */
  readonly limits: readonly (readonly number[])[];
  /** The median of each input over the training examples. */
  readonly usual: readonly number[];
  /**
   * The trees, class after class and round after round, from the root on; three bytes a node. `[input, limit, skip]`: values below that
   * limit go on with the next node, others, and those that are not known, so many nodes ahead. `[255, high, low]`: the score, a
   * whole number of `SCORE_UNIT`.
   */
  readonly nodes: Uint8Array;
}

/** A model as its module keeps it. @param json all but the nodes; line breaks between its characters mean nothing */
export const treeModel = (json: string, nodes: Uint8Array): TreeModel => ({
  ...(JSON.parse(json.replaceAll('\n', '')) as Omit<TreeModel, 'nodes'>),
  nodes,
});

const NODE_BYTES = 3;
export const LEAF = 255;
export const SCORE_UNIT = 1 / 5000;

export interface StrongInput<Input extends string = string> {
  readonly input: Input;
  readonly value: number;
}

export class TreeDecision<Input extends string = string> {
  readonly #model: TreeModel;
  /** Where each tree begins, in bytes. */
  readonly #roots: readonly number[];

  constructor(model: TreeModel) {
    this.#model = model;
    const roots: number[] = [];
    for (let at = 0; at < model.nodes.length; at = this.#endOf(at)) roots.push(at);
    this.#roots = roots;
  }

  /** Where the tree that begins here has ended. */
  #endOf(at: number): number {
    const { nodes } = this.#model;
    if (nodes[at] === LEAF) return at + NODE_BYTES;
    return this.#endOf(at + NODE_BYTES * (nodes[at + 2] as number));
  }

  #scoreOf(root: number, values: ArrayLike<number>): number {
    const { nodes, limits } = this.#model;
    let at = root;
    for (let input = nodes[at] as number; input !== LEAF; input = nodes[at] as number) {
      const limit = limits[input]?.[nodes[at + 1] as number] as number;
      at += NODE_BYTES * ((values[input] as number) < limit ? 1 : (nodes[at + 2] as number));
    }
    return (((nodes[at + 1] as number) << 24) >> 16) + (nodes[at + 2] as number);
  }

  #scores(values: ArrayLike<number>): number[] {
    const { base } = this.#model;
    const sums = new Float64Array(base.length);
    for (const [i, root] of this.#roots.entries())
      sums[i % base.length] = (sums[i % base.length] as number) + this.#scoreOf(root, values);
    return base.map((score, k) => score + SCORE_UNIT * (sums[k] as number));
  }

  /**
   * @param values one an input, NaN where it is not known
   * @returns one a class, in the order of the model; of a single class, how likely it is rather than not
   */
  probabilities(values: ArrayLike<number>): number[] {
    const scores = this.#scores(values);
    if (scores.length === 1) return [1 / (1 + Math.exp(-(scores[0] as number)))];
    const highest = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - highest));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((power) => power / sum);
  }

  /** How much the score of a class is above the best of the others. */
  #lead(values: ArrayLike<number>, own: number): number {
    const scores = this.#scores(values);
    return (scores[own] as number) - Math.max(...scores.filter((_, k) => k !== own));
  }

  /** The inputs that speak for a class most: with its usual value, each would cost that class most of its lead. */
  strongest(values: Float64Array, own: number, count: number): StrongInput<Input>[] {
    const { inputs, usual } = this.#model;
    const lead = this.#lead(values, own);
    return inputs
      .map((input, i) => {
        const without = values.slice();
        without[i] = usual[i] as number;
        return { input: input as Input, value: values[i] as number, gain: lead - this.#lead(without, own) };
      })
      .filter(({ gain, value }) => gain > 0 && !Number.isNaN(value))
      .sort((a, b) => b.gain - a.gain)
      .slice(0, count)
      .map(({ input, value }) => ({ input, value }));
  }
}
