// Samples from the slots of a Compressed Delta block.

import type { BitsPerSample, Coding, DeltaHeader } from './header.ts';

/**
 * Where the running sums of a channel stand: its last sample and its last difference, both 0 before the first
 * sample (A1, A2).
 */
export interface DeltaState {
  sample: number;
  difference: number;
}

/**
 * Decodes as many slots of one channel as `target` is long, from `startByte` on. `state` says where the sums
 * stand before, and is left behind the last sample. Sums wrap within the width of a sample (A3).
 */
export function decodeSlots(
  coded: Uint8Array,
  startByte: number,
  bits: BitsPerSample,
  coding: Coding,
  state: DeltaState,
  target: Int32Array,
): void {
  if (bits === 16) decode16(coded, startByte, coding, state, target);
  else decodeAnyWidth(coded, startByte, bits, coding, state, target);
}

function decode16(
  coded: Uint8Array,
  startByte: number,
  coding: Coding,
  state: DeltaState,
  target: Int32Array,
): void {
  let { sample, difference } = state;
  const count = target.length;
  let at = startByte;
  if (coding === 'twosComplement') {
    for (let i = 0; i < count; i++, at += 2)
      target[i] = (((coded[at + 1] as number) << 24) >> 16) | (coded[at] as number);
    if (count > 0) sample = target[count - 1] as number;
  } else if (coding === 'delta') {
    for (let i = 0; i < count; i++, at += 2) {
      const folded = (coded[at] as number) | ((coded[at + 1] as number) << 8);
      sample = ((sample + ((folded >>> 1) ^ -(folded & 1))) << 16) >> 16;
      target[i] = sample;
    }
  } else {
    for (let i = 0; i < count; i++, at += 2) {
      const folded = (coded[at] as number) | ((coded[at + 1] as number) << 8);
      difference = ((difference + ((folded >>> 1) ^ -(folded & 1))) << 16) >> 16;
      sample = ((sample + difference) << 16) >> 16;
      target[i] = sample;
    }
  }
  state.sample = sample;
  state.difference = difference;
}

function slotAt(coded: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let i = width - 1; i >= 0; i--) value = (value << 8) | (coded[at + i] as number);
  return value;
}

function decodeAnyWidth(
  coded: Uint8Array,
  startByte: number,
  bits: BitsPerSample,
  coding: Coding,
  state: DeltaState,
  target: Int32Array,
): void {
  const width = bits / 8;
  const shift = 32 - bits;
  let { sample, difference } = state;
  let at = startByte;
  for (let i = 0; i < target.length; i++, at += width) {
    const slot = slotAt(coded, at, width);
    const unfolded = (slot >>> 1) ^ -(slot & 1);
    if (coding === 'twosComplement') sample = (slot << shift) >> shift;
    else if (coding === 'delta') sample = ((sample + unfolded) << shift) >> shift;
    else {
      difference = ((difference + unfolded) << shift) >> shift;
      sample = ((sample + difference) << shift) >> shift;
    }
    target[i] = sample;
  }
  state.sample = sample;
  state.difference = difference;
}

/**
 * How the differences of a device begin, where it isn't as assumed (A1, A2): the first sample stored as it
 * is, the first difference stored as it is, or both. Central service, section 5.
 */
export interface DeltaStart {
  readonly isFirstRaw: boolean;
  readonly isFirstDifferencePlain: boolean;
}

export const DEFAULT_START: DeltaStart = { isFirstRaw: false, isFirstDifferencePlain: false };

/** Decodes one channel of a block from its first slot on. */
export function decodeChannel(
  coded: Uint8Array,
  startByte: number,
  { bitsPerSample, coding }: Pick<DeltaHeader, 'bitsPerSample' | 'coding'>,
  start: DeltaStart,
  target: Int32Array,
): void {
  const state: DeltaState = { sample: 0, difference: 0 };
  if (coding === 'twosComplement' || (!start.isFirstRaw && !start.isFirstDifferencePlain)) {
    decodeSlots(coded, startByte, bitsPerSample, coding, state, target);
    return;
  }
  decodeSlots(
    coded,
    startByte,
    bitsPerSample,
    start.isFirstRaw ? 'twosComplement' : coding,
    state,
    target.subarray(0, 1),
  );
  state.difference = start.isFirstDifferencePlain ? 0 : state.sample;
  decodeSlots(coded, startByte + bitsPerSample / 8, bitsPerSample, coding, state, target.subarray(1));
}
