// Learns the classes of beats and writes `ventricular-trees.ts` and `supraventricular-trees.ts` of `main/analysis/decisions`:
//
//   node training/train-beats.ts SHELF UNPACKED EXAMPLES [--check]
//
// SHELF is the folder `ecg` of the shelf, UNPACKED where its second corpus was unpacked; EXAMPLES is a file that keeps what was measured,
// for the next time. Prints how good it is by folds of patients; with --check, on the check pile as well, which it is not trained with
// and which is read once, when nothing is to be chosen any more.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  type BeatDecision,
  type BeatLikelihood,
  classesOf,
  likelihoodOf,
  SUPRAVENTRICULAR_INPUTS,
  VENTRICULAR_INPUTS,
} from '../main/analysis/decisions/beat-classes.ts';
import { BEAT_INPUTS, type BeatInputName } from '../main/analysis/decisions/beat-inputs.ts';
import type { TreeModel } from '../main/analysis/decisions/trees.ts';
import { FOLDS, foldOf, isChecked } from '../test/accuracy/piles.ts';
import { type BeatExamples, beatExamples, beatRecordings } from './beat-examples.ts';
import { type TreeOptions, trainTrees } from './boosted-trees.ts';
import { treeModule } from './tree-module.ts';

type Name = keyof BeatDecision;

interface Plan {
  readonly inputs: readonly BeatInputName[];
  readonly constant: string;
  readonly what: string;
  /** What is told, and from what; other beats are left out. */
  readonly told: string;
  readonly others: string;
  /** How much strips with fibrillation count beside others. */
  readonly fibrillation: number;
  /** 1 where more of it must not speak against the class, -1 where it must not speak for it. */
  readonly monotone: Readonly<Partial<Record<BeatInputName, 1 | -1>>>;
}

const PLANS: Readonly<Record<Name, Plan>> = {
  ventricular: {
    inputs: VENTRICULAR_INPUTS,
    constant: 'VENTRICULAR_BEATS',
    what: 'ventricular beats',
    told: 'V',
    others: 'NS',
    fibrillation: 2,
    // The less like the usual beat and the beats around, the wider and the earlier, and the less of a P wave; noise proves nothing.
    monotone: {
      correlation: -1,
      distance: 1,
      lowCorrelation: -1,
      highDistance: 1,
      wholeCorrelation: -1,
      wholeDistance: 1,
      widthShare: 1,
      widthMs: 1,
      pCorrelation: -1,
      pShiftedCorrelation: -1,
      tCorrelation: -1,
      before: -1,
      beforeByEight: -1,
      groupBefore: -1,
      groupEarlyShare: 1,
      groupCorrelation: -1,
      groupDistance: 1,
      groupWidthShare: 1,
      groupPCorrelation: -1,
      groupTCorrelation: -1,
      groupLocalCorrelation: -1,
      groupLocalDistance: 1,
      distanceByAround: 1,
      wholeDistanceByAround: 1,
      widthByAround: 1,
      tCorrelationByAround: -1,
      pCorrelationByAround: -1,
      singleShare: -1,
      tremor: -1,
      tremorAround: -1,
    },
  },
  supraventricular: {
    inputs: SUPRAVENTRICULAR_INPUTS,
    constant: 'SUPRAVENTRICULAR_BEATS',
    what: 'early supraventricular beats',
    told: 'S',
    others: 'N',
    fibrillation: 12,
    // The earlier, the steadier the others and the less like theirs the P wave; noise proves nothing.
    monotone: {
      before: -1,
      beforeByEight: -1,
      beforeByLast: -1,
      beforeRank: -1,
      scatter: -1,
      patternScatter: -1,
      pCorrelation: -1,
      pShiftedCorrelation: -1,
      pCorrelationByAround: -1,
      wholeDistanceByAround: 1,
      tremorAround: -1,
      singleShare: -1,
      groupEarlyShare: 1,
      groupPCorrelation: -1,
    },
  },
};

const OPTIONS = { rounds: 150, depth: 4, rate: 0.1, lambda: 3, leastWeight: 5 } as const;
/** Sum of all weights of a class over the two databases with marked beats. */
const TOLD_WEIGHT = 25_000;
const OTHERS_WEIGHT = 75_000;
/** Every so many of the usual beats of whole recordings is enough, and counts for the others. */
const EVERY = 4;
/** There are few, with one or two early beats each. */
const MIXED_WEIGHT = 8;
const MARKED = new Set(['mitdb', 'svdb']);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const isCheck = ({ database, patient }: BeatExamples): boolean => isChecked(database, patient);
const isOfFold = ({ database, patient }: BeatExamples, fold: number): boolean =>
  foldOf(database, patient) === fold;

