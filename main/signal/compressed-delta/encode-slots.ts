// Samples into the slots of a Compressed Delta block.

import type { DeltaState } from './decode-slots.ts';
import type { BitsPerSample, Coding } from './header.ts';

/**
 * Writes the slots of one channel. @returns false where a value or a difference leaves the width: differences
 * are then written wrapped (A3), which only a reader that makes the same assumption undoes. `state` is left
 * behind the last sample.
 */
export function encodeSlots(
  samples: Int32Array,
  bits: BitsPerSample,
  coding: Coding,
  state: DeltaState,
  coded: Uint8Array,
  startByte: number,
): boolean {
  return bits === 16
    ? encode16(samples, coding, state, coded, startByte)
    : encodeAnyWidth(samples, bits, coding, state, coded, startByte);
}

function encode16(
  samples: Int32Array,
  coding: Coding,
  state: DeltaState,
  coded: Uint8Array,
  startByte: number,
): boolean {
  const isPlain = coding === 'twosComplement';
  const isDouble = coding === 'doubleDelta';
  let { sample, difference } = state;
  // Any bit that is set here stands for a value that left its sixteen bits.
  let overflow = 0;
  let at = startByte;
  for (let i = 0; i < samples.length; i++, at += 2) {
    const value = samples[i] as number;
    const first = value - sample;
    const wanted = isPlain ? value : isDouble ? first - difference : first;
    if (isDouble) overflow |= ((first << 16) >> 16) ^ first;
    const wrapped = (wanted << 16) >> 16;
    overflow |= (((value << 16) >> 16) ^ value) | (wrapped ^ wanted);
    const slot = isPlain ? wrapped : (wrapped << 1) ^ (wrapped >> 31);
    coded[at] = slot;
    coded[at + 1] = slot >> 8;
    sample = value;
    difference = first;
  }
  state.sample = sample;
  state.difference = difference;
  return overflow === 0;
}

function encodeAnyWidth(
  samples: Int32Array,
  bits: BitsPerSample,
  coding: Coding,
  state: DeltaState,
  coded: Uint8Array,
  startByte: number,
): boolean {
  const width = bits / 8;
  const shift = 32 - bits;
  const limit = 2 ** (bits - 1);
  let isInside = true;
  let { sample, difference } = state;
  let at = startByte;
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i] as number;
    // Differences of 32-bit samples need more than 32 bits; as numbers they are exact.
    const first = value - sample;
    const wanted = coding === 'twosComplement' ? value : coding === 'delta' ? first : first - difference;
    isInside &&=
      inside(value, limit) && inside(wanted, limit) && (coding !== 'doubleDelta' || inside(first, limit));
    const wrapped = (wanted << shift) >> shift;
    const slot = coding === 'twosComplement' ? wrapped : (wrapped << 1) ^ (wrapped >> 31);
    for (let byte = 0; byte < width; byte++) coded[at++] = slot >> (8 * byte);
    sample = value;
    difference = first;
  }
  state.sample = sample;
  state.difference = difference;
  return isInside;
}

const inside = (value: number, limit: number): boolean => value >= -limit && value < limit;

/**
 * The smallest width that holds all samples; INVALID_SAMPLE has no code in the format and must be replaced
 * before.
 */
export function widthFor(minimum: number, maximum: number): BitsPerSample {
  for (const bits of [16, 24] as const)
    if (inside(minimum, 2 ** (bits - 1)) && inside(maximum, 2 ** (bits - 1))) return bits;
  return 32;
}
