// `npm run test:labelled`: every labelled recording of the shelf, and 1,000 pieces of noise; prints the table
// by label and what is wrong.

import { analyse } from '../../../main/analysis/analyse.ts';
import { labelledRecords } from '../../support/labelled-records.ts';
import { noisePiece } from '../../support/noise-pieces.ts';
import { toRecording } from '../../support/synthetic-recording.ts';
import { tableLines, tabulate } from './labelled-table.ts';
import { rhythmOfNoise } from './rhythm-of-noise.ts';

const PIECES = 1000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const records = labelledRecords();
if (records.length === 0)
  say('Left out: the labelled recordings of the shelf, which is not beside the project.');
const table = tabulate(records);
for (const line of tableLines(table)) say(line);
const wrongNoise: string[] = [];
for (let index = 0; index < PIECES; index++) {
  const piece = noisePiece(index);
  const found = rhythmOfNoise(analyse(toRecording(piece.ecg)));
  if (found !== undefined) wrongNoise.push(`${piece.description}: ${found}`);
}
say(
  `${records.length} recordings: ${table.sinusAgainstLabel.length} sinus against the label, ${table.readingAsNormal.length} read as normal`,
);
say(`${PIECES} pieces of noise: ${wrongNoise.length} with a rate or a rhythm`);
for (const line of [...table.sinusAgainstLabel, ...table.readingAsNormal, ...wrongNoise]) say(`  ${line}`);
process.exitCode =
  table.sinusAgainstLabel.length + table.readingAsNormal.length + wrongNoise.length === 0 ? 0 : 1;
