// `isoline analyse` of many recordings, tables and annotations.

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { parseWfdbAnnotations } from '../../../../main/formats/wfdb/wfdb-annotations.ts';
import { type Annotated, resultAnnotations } from '../../../../main/host/cli/analyse/result-marks.ts';
import { makeZip } from '../../../support/make-archives.ts';
import { isoline } from '../../../support/run-isoline.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { dataFolder } from '../../../support/test-data.ts';

/** A folder of three recordings in two folders, a text file, and one recording that cannot be read. */
function fill(folder: string): string {
  const inner = join(folder, 'ward', 'day 2');
  mkdirSync(inner, { recursive: true });
  for (const name of ['1.hea', '1.dat'])
    copyFileSync(join(dataFolder, 'wfdb', name), join(folder, 'ward', name));
  for (const name of ['11.hea', '11.dat']) copyFileSync(join(dataFolder, 'wfdb', name), join(inner, name));
  copyFileSync(join(dataFolder, 'edf', 'made_ecg8.bdf'), join(inner, '1.bdf'));
  writeFileSync(join(inner, 'notes.txt'), 'seen at noon');
  writeFileSync(
    join(inner, 'cut.edf'),
    readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf')).subarray(0, 300),
  );
  return join(folder, 'ward');
}

type Row = Readonly<Record<string, string>>;
const rowsOf = (table: string): Row[] => parse(table, { columns: true }) as Row[];

test('a folder: a row, a result and annotations for each recording; one that cannot be read stops no other', async () => {
  await using folder = await tempFolder();
  const ward = fill(folder.path);
  const out = (name: string): string => join(folder.path, name);
  const run = await isoline(
    'analyse',
    ward,
    '--json',
    out('json'),
    '--atr',
    out('atr'),
    '--csv',
    out('table.csv'),
  );
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('3 analysed, 1 not readable, 1 file left out.');
  expect(run.stderr).toMatch(
    /^isoline: day 2\/cut: [^\n]+\.\nisoline: day 2\/notes\.txt: left out\. [^\n]+\.\n$/,
  );
  const rows = rowsOf(readFileSync(out('table.csv'), 'utf8'));
  const named = new Map(rows.map((row) => [row.recording, row]));
  expect([...named.keys()].sort()).toEqual(['1', 'day 2/1', 'day 2/11', 'day 2/cut']);
  for (const [name, row] of named)
    if (name === 'day 2/cut') expect([row.beats, row.error === '']).toEqual(['', false]);
    else {
      const result = JSON.parse(readFileSync(out(`json/${name}.json`), 'utf8'));
      expect([row.beats, row.severity]).toEqual([String(result.beats.length), result.severity ?? '']);
      const marks = parseWfdbAnnotations(readFileSync(out(`atr/${name}.atr`)));
      expect(
        marks.ok && marks.annotations.filter(({ symbol }) => symbol !== '+').map(({ sample }) => sample),
      ).toEqual(result.beats.map(({ sample }: { sample: number }) => sample));
    }
  expect(existsSync(out('json/day 2/cut.json'))).toBe(false);
});

test('the table goes to the standard output alone, and what lies in a folder is not written over', async () => {
  await using folder = await tempFolder();
  const ward = fill(folder.path);
  const table = await isoline('analyse', ward, '--csv', '-');
  expect(rowsOf(table.stdout)).toHaveLength(4);
  const again = await isoline('analyse', join(ward, '1.hea'), join(ward, 'day 2', '11.hea'), '--atr', ward);
  expect(again.code).toBe(0);
  expect(readdirSync(ward)).toEqual(expect.arrayContaining(['1.atr', '11.atr']));
  const refused = await isoline('analyse', join(ward, '1.hea'), join(ward, 'day 2', '11.hea'), '--atr', ward);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('already there');
});

test('no recording is written over by a table, and a folder that cannot be one is said in a sentence', async () => {
  await using folder = await tempFolder();
  const ward = fill(folder.path);
  const [one, other] = [join(ward, 'day 2', '1.bdf'), join(ward, '1.hea')];
  const before = readFileSync(one);
  for (const [options, exit, sentence] of [
    [['--csv', one], 2, 'is already there. Choose another name.'],
    [['--json', one], 2, 'is a file. With several recordings, name a folder.'],
    [['--atr', join(one, 'inner')], 1, 'could not be made. Name one in a place that may be written to.'],
  ] as const) {
    const { code, stderr } = await isoline('analyse', one, other, ...options);
    expect([code, stderr]).toEqual([exit, expect.stringContaining(sentence)]);
  }
  expect(readFileSync(one).equals(before)).toBe(true);
});

test.each([[['--json', '-']], [['--json', '-', '--csv', '-']]])(
  'with several recordings, %j is called wrongly',
  async (options) => {
    const one = join(dataFolder, 'wfdb', '1.hea');
    expect(await isoline('analyse', one, one, ...options)).toMatchObject({ code: 2, stdout: '' });
  },
);

test('an archive of several recordings is many', async () => {
  await using folder = await tempFolder();
  const member = (name: string) => ({
    name,
    content: readFileSync(join(dataFolder, 'edf', 'made_ecg8.bdf')),
  });
  const path = join(folder.path, 'two.zip');
  writeFileSync(path, makeZip([member('a.bdf'), member('b.bdf')]));
  const { code, stdout } = await isoline('analyse', path);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/two\.zip\/a: [^\n]+\n[^\n]+\n2 analysed\.\n$/)]);
});

test('annotations say where the rhythm changes, with the beats between, and the rate where leads have several', () => {
  const result: Annotated = {
    recording: { sampleRateHz: 250 },
    beats: [
      { sample: 100, label: 'N' },
      { sample: 1000, label: 'V' },
    ],
    rhythms: [
      { startSample: 0, endSample: 5000, code: 'ST' },
      { startSample: 900, endSample: 3000, code: 'VT' },
      { startSample: 2000, endSample: 2500, code: 'VF' },
      { startSample: 2600, endSample: 2700, code: 'PAUSE' },
      { startSample: 4000, endSample: 4500, code: 'SVTA' },
    ],
  };
  const read = parseWfdbAnnotations(resultAnnotations(result, false));
  expect(read).toMatchObject({ ok: true, ticksPerSecond: 250 });
  expect(read.ok && read.annotations.map(({ sample, symbol, text }) => [sample, symbol, text])).toEqual([
    [0, '+', '(N'],
    [100, 'N', ''],
    [900, '+', '(VT'],
    [1000, 'V', ''],
    [2000, '+', '(VFL'],
    [2500, '+', '(VT'],
    [3000, '+', '(N'],
    [4000, '+', '(SVTA'],
    [4500, '+', '(N'],
  ]);
  expect(parseWfdbAnnotations(resultAnnotations(result, true))).toMatchObject({ ticksPerSecond: undefined });
});
