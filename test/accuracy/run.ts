// `npm run test:accuracy`: the analysis against every database of the shelf with marked beats, rhythms or waves; a
// table each, and an error where a figure is outside of its limit.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { analyse } from '../../main/analysis/analyse.ts';
import { recordingFrom, shelfFolder } from '../support/test-data.ts';
import { DS1, ds1Path, recordsIn, recordsOf } from './databases.ts';
import { exchangedElectrodeFigures } from './exchanged-electrodes.ts';
import { CEILINGS_MS, FLOORS } from './floors.ts';
import { falseLiveAlarms } from './live-alarms.ts';
import { noiseStressFigures } from './noise-stress.ts';
import { oneLeadFigures } from './one-lead.ts';
import { isChecked } from './piles.ts';
import { scoreRecord, stretchesOf } from './score-record.ts';
import { secondCorpus } from './second-corpus.ts';
import { type Range, scoreTime } from './stretches.ts';
import {
  beatLines,
  classFigures,
  type Figure,
  figureLines,
  missedFloors,
  qrsFigures,
  qrsLines,
  runFigures,
  timeFigures,
} from './tables.ts';
import { twelveLeadFigures } from './twelve-leads.ts';
import { ludbBeatFigures, ludbMarks, qtdbMarks } from './wave-marks.ts';
import {
  foundFigures,
  intervalSpreads,
  markSpreads,
  missedCeilings,
  recordSpreads,
  type Spread,
  spreadLines,
} from './wave-tables.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const floorsOf = (database: string): Readonly<Record<string, number>> => FLOORS[database] ?? {};

function arrhythmias(): Figure[] {
  const scores = DS1.map((name) => scoreRecord(ds1Path(name) as string));
  for (const line of qrsLines(scores)) say(line);
  const floors = floorsOf('MIT-BIH DS1');
  return [
    ...qrsFigures(scores, floors),
    ...timeFigures(
      'AF',
      '30 s',
      scores.map(({ fibrillation }) => fibrillation),
      floors,
    ),
  ];
}

/** The classes of beats in recordings that they were not learned from: the check pile of two databases. */
function beatClasses(): Figure[] {
  const svdb = join(secondCorpus('svdb') as string, 'svdb');
  const scores = [
    ...DS1.filter((name) => isChecked('mitdb', name)).map((name) => ds1Path(name) as string),
    ...recordsIn(svdb).filter((path) => isChecked('svdb', basename(path))),
  ].map(scoreRecord);
  for (const line of beatLines(scores)) say(line);
  const floors = floorsOf('Beats, check pile');
  return [...qrsFigures(scores, floors), ...classFigures(scores, floors), ...runFigures(scores, floors)];
}

function paroxysms(): Figure[] {
  const scores = recordsOf('corpus/cpsc2021').map((path) => scoreRecord(path));
  for (const { name, fibrillation: score } of scores)
    say(
      `${name.padEnd(12)} ${(score.both / score.reference).toFixed(2)} ${(score.both / score.found).toFixed(2)}`,
    );
  return timeFigures(
    'AF',
    '30 s',
    scores.map(({ fibrillation }) => fibrillation),
    floorsOf('CPSC 2021'),
  );
}

/** Ventricular fibrillation that lasts so long must not be missed. */
const VF_SECONDS = 5;

function fibrillations(): Figure[] {
  const rows = parse(readFileSync(join(shelfFolder('corpus/cudb') as string, 'vf.csv')), {
    columns: true,
  }) as Record<string, string>[];
  const scores = recordsOf('corpus/cudb').map((path) => {
    const row = rows.find(({ record }) => path.endsWith(record as string));
    const marked = (row?.vf_intervals_samples ?? '')
      .split(/[ ;]/)
      .filter((text) => text !== '')
      .map((text): Range => text.split('-').map(Number) as [number, number]);
    const result = analyse(recordingFrom(`${path}.hea`));
    return scoreTime(marked, stretchesOf(result, ['VF']), VF_SECONDS * result.recording.sampleRateHz);
  });
  return timeFigures('VF', `${VF_SECONDS} s`, scores, floorsOf('CUDB'));
}

const ceilingsOf = (database: string): Readonly<Record<string, number>> => CEILINGS_MS[database] ?? {};

/** Says how marks and intervals scatter, and gives what is above its ceiling. */
function scatter(spreads: readonly Spread[]): string[] {
  for (const line of spreadLines(spreads)) say(line);
  return missedCeilings(spreads);
}

function ludb(): Outcome {
  const { marks, intervals, beats } = ludbMarks();
  const ceilings = ceilingsOf('LUDB');
  const above = scatter([...markSpreads(marks, ceilings), ...intervalSpreads(intervals, ceilings)]);
  const floors = floorsOf('LUDB');
  return { figures: [...ludbBeatFigures(beats, floors), ...foundFigures(marks, floors, true)], above };
}

function qtdb(): Outcome {
  const marks = qtdbMarks();
  return {
    figures: foundFigures(marks, floorsOf('QTDB'), false),
    above: scatter(recordSpreads(marks, ceilingsOf('QTDB'))),
  };
}

interface Outcome {
  readonly figures: readonly Figure[];
  /** What scatters more than it may. */
  readonly above?: readonly string[];
}

function liveAlarmsOfHealthy(): Outcome {
  const { lines, inSinus } = falseLiveAlarms();
  for (const line of lines) say(line);
  return { figures: [], above: inSinus === 0 ? [] : [`${inSinus} alarms in sinus rhythm`] };
}

const DATABASES: readonly (readonly [string, () => Outcome])[] = [
  ['MIT-BIH DS1', () => ({ figures: arrhythmias() })],
  ['Beats, check pile', () => ({ figures: beatClasses() })],
  ['Noise stress', () => ({ figures: noiseStressFigures(floorsOf('Noise stress')) })],
  ['CPSC 2021', () => ({ figures: paroxysms() })],
  ['CUDB', () => ({ figures: fibrillations() })],
  ['CinC 2017, check pile', () => ({ figures: oneLeadFigures(floorsOf('CinC 2017, check pile')) })],
  ['LUDB', ludb],
  ['QTDB', qtdb],
  ['Twelve leads', () => ({ figures: twelveLeadFigures(floorsOf('Twelve leads')) })],
  ['Exchanged electrodes', () => ({ figures: exchangedElectrodeFigures(floorsOf('Exchanged electrodes')) })],
  ['Live alarms', liveAlarmsOfHealthy],
];

if (shelfFolder('corpus') === undefined) {
  say('Left out: the accuracy on labelled recordings; the shelf is not beside the project.');
} else {
  const missed = DATABASES.flatMap(([name, score]) => {
    say(`\n${name}`);
    const { figures, above = [] } = score();
    for (const line of figureLines(figures)) say(line);
    return [...missedFloors(figures), ...above].map((line) => `${name}: ${line}`);
  });
  for (const line of missed) say(`outside of its limit: ${line}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}
