// Learns the rhythm of strips and writes `main/analysis/decisions/strip-rhythm-trees.ts`:
//
//   node training/train-strip-rhythm.ts SHELF UNPACKED [EXAMPLES] [--check]
//
// SHELF is the folder `ecg` of the shelf, UNPACKED where its second corpus was unpacked; EXAMPLES keeps what was measured, for the next
// time. Prints how good it is by folds of patients; with --check, on the check pile as well, which it is not trained with and which is
// read once, when nothing is to be chosen any more.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { STRIP_INPUTS } from '../main/analysis/decisions/strip-inputs.ts';
import {
  isFibrillationLearned,
  isSinusLearned,
  STRIP_CLASSES,
} from '../main/analysis/decisions/strip-rhythm.ts';
import { TreeDecision, type TreeModel } from '../main/analysis/decisions/trees.ts';
import { FOLDS, foldOf, isChecked } from '../test/accuracy/piles.ts';
import { trainTrees } from './boosted-trees.ts';
import { labelledStrips, type StripExample, stripExample } from './strip-examples.ts';
import { treeModule } from './tree-module.ts';

const OPTIONS = {
  rounds: 200,
  depth: 4,
  rate: 0.06,
  lambda: 3,
  leastWeight: 4,
  monotone: {
    // The more P waves, and the steadier the intervals, the more it is sinus rhythm; for fibrillation it is the other way round.
    sinus: { pMarkShare: 1, pTrainCoherence: 1, pSameShare: 1, pCoherence: 1, rrEntropy: -1 },
    fibrillation: {
      pMarkShare: -1,
      pTrainCoherence: -1,
      pSameShare: -1,
      pCoherence: -1,
      rrEntropy: 1,
      rrSuccessiveShare: 1,
    },
  },
} as const;