/** Whole recordings with both leads count most, and strips more than ECGs of twelve leads, which are clean and many. */
function weightOf({ database, every, lead, fromSecond }: BeatExamples, { fibrillation }: Plan): number {
  const isStrip = database === 'cinc2017';
  if (every === 'mixed') return MIXED_WEIGHT;
  if (every === 'fibrillation') return isStrip ? fibrillation : fibrillation / 4;
  if (every === 'normal') return isStrip ? 4 : 0.5;
  if (database === 'made' || fromSecond !== undefined) return 1;
  return lead === undefined ? 4 : 2;
}

/** The inputs of a beat that is in a group. */
function rowReader({ groupOf, rows }: BeatExamples): (beat: number) => Float64Array {
  const width = BEAT_INPUTS.length;
  const places = new Int32Array(groupOf.length);
  let at = 0;
  for (const [beat, group] of groupOf.entries()) if (group >= 0) places[beat] = at++;
  return (beat) => {
    const start = (places[beat] as number) * width;
    return Float64Array.from(rows.subarray(start, start + width));
  };
}

interface Weighed {
  readonly row: Float64Array;
  readonly isTold: boolean;
  readonly weight: number;
  readonly isMarked: boolean;
}

/** The beats of one recording: a class counts by the root of how often it comes, so that no patient outweighs the others. */
function weighed(own: BeatExamples, plan: Plan): Weighed[] {
  const width = BEAT_INPUTS.length;
  const places = plan.inputs.map((name) => BEAT_INPUTS.indexOf(name));
  const isMarked = MARKED.has(own.database);
  const counts = [plan.told, plan.others].map(
    (classes) =>
      [...own.labels].filter((label, beat) => (own.groupOf[beat] as number) >= 0 && classes.includes(label))
        .length,
  );
  const base = weightOf(own, plan);
  const isThinned = isMarked && own.fromSecond === undefined;
  const found: Weighed[] = [];
  let at = -1;
  for (const [beat, label] of [...own.labels].entries()) {
    if ((own.groupOf[beat] as number) < 0) continue;
    at++;
    const isTold = plan.told.includes(label);
    if (!isTold && !plan.others.includes(label)) continue;
    if (!isTold && isThinned && beat % EVERY !== 0) continue;
    const share = base / Math.sqrt(counts[isTold ? 0 : 1] as number);
    found.push({
      row: Float64Array.from(places, (place) => own.rows[at * width + place] as number),
      isTold,
      weight: !isTold && isThinned ? EVERY * share : share,
      isMarked,
    });
  }
  return found;
}

function train(examples: readonly BeatExamples[], plan: Plan): TreeModel {
  const all = examples.flatMap((own) => weighed(own, plan));
  const sumOf = (isTold: boolean): number =>
    all.reduce((sum, one) => sum + (one.isMarked && one.isTold === isTold ? one.weight : 0), 0);
  const scale = { told: TOLD_WEIGHT / sumOf(true), others: OTHERS_WEIGHT / sumOf(false) };
  const options: TreeOptions = {
    ...OPTIONS,
    monotone: { told: plan.monotone as Record<string, 1 | -1> },
  };
  return trainTrees(
    {
      inputs: plan.inputs,
      classes: ['told'],
      rows: all.map(({ row }) => row),
      labels: all.map(({ isTold }) => (isTold ? 0 : -1)),
      weights: all.map(({ isTold, weight }) => weight * (isTold ? scale.told : scale.others)),
    },
    options,
  );
}

/** One model a fold, without its patients, and one of all, each without the check pile. */
interface Models {
  readonly folds: readonly TreeModel[];
  readonly all: TreeModel;
}

/** The surest beat of an ECG with early beats is one of them if it is at least this likely; a beat that is less likely is none. */
const LEAST_GUESS = 0.1;
const SAME_BEAT_SECONDS = 0.15;

/**
 * Which beats of an ECG its reader meant, as a first model has it: of each kind that was seen, the surest one and those of its shape that
 * are as sure as not. Of the others, those that hardly look early are usual ones; the rest stays unknown.
 */
