// Reading: our decoding of record 100 against the plainest loop over its bytes, and of an EDF against a
// typed-array copy.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAllSamples } from '../../shared/signal/recording.ts';
import { dataFolder, recordingFrom } from '../support/test-data.ts';
import { compare } from './harness.ts';

export async function benchReading(): Promise<void> {
  const header = join(dataFolder, 'wfdb', '100.hea');
  const bytes = readFileSync(join(dataFolder, 'wfdb', '100.dat'));
  const plain212 = (): Int32Array => {
    const out = new Int32Array((bytes.length / 3) * 2);
    for (let i = 0, k = 0; i < bytes.length; i += 3, k += 2) {
      const middle = bytes[i + 1] as number;
      out[k] = ((middle << 28) >> 20) | (bytes[i] as number);
      out[k + 1] = (((middle & 0xf0) << 24) >> 20) | (bytes[i + 2] as number);
    }
    return out;
  };
  await compare({
    name: 'WFDB 212: open, verify checksums, read 1.3 million samples',
    work: () => recordingFrom(header).channels.map(readAllSamples),
    baseline: plain212,
    check: ([first]) => {
      if (first?.[9] !== 997) throw new Error('wrong samples');
    },
  });
  const edf = join(dataFolder, 'edf', 'made_ecg12_plusC.edf');
  const data = readFileSync(edf);
  await compare({
    name: 'EDF: open and read 12 leads',
    work: () => recordingFrom(edf).channels.map(readAllSamples),
    baseline: () =>
      Int32Array.from(new Int16Array(data.buffer, data.byteOffset - (data.byteOffset % 2), data.length >> 1)),
    check: (channels) => {
      if (channels.length !== 12) throw new Error('wrong channels');
    },
  });
}
