// Reads one record as the program does, block by block through the file, and prints time and memory as JSON:
// a process of its own, so that its memory is only its own. `node read-file.ts FILE [ROUNDS]`

import { readRecord } from '../../main/formats/read-record.ts';
import { eachBlock } from '../../main/formats/record-writer.ts';
import { filesOfRecord } from '../../main/host/cli/record-files.ts';
import { openFileSource } from '../../main/pool/file-source.ts';
import { peakMemoryBytes } from '../support/peak-memory.ts';

export interface FileReading {
  readonly ms: number;
  readonly samples: number;
  readonly peakBytes: number;
}

const [path = '', rounds = '1'] = process.argv.slice(2);
const times: number[] = [];
let samples = 0;
for (let round = 0; round < Number(rounds); round++) {
  const start = performance.now();
  const files = filesOfRecord(path).map((file) => ({ name: file.name, source: openFileSource(file.path) }));
  const result = readRecord(files[0]!, files);
  if (!result.ok) throw new Error(result.message);
  samples = 0;
  eachBlock(result.recording.channels, (_, __, block) => {
    samples += block.length;
  });
  for (const { source } of files) source.close();
  times.push(performance.now() - start);
}
// The first round also compiles; where there are more, the median of the others counts.
const counted = times.length > 1 ? times.slice(1).sort((a, b) => a - b) : times;
const reading: FileReading = {
  ms: counted[Math.floor(counted.length / 2)]!,
  samples,
  peakBytes: peakMemoryBytes(),
};
process.stdout.write(`${JSON.stringify(reading)}\n`);
