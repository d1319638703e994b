// XXH64 of bytes, seed 0 (xxHash specification, version 0.1.1), in halves of 32 bits: the checksum of a Zstandard
// frame. The libraries that have it are asynchronous, and a thread that is ended while its modules wait for one
// ends the whole program.

/** 64 bits as two halves, each of 0 to 2³² - 1. */
interface Wide {
  hi: number;
  lo: number;
}

const PRIME_1: Readonly<Wide> = { hi: 0x9e3779b1, lo: 0x85ebca87 };
const PRIME_2: Readonly<Wide> = { hi: 0xc2b2ae3d, lo: 0x27d4eb4f };
const PRIME_3: Readonly<Wide> = { hi: 0x165667b1, lo: 0x9e3779f9 };
const PRIME_4: Readonly<Wide> = { hi: 0x85ebca77, lo: 0xc2b2ae63 };
const PRIME_5: Readonly<Wide> = { hi: 0x27d4eb2f, lo: 0x165667c5 };
const STRIPE_BYTES = 32;

function add(to: Wide, hi: number, lo: number): void {
  const sum = to.lo + lo;
  to.hi = (to.hi + hi + (sum > 0xff_ff_ff_ff ? 1 : 0)) >>> 0;
  to.lo = sum >>> 0;
}

function multiply(value: Wide, by: Readonly<Wide>): void {
  const [a0, a1] = [value.lo & 0xffff, value.lo >>> 16];
  const [b0, b1] = [by.lo & 0xffff, by.lo >>> 16];
  const low = a0 * b0;
  const middle = a0 * b1 + a1 * b0 + (low >>> 16);
  const carried = a1 * b1 + Math.floor(middle / 0x1_0000);
  value.hi = (carried + Math.imul(value.hi, by.lo) + Math.imul(value.lo, by.hi)) >>> 0;
  value.lo = (((middle & 0xffff) << 16) | (low & 0xffff)) >>> 0;
}

/** @param bits 0 to 31 */
function rotateLeft(value: Wide, bits: number): void {
  // A shift by 32 would be one by 0.
  if (bits === 0) return;
  const { hi, lo } = value;
  value.hi = ((hi << bits) | (lo >>> (32 - bits))) >>> 0;
  value.lo = ((lo << bits) | (hi >>> (32 - bits))) >>> 0;
}

/** Xor with itself, moved right. @param bits 1 to 63 */
function fold(value: Wide, bits: number): void {
  const { hi, lo } = value;
  if (bits < 32) value.lo = (lo ^ ((lo >>> bits) | (hi << (32 - bits)))) >>> 0;
  else value.lo = (lo ^ (hi >>> (bits - 32))) >>> 0;
  if (bits < 32) value.hi = (hi ^ (hi >>> bits)) >>> 0;
}

function takeIn(lane: Wide, hi: number, lo: number): void {
  const product = { hi, lo };
  multiply(product, PRIME_2);
  add(lane, product.hi, product.lo);
  rotateLeft(lane, 31);
  multiply(lane, PRIME_1);
}

function mix(hash: Wide, by: Wide, bits: number, factor: Readonly<Wide>, plus: Readonly<Wide>): void {
  hash.hi = (hash.hi ^ by.hi) >>> 0;
  hash.lo = (hash.lo ^ by.lo) >>> 0;
  rotateLeft(hash, bits);
  multiply(hash, factor);
  add(hash, plus.hi, plus.lo);
}

const NOTHING: Readonly<Wide> = { hi: 0, lo: 0 };

/** Hashes the whole stripes: four lanes side by side, which then become one. */
function hashStripes(view: DataView): Wide {
  const hash: Wide = { ...PRIME_5 };
  if (view.byteLength < STRIPE_BYTES) return hash;
  const lanes: [Wide, Wide, Wide, Wide] = [{ ...PRIME_1 }, { ...PRIME_2 }, { ...NOTHING }, { ...NOTHING }];
  add(lanes[0], PRIME_2.hi, PRIME_2.lo);
  // 0 - PRIME_1 in two's complement.
  add(lanes[3], ~PRIME_1.hi >>> 0, ~PRIME_1.lo >>> 0);
  add(lanes[3], 0, 1);
  const end = view.byteLength - (view.byteLength % STRIPE_BYTES);
  for (let at = 0; at < end; at += STRIPE_BYTES)
    for (let lane = 0; lane < 4; lane++)
      takeIn(
        lanes[lane] as Wide,
        view.getUint32(at + 8 * lane + 4, true),
        view.getUint32(at + 8 * lane, true),
      );
  hash.hi = hash.lo = 0;
  for (const [i, bits] of [1, 7, 12, 18].entries()) {
    const turned = { ...(lanes[i] as Wide) };
    rotateLeft(turned, bits);
    add(hash, turned.hi, turned.lo);
  }
  for (const lane of lanes) {
    const round = { ...NOTHING };
    takeIn(round, lane.hi, lane.lo);
    mix(hash, round, 0, PRIME_1, PRIME_4);
  }
  return hash;
}

/** The lower half of the hash. @param bytes fewer than 2³² */
export function xxh64Low(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hash = hashStripes(view);
  add(hash, 0, bytes.length);
  let at = bytes.length - (bytes.length % STRIPE_BYTES);
  for (; at + 8 <= bytes.length; at += 8) {
    const round = { ...NOTHING };
    takeIn(round, view.getUint32(at + 4, true), view.getUint32(at, true));
    mix(hash, round, 27, PRIME_1, PRIME_4);
  }
  for (; at + 4 <= bytes.length; at += 4) {
    const word = { hi: 0, lo: view.getUint32(at, true) };
    multiply(word, PRIME_1);
    mix(hash, word, 23, PRIME_2, PRIME_3);
  }
  for (; at < bytes.length; at++) {
    const byte = { hi: 0, lo: view.getUint8(at) };
    multiply(byte, PRIME_5);
    mix(hash, byte, 11, PRIME_1, NOTHING);
  }
  fold(hash, 33);
  multiply(hash, PRIME_2);
  fold(hash, 29);
  multiply(hash, PRIME_3);
  fold(hash, 32);
  return hash.lo;
}
