// Recordings as files, each with other samples than every other one: the same recording goes to a centre
// once.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from './test-data.ts';

const HEADER_BYTES = 256;
let original: Buffer | undefined;

/** @param repeats of its data, for a large one */
export function variedEdf(n: number, repeats = 1): Buffer {
  original ??= readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf'));
  const headBytes = Number(original.subarray(184, 192).toString('latin1'));
  const records = Number(original.subarray(236, 244).toString('latin1'));
  const head = Buffer.from(original.subarray(0, headBytes));
  head.write(String(records * repeats).padEnd(8), 236, 'latin1');
  const data = original.subarray(headBytes);
  const bytes = Buffer.concat([head, ...Array.from({ length: repeats }, () => data)]);
  if (headBytes < HEADER_BYTES) throw new Error('the file of the tests is no EDF');
  // A sample of the first lead in the first record.
  bytes.writeInt16LE(n % 30_000, headBytes);
  bytes.writeInt16LE(Math.floor(n / 30_000), headBytes + 2);
  return bytes;
}