function guessed(own: BeatExamples, name: Name, likelihood: BeatLikelihood): string {
  const { told, others } = PLANS[name];
  if (!own.seen?.includes(told as 'V' | 'S')) return own.labels;
  const row = rowReader(own);
  const likely = Array.from(own.groupOf, (group, beat) => (group < 0 ? 0 : likelihood(row(beat))));
  const most = Math.max(...likely);
  if (most < LEAST_GUESS) return own.labels;
  const group = own.groupOf[likely.indexOf(most)];
  return likely
    .map((p, beat) => {
      if (p === most || (own.groupOf[beat] === group && p >= 0.5)) return told;
      return p < LEAST_GUESS ? (others[0] as string) : '-';
    })
    .join('');
}

/** What was guessed by all leads holds for one lead alone. */
function carried(own: BeatExamples, whole: BeatExamples, labels: string): string {
  const reach = SAME_BEAT_SECONDS * own.sampleRateHz;
  return own.samples
    .map((sample) => labels[whole.samples.findIndex((other) => Math.abs(other - sample) <= reach)] ?? '-')
    .join('');
}

/** Gives the beats of ECGs whose reader saw early ones the class that a first model gives them. */
function withGuesses(examples: readonly BeatExamples[], name: Name, first: TreeModel): BeatExamples[] {
  const likelihood = likelihoodOf(first, PLANS[name].inputs);
  const wholes = new Map(
    examples
      .filter(({ every, lead }) => every === 'mixed' && lead === undefined)
      .map((own) => [own.path, own]),
  );
  return examples.map((own) => {
    const whole = wholes.get(own.path);
    if (own.every !== 'mixed' || whole === undefined) return own;
    const labels = guessed(whole, name, likelihood);
    return { ...own, labels: own.lead === undefined ? labels : carried(own, whole, labels) };
  });
}

/** Once without ECGs whose reader saw early beats, and once more with what that model takes for these. */
function trainTwice(examples: readonly BeatExamples[], name: Name): TreeModel {
  const first = train(examples, PLANS[name]);
  return train(withGuesses(examples, name, first), PLANS[name]);
}

function trainAll(examples: readonly BeatExamples[], name: Name): Models {
  const own = examples.filter((one) => !isCheck(one));
  return {
    folds: Array.from({ length: FOLDS }, (_, fold) =>
      trainTwice(
        own.filter((one) => !isOfFold(one, fold)),
        name,
      ),
    ),
    all: trainTwice(own, name),
  };
}

interface Judged {
  readonly own: BeatExamples;
  readonly said: string;
}

function judge(own: BeatExamples, decision: BeatDecision): Judged {
  const { samples, groupOf, leadCount } = own;
  return { own, said: classesOf({ samples, groupOf, leadCount, row: rowReader(own) }, decision).join('') };
}

const percent = (part: number, all: number): string => ((100 * part) / Math.max(1, all)).toFixed(1);

/** Sensitivity and predictivity by EC57: fusions count neither way for V; what is not marked is false. */
function sensitivity(judged: readonly Judged[], told: 'V' | 'S'): string {
  const counted = told === 'V' ? 'NS-' : 'NVF-';
  let [right, missed, wrong] = [0, 0, 0];
  for (const { own, said } of judged)
    for (const [beat, label] of [...own.labels].entries()) {
      if (label === told && said[beat] === told) right++;
      else if (label === told) missed++;
      else if (said[beat] === told && counted.includes(label)) wrong++;
    }
  return `${told} ${percent(right, right + missed)}/${percent(right, right + wrong)} of ${right + missed}`;
}

function sayFigures(title: string, judged: readonly Judged[]): void {
  say(title);
  const kindOf = ({ database, every, lead, fromSecond }: BeatExamples): string =>
    every !== undefined
      ? `${database} ${every} ${lead === undefined ? 'all leads' : 'one lead'}`
      : database === 'made'
        ? 'made'
        : `${database} ${fromSecond === undefined ? '' : 'pieces '}${fromSecond !== undefined ? '' : lead === undefined ? 'both leads' : `lead ${lead + 1}`}`;
  for (const [kind, own] of Map.groupBy(judged, (one) => kindOf(one.own))) {
    if (own[0]?.own.every === 'mixed') continue;
    const having = (label: string): string =>
      `${label} in ${percent(own.filter(({ said }) => said.includes(label)).length, own.length)} % of ${own.length}`;
    const isMarked = own[0]?.own.every === undefined;
    say(
      `  ${kind.padEnd(32)} ${isMarked ? `${sensitivity(own, 'V').padEnd(24)} ${sensitivity(own, 'S')}` : `${having('V')}, ${having('S')}`}`,
    );
  }
  saySeen(judged);
}

