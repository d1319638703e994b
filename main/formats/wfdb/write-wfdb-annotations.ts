// Writes annotation files in the MIT format: what `wfdb-annotations.ts` reads. Formats reference, section 2.4.

import type { FileAnnotation } from '../../../shared/signal/recording.ts';
import { AUX_CODE, codeOfSymbol, NOTE_CODE, SKIP_CODE } from './wfdb-annotations.ts';

const MAX_INTERVAL = 1023;
const MAX_TEXT_BYTES = 1023;

/** Times are in frames; texts that are no symbol of the format become notes. */
export function wfdbAnnotationBytes(annotations: readonly FileAnnotation[], frameRateHz: number): Uint8Array {
  const text = new TextEncoder();
  const bytes: number[] = [];
  const word = (code: number, value: number): void => void bytes.push(value & 255, (code << 2) | (value >> 8));
  let time = 0;
  const sorted = annotations
    .map((annotation) => ({ annotation, frame: Math.max(0, Math.round(annotation.onsetSeconds * frameRateHz)) }))
    .sort((a, b) => a.frame - b.frame);
  for (const { annotation, frame } of sorted) {
    let interval = frame - time;
    if (interval > MAX_INTERVAL) {
      word(SKIP_CODE, 0);
      bytes.push((interval >> 16) & 255, (interval >> 24) & 255, interval & 255, (interval >> 8) & 255);
      interval = 0;
    }
    time = frame;
    const code = codeOfSymbol(annotation.text);
    word(code ?? NOTE_CODE, interval);
    if (code !== undefined) continue;
    const aux = text.encode(annotation.text).subarray(0, MAX_TEXT_BYTES);
    word(AUX_CODE, aux.length);
    bytes.push(...aux, ...(aux.length % 2 === 1 ? [0] : []));
  }
  word(0, 0);
  return Uint8Array.from(bytes);
}