/** How many of each the whole database has; ours has other shares. */
const CINC_MIXTURE: Readonly<Record<string, number>> = {
  sinus: 5076,
  fibrillation: 758,
  other: 2415,
  noise: 279,
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** CinC 2017 by its natural mixture; what was made of twelve leads a third each, as an ECG gives three strips. */
function weightsOf(examples: readonly StripExample[]): number[] {
  const cinc = examples.filter(({ database }) => database === 'cinc2017');
  const all = Object.values(CINC_MIXTURE).reduce((a, b) => a + b, 0);
  return examples.map(({ database, label, isDangerous }) => {
    if (database === 'made') return 0.25;
    if (database !== 'cinc2017') return (isDangerous ? 4 : label === 'fibrillation' ? 1 : 0.3) / 3;
    const own = cinc.filter((example) => example.label === label).length;
    return ((CINC_MIXTURE[label] as number) / all) * (cinc.length / own);
  });
}

const rowOf = ({ inputs }: StripExample): Float64Array =>
  Float64Array.from(inputs, (value) => value ?? Number.NaN);

function train(examples: readonly StripExample[]): TreeModel {
  return trainTrees(
    {
      inputs: STRIP_INPUTS,
      classes: STRIP_CLASSES,
      rows: examples.map(rowOf),
      labels: examples.map(({ label }) => STRIP_CLASSES.indexOf(label)),
      weights: weightsOf(examples),
    },
    OPTIONS,
  );
}

interface Judged {
  readonly example: StripExample;
  readonly probabilities: readonly number[];
}

const judge = (model: TreeModel, examples: readonly StripExample[]): Judged[] => {
  const trees = new TreeDecision(model);
  return examples.map((example) => ({ example, probabilities: trees.probabilities(rowOf(example)) }));
};

const percent = (part: number, all: number): string =>
  `${((100 * part) / Math.max(1, all)).toFixed(1)} % of ${all}`;

/** F1 of each class at the natural mixture, and how many of each are taken for sinus rhythm and for fibrillation. */
function sayFigures(title: string, judged: readonly Judged[]): void {
  say(title);
  const cinc = judged.filter(({ example }) => example.database === 'cinc2017');
  const weightOf = (label: string): number =>
    (CINC_MIXTURE[label] as number) / cinc.filter(({ example }) => example.label === label).length;
  const likeliest = ({ probabilities }: Judged): string =>
    STRIP_CLASSES[probabilities.indexOf(Math.max(...probabilities))] as string;
  const f1 = STRIP_CLASSES.map((label) => {
    const sum = (isIt: (one: Judged) => boolean): number =>
      cinc.filter(isIt).reduce((total, { example }) => total + weightOf(example.label), 0);
    const both = sum((one) => one.example.label === label && likeliest(one) === label);
    return (
      (2 * both) / (sum(({ example }) => example.label === label) + sum((one) => likeliest(one) === label))
    );
  });
  const mean = f1.slice(0, 3).reduce((a, b) => a + b, 0) / 3;
  say(
    `  CinC 2017, F1 of ${STRIP_CLASSES.map((label, k) => `${label} ${f1[k]?.toFixed(3)}`).join(', ')}; of the first three ${mean.toFixed(3)}`,
  );
  for (const [group, own] of Map.groupBy(judged, ({ example }) =>
    [example.database, example.isDangerous === true ? 'dangerous others' : example.label].join(' '),
  )) {
    const said = own.map(({ probabilities: [sinus = 0, fibrillation = 0] }) => ({ sinus, fibrillation }));
    const sinus = said.filter(isSinusLearned).length;
    const fibrillation = said.filter(isFibrillationLearned).length;
    say(
      `  ${group.padEnd(24)} sinus ${percent(sinus, own.length).padEnd(16)} fibrillation ${percent(fibrillation, own.length)}`,
    );
  }
}

/** As many threads as processors; in the order of the strips. */
async function measured(shelf: string, unpacked: string): Promise<StripExample[]> {
  const count = availableParallelism();
  const parts = await Promise.all(
    Array.from(
      { length: count },
      (_, part) =>
        new Promise<StripExample[]>((done, fail) => {
          const worker = new Worker(new URL(import.meta.url), {
            workerData: { shelf, unpacked, part, count },
          });
          worker.once('message', done);
          worker.once('error', fail);
        }),
    ),
  );
  return labelledStrips(shelf, unpacked).map(
    (_, i) => parts[i % count]?.[Math.floor(i / count)] as StripExample,
  );
}

async function main(): Promise<void> {
  const [shelf = '', unpacked = '', kept] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const examples: StripExample[] =
    kept !== undefined && existsSync(kept)
      ? JSON.parse(readFileSync(kept, 'utf8'))
      : await measured(shelf, unpacked);
  if (kept !== undefined) writeFileSync(kept, JSON.stringify(examples));
  const isCheck = ({ database, patient }: StripExample): boolean => isChecked(database, patient);
  const own = examples.filter((example) => !isCheck(example));
  const isOfFold = ({ database, patient }: StripExample, fold: number): boolean =>
    foldOf(database, patient) === fold;
  const byFolds = Array.from({ length: FOLDS }, (_, fold) =>
    judge(
      train(own.filter((example) => !isOfFold(example, fold))),
      own.filter((example) => isOfFold(example, fold)),
    ),
  ).flat();
  sayFigures('By folds of patients', byFolds);
  const model = train(own);
  if (process.argv.includes('--check')) sayFigures('Check pile', judge(model, examples.filter(isCheck)));
  writeFileSync(
    fileURLToPath(new URL('../main/analysis/decisions/strip-rhythm-trees.ts', import.meta.url)),
    treeModule('STRIP_RHYTHM', 'the rhythm of strips', 'train-strip-rhythm.ts', model),
  );
  say(`${model.nodes.length} bytes of trees written`);
}

if (isMainThread) await main();
else {
  const { shelf, unpacked, part, count } = workerData as {
    shelf: string;
    unpacked: string;
    part: number;
    count: number;
  };
  const strips = labelledStrips(shelf, unpacked).filter((_, i) => i % count === part);
  parentPort?.postMessage(strips.map(stripExample));
}
