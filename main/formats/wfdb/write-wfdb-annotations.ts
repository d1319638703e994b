// Writes annotation files in the MIT format: what `wfdb-annotations.ts` reads. Formats reference, section
// 2.4.

import type { FileAnnotation } from '../../../shared/signal/recording.ts';
import type { Deviations } from '../deviations.ts';
import { AUX_CODE, codeOfSymbol, NOTE_CODE, SKIP_CODE } from './wfdb-annotations.ts';

const MAX_INTERVAL = 1023;
const MAX_SKIP = 2 ** 31 - 1;
const MAX_TEXT_BYTES = 1023;
/** Ticks a second where remarks lie between frames: finer than any sample. */
const FINE_TICKS = 100_000;
/** How far a time may be off its frame, in frames. */
const TOLERANCE = 1e-3;

/** As many bytes as fit, no letter cut apart. */
function textBytes(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  let end = Math.min(bytes.length, MAX_TEXT_BYTES);
  while (end < bytes.length && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}

class AnnotationBytes {
  readonly bytes: number[] = [];
  #tick = 0;

  #word(code: number, value: number): void {
    this.bytes.push(value & 255, (code << 2) | (value >> 8));
  }

  /** Several skips follow each other where one is not enough. */
  add(code: number, tick: number, text: string | undefined): void {
    let interval = tick - this.#tick;
    this.#tick = tick;
    while (interval > MAX_INTERVAL) {
      const skip = Math.min(interval, MAX_SKIP);
      this.#word(SKIP_CODE, 0);
      this.bytes.push((skip >> 16) & 255, (skip >> 24) & 255, skip & 255, (skip >> 8) & 255);
      interval -= skip;
    }
    this.#word(code, interval);
    if (text === undefined) return;
    const aux = textBytes(text);
    this.#word(AUX_CODE, aux.length);
    for (const byte of aux) this.bytes.push(byte);
    if (aux.length % 2 === 1) this.bytes.push(0);
  }

  end(): Uint8Array {
    this.#word(0, 0);
    return Uint8Array.from(this.bytes);
  }
}

function noteLosses(annotations: readonly FileAnnotation[], deviations: Deviations): void {
  const count = (isLost: (annotation: FileAnnotation) => boolean): number =>
    annotations.filter(isLost).length;
  const early = count(({ onsetSeconds }) => onsetSeconds < 0);
  const lasting = count(({ durationSeconds }) => durationSeconds !== undefined);
  const long = count(({ text }) => textBytes(text).length < new TextEncoder().encode(text).length);
  if (early > 0) deviations.add('annotation_before_start', { count: early });
  if (lasting > 0) deviations.add('annotation_duration_lost', { count: lasting });
  if (long > 0) deviations.add('annotation_cut', { count: long, bytes: MAX_TEXT_BYTES });
}

/** A mark in an annotation file: a beat, or a change of rhythm with its name. */
export interface WfdbMark {
  readonly sample: number;
  readonly symbol: string;
  readonly text?: string;
}

/** @param marks in order @param ticksPerSecond stated where the record has another frame rate */
export function markBytes(marks: readonly WfdbMark[], ticksPerSecond: number | undefined): Uint8Array {
  const written = new AnnotationBytes();
  if (ticksPerSecond !== undefined) written.add(NOTE_CODE, 0, `## time resolution: ${ticksPerSecond}`);
  for (const { sample, symbol, text } of marks) written.add(codeOfSymbol(symbol) ?? NOTE_CODE, sample, text);
  return written.end();
}

/**
 * Texts that are no symbol of the format become notes. Times are in frames, or finer where a remark lies
 * between two.
 */
export function wfdbAnnotationBytes(
  annotations: readonly FileAnnotation[],
  frameRateHz: number,
  deviations: Deviations,
): Uint8Array {
  noteLosses(annotations, deviations);
  const isOnFrame = ({ onsetSeconds }: FileAnnotation): boolean => {
    const frame = onsetSeconds * frameRateHz;
    return onsetSeconds < 0 || Math.abs(frame - Math.round(frame)) < TOLERANCE;
  };
  const isCoarse = annotations.every(isOnFrame);
  const ticksPerSecond = isCoarse ? frameRateHz : FINE_TICKS;
  const written = new AnnotationBytes();
  if (!isCoarse) written.add(NOTE_CODE, 0, `## time resolution: ${FINE_TICKS}`);
  const placed = annotations.map(({ onsetSeconds, text }) => ({
    text,
    tick: Math.max(0, Math.round(onsetSeconds * ticksPerSecond)),
  }));
  for (const { text, tick } of placed.sort((a, b) => a.tick - b.tick)) {
    const code = codeOfSymbol(text);
    written.add(code ?? NOTE_CODE, tick, code === undefined ? text : undefined);
  }
  return written.end();
}
