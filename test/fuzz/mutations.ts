// Ways in which a file may be damaged or forged. Each takes bytes and gives other bytes; all chance comes
// from the generator given.

export class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0 || 1;
  }
  /** 0 … below − 1 */
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % Math.max(1, limit);
  }
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

export type Mutation = (bytes: Uint8Array, chance: Chance) => Uint8Array;

/** Damage is worst where the structure is: half of it goes into the first kilobyte. */
const place = (bytes: Uint8Array, chance: Chance): number =>
  chance.below(chance.below(2) === 0 ? Math.min(1024, bytes.length) : bytes.length);

const flipBits: Mutation = (bytes, chance) => {
  const copy = Uint8Array.from(bytes);
  for (let n = 1 + chance.below(12); n > 0 && copy.length > 0; n--) {
    const at = place(copy, chance);
    copy[at] = (copy[at] as number) ^ (1 << chance.below(8));
  }
  return copy;
};

const setBytes: Mutation = (bytes, chance) => {
  const copy = Uint8Array.from(bytes);
  const value = chance.pick([0, 0xff, 0x7f, 0x80, 0x20, 0x14, 0x30]);
  const at = place(copy, chance);
  copy.fill(value, at, at + 1 + chance.below(9));
  return copy;
};

const EXTREMES = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe,
  100_000_000,
];

/** A length or count at an extreme, in either order of bytes. */
const setNumber: Mutation = (bytes, chance) => {
  const copy = Uint8Array.from(bytes);
  if (copy.length < 8) return copy;
  const view = new DataView(copy.buffer);
  const at = Math.min(place(copy, chance), copy.length - 4);
  const value = chance.pick(EXTREMES);
  const isLittle = chance.below(4) !== 0;
  if (chance.below(2) === 0) view.setUint16(at, value & 0xffff, isLittle);
  else view.setUint32(at, value, isLittle);
  return copy;
};

const WORDS = [
  '0',
  '-1',
  '1',
  '9999',
  '99999999',
  '1e300',
  '-1e-300',
  'nan',
  'inf',
  '',
  '2147483648',
  '0x10',
  '1,5',
  '+5',
  '1000000000000',
  '1/0',
  '212x0',
  '16:-3',
  '8x4095',
  '~',
  '16+99999',
  '8',
  '310',
];

/** A number written in letters becomes another; the width of its field stays or not. */
const setWord: Mutation = (bytes, chance) => {
  const text = Buffer.from(bytes).toString('latin1');
  const start = text.slice(place(bytes, chance)).search(/[\d.+-]+/);
  const from = text.length - text.slice(place(bytes, chance)).length + Math.max(0, start);
  const found = /[\d.+-]+/.exec(text.slice(from));
  if (found === null) return flipBits(bytes, chance);
  const at = from + found.index;
  const word = chance.pick(WORDS);
  const isFixed = chance.below(2) === 0;
  const replacement = isFixed ? word.padEnd(found[0].length).slice(0, Math.max(found[0].length, 8)) : word;
  const rest = isFixed ? at + replacement.length : at + found[0].length;
  return Uint8Array.from(Buffer.from(text.slice(0, at) + replacement + text.slice(rest), 'latin1'));
};

const truncate: Mutation = (bytes, chance) => bytes.slice(0, chance.below(bytes.length + 1));

const append: Mutation = (bytes, chance) => {
  const extra = Uint8Array.from({ length: 1 + chance.below(2000) }, () => chance.below(256));
  return Uint8Array.from([...bytes, ...extra]);
};

/** A piece is taken out, doubled, or moved. */
const rearrange: Mutation = (bytes, chance) => {
  const at = place(bytes, chance);
  const piece = bytes.slice(at, at + 1 + chance.below(400));
  const without = [...bytes.slice(0, at), ...bytes.slice(at + piece.length)];
  const kind = chance.below(3);
  if (kind === 0) return Uint8Array.from(without);
  const to = chance.below(bytes.length + 1);
  const into = kind === 1 ? [...bytes] : without;
  return Uint8Array.from([...into.slice(0, to), ...piece, ...into.slice(to)]);
};

export const MUTATIONS: readonly Mutation[] = [
  flipBits,
  flipBits,
  setBytes,
  setNumber,
  setNumber,
  setNumber,
  setWord,
  setWord,
  truncate,
  append,
  rearrange,
];
