// Recordings as files, each with other samples than every other one: the same recording goes to a centre
// once.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from './test-data.ts';

const FIXED_BYTES = 256;
/** Of each signal in the header, in the standard's order: label, transducer, unit, four limits, filters, samples, reserve. */
const FIELD_BYTES = [16, 80, 8, 8, 8, 8, 8, 80, 8, 32];
const SAMPLES_FIELD = 8;

/** Of `made_ecg12_plusC.edf`. */
const SIGNALS = 13;
const LEAD_SAMPLES = 1000;
const MARKS_SAMPLES = 50;
/** Lead II, and the marks that make the file EDF+. */
const KEPT = [1, SIGNALS - 1];
const KEPT_EVERY = 4;

let original: Buffer | undefined;
let small: Buffer | undefined;

const readOriginal = (): Buffer => {
  original ??= readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf'));
  if (Number(original.toString('latin1', 252, FIXED_BYTES)) !== SIGNALS)
    throw new Error('made_ecg12_plusC.edf has other signals than before');
  return original;
};

/** Writes two samples of the first lead. */
function vary(bytes: Buffer, n: number): Buffer {
  const headBytes = Number(bytes.toString('latin1', 184, 192));
  bytes.writeInt16LE(n % 30_000, headBytes);
  bytes.writeInt16LE(Math.floor(n / 30_000), headBytes + 2);
  return bytes;
}

/** Ten seconds of twelve leads at 1000 Hz, 240 KB. @param repeats of its data, for a large one */
export function variedEdf(n: number, repeats = 1): Buffer {
  const whole = readOriginal();
  const headBytes = Number(whole.toString('latin1', 184, 192));
  const records = Number(whole.toString('latin1', 236, 244));
  const head = Buffer.from(whole.subarray(0, headBytes));
  head.write(String(records * repeats).padEnd(8), 236, 'latin1');
  const data = whole.subarray(headBytes);
  return vary(Buffer.concat([head, ...Array.from({ length: repeats }, () => data)]), n);
}

/** Lead II at 250 Hz: analysed and reported in half the processor time, where any recording will do. 7 KB. */
export function smallEdf(n = 0): Buffer {
  small ??= makeSmall(readOriginal());
  return vary(Buffer.from(small), n);
}

function makeSmall(whole: Buffer): Buffer {
  const fixed = Buffer.from(whole.subarray(0, FIXED_BYTES));
  fixed.write(String(FIXED_BYTES * (1 + KEPT.length)).padEnd(8), 184, 'latin1');
  fixed.write(String(KEPT.length).padEnd(4), 252, 'latin1');
  const parts: Buffer[] = [fixed];
  let start = FIXED_BYTES;
  for (const [field, bytes] of FIELD_BYTES.entries()) {
    for (const signal of KEPT) {
      const isRate = field === SAMPLES_FIELD && signal !== SIGNALS - 1;
      const text = String(LEAD_SAMPLES / KEPT_EVERY).padEnd(bytes);
      const at = start + signal * bytes;
      parts.push(isRate ? Buffer.from(text, 'latin1') : whole.subarray(at, at + bytes));
    }
    start += SIGNALS * bytes;
  }
  const recordBytes = 2 * ((SIGNALS - 1) * LEAD_SAMPLES + MARKS_SAMPLES);
  for (; start + recordBytes <= whole.length; start += recordBytes) {
    const lead = start + 2 * LEAD_SAMPLES * (KEPT[0] as number);
    for (let i = 0; i < LEAD_SAMPLES; i += KEPT_EVERY)
      parts.push(whole.subarray(lead + 2 * i, lead + 2 * i + 2));
    parts.push(whole.subarray(start + recordBytes - 2 * MARKS_SAMPLES, start + recordBytes));
  }
  return Buffer.concat(parts);
}