/** How many of the ECGs with early beats are said to have some, and how many of those that are said to have some do. */
function saySeen(judged: readonly Judged[]): void {
  const read = judged.filter(({ own }) => own.seen !== undefined && own.every !== 'fibrillation');
  const kindOf = ({ own: { database, lead } }: Judged): string =>
    `${database} ${lead === undefined ? 'twelve leads' : 'one lead'}`;
  for (const [kind, own] of Map.groupBy(read, kindOf)) {
    const figures = (['V', 'S'] as const).map((told) => {
      const [seen, said] = [
        own.filter((one) => one.own.seen?.includes(told)),
        own.filter((one) => one.said.includes(told)),
      ];
      const both = seen.filter((one) => said.includes(one)).length;
      return `${told} ${percent(both, seen.length)}/${percent(both, said.length)} of ${seen.length} ECGs`;
    });
    say(`  ${kind.padEnd(32)} ${figures.join('   ')}`);
  }
}

/** However many threads measured them, they are trained with in one order: sums depend on it. */
const inOrder = (examples: readonly BeatExamples[]): BeatExamples[] => {
  const nameOf = ({ database, patient, lead = -1, fromSecond = -1 }: BeatExamples): string =>
    [database, patient, lead, String(fromSecond).padStart(5)].join('/');
  return examples
    .map((own) => ({ own, name: nameOf(own) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ own }) => own);
};

/** As many threads as processors; recordings of one path stay together. */
async function measured(shelf: string, unpacked: string): Promise<BeatExamples[]> {
  const count = availableParallelism();
  const parts = await Promise.all(
    Array.from({ length: count }, (_, part) =>
      inThread<(BeatExamples | undefined)[]>({ task: 'measure', shelf, unpacked, part, count }),
    ),
  );
  return inOrder(parts.flat().filter((one) => one !== undefined));
}

type Task =
  | {
      readonly task: 'measure';
      readonly shelf: string;
      readonly unpacked: string;
      readonly part: number;
      readonly count: number;
    }
  | { readonly task: 'train'; readonly kept: string; readonly name: Name };

const inThread = <T>(task: Task): Promise<T> =>
  new Promise((done, fail) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.once('message', done);
    worker.once('error', fail);
  });

function work(task: Task): unknown {
  if (task.task === 'train') return trainAll(deserialize(readFileSync(task.kept)), task.name);
  const recordings = beatRecordings(task.shelf, task.unpacked);
  const paths = [...new Set(recordings.map(({ path }) => path))];
  return paths
    .filter((_, i) => i % task.count === task.part)
    .flatMap((path) => recordings.filter((one) => one.path === path))
    .map(beatExamples);
}

const decisionOf = (ventricular: TreeModel, supraventricular: TreeModel): BeatDecision => ({
  ventricular: likelihoodOf(ventricular, VENTRICULAR_INPUTS),
  supraventricular: likelihoodOf(supraventricular, SUPRAVENTRICULAR_INPUTS),
});

async function main(): Promise<void> {
  const [shelf = '', unpacked = '', kept = ''] = process.argv
    .slice(2)
    .filter((word) => !word.startsWith('--'));
  if (!existsSync(kept)) writeFileSync(kept, serialize(await measured(shelf, unpacked)));
  const [ventricular, supraventricular] = await Promise.all(
    (['ventricular', 'supraventricular'] as const).map((name) =>
      inThread<Models>({ task: 'train', kept, name }),
    ),
  );
  if (ventricular === undefined || supraventricular === undefined) throw new Error('A thread has failed.');
  const examples: BeatExamples[] = deserialize(readFileSync(kept));
  const byFolds = ventricular.folds.map((model, fold) =>
    decisionOf(model, supraventricular.folds[fold] as TreeModel),
  );
  const [own, checked] = [examples.filter((one) => !isCheck(one)), examples.filter(isCheck)];
  sayFigures(
    'By folds of patients',
    own.map((one) => judge(one, byFolds[foldOf(one.database, one.patient)] as BeatDecision)),
  );
  const decision = decisionOf(ventricular.all, supraventricular.all);
  if (process.argv.includes('--check'))
    sayFigures(
      'Check pile',
      checked.map((one) => judge(one, decision)),
    );
  for (const [name, { all }] of Object.entries({ ventricular, supraventricular })) {
    const { constant, what } = PLANS[name as Name];
    const file = new URL(`../main/analysis/decisions/${name}-trees.ts`, import.meta.url);
    writeFileSync(fileURLToPath(file), treeModule(constant, what, 'train-beats.ts', all));
    say(`${all.nodes.length} bytes of trees for ${what} written`);
  }
}

if (isMainThread) await main();
else parentPort?.postMessage(work(workerData as Task));
