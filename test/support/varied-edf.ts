// Recordings as files, each with other samples than every other one: the same recording goes to a centre
// once.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { edfBytes } from '../../main/formats/edf/write-edf.ts';
import { type Channel, readAllSamples } from '../../shared/signal/recording.ts';
import { dataFolder, recordingFrom } from './test-data.ts';

const FILE = join(dataFolder, 'edf', 'made_ecg12_plusC.edf');
const LEAD_II = 1;
const KEPT_EVERY = 4;

let original: Buffer | undefined;
let small: Buffer | undefined;

const headBytesOf = (file: Buffer): number => Number(file.toString('latin1', 184, 192));

/** Writes two samples of the first lead. */
function vary(file: Buffer, n: number): Buffer {
  const headBytes = headBytesOf(file);
  file.writeInt16LE(n % 30_000, headBytes);
  file.writeInt16LE(Math.floor(n / 30_000), headBytes + 2);
  return file;
}

/** Ten seconds of twelve leads at 1000 Hz, 240 KB. @param repeats of its data, for a large one */
export function variedEdf(n: number, repeats = 1): Buffer {
  original ??= readFileSync(FILE);
  const headBytes = headBytesOf(original);
  const records = Number(original.toString('latin1', 236, 244));
  const head = Buffer.from(original.subarray(0, headBytes));
  head.write(String(records * repeats).padEnd(8), 236, 'latin1');
  const data = original.subarray(headBytes);
  return vary(Buffer.concat([head, ...Array.from({ length: repeats }, () => data)]), n);
}

/** Lead II at 250 Hz: analysed and reported in half the processor time, where any recording will do. */
export function smallEdf(n = 0): Buffer {
  small ??= makeSmall();
  return vary(Buffer.from(small), n);
}

function makeSmall(): Buffer {
  const whole = recordingFrom(FILE);
  const lead = whole.channels[LEAD_II] as Channel;
  const samples = readAllSamples(lead).filter((_, i) => i % KEPT_EVERY === 0);
  const kept: Channel = {
    ...lead,
    rate: { ...lead.rate, samples: lead.rate.samples / KEPT_EVERY },
    sampleCount: samples.length,
    read: (start, target) => target.set(samples.subarray(start, start + target.length)),
  };
  return Buffer.concat([...edfBytes({ ...whole, channels: [kept] })]);
}
