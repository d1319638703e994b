// Histories of a workstation, for fast-check: what happens to it, in any order.

import fc from 'fast-check';
import type { Item } from '../../../../main/clinic/outbox/item.ts';
import { GOOD, type Machine, Simulation, type Weather } from './simulation.ts';

type Model = { copy: ReadonlyMap<number, Item> | undefined };
type Step = fc.Command<Model, Simulation>;

const step = (
  name: string,
  run: (real: Simulation, model: Model) => void,
  check: (model: Readonly<Model>) => boolean = () => true,
): Step => ({
  check,
  run(model, real) {
    run(real, model);
    real.check();
  },
  toString: () => name,
});

/** Each run has some kinds of trouble and not others: else rare pairs never meet. */
const share = fc.constantFrom(0, 0, 0, 0.05, 0.2, 0.5);
const weather: fc.Arbitrary<Weather> = fc.record({
  down: share,
  cut: share,
  lost: share,
  server: share,
  limited: fc.constantFrom(0, 0, 0.1),
  twice: fc.constantFrom(0, 0, 0.1),
  late: fc.constantFrom(0, 0, 0.1),
  unclear: fc.constantFrom(0, 0, 0.05),
});

const steps = [
  fc
    .record({
      way: fc.constantFrom('stream' as const, 'upload' as const),
      isCritical: fc.boolean(),
      pieces: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ way, isCritical, pieces }) =>
      step(`add(${way}, ${isCritical}, ${pieces})`, (real) => {
        if (real.recordings.size < 6) real.add(way, isCritical, pieces);
      }),
    ),
  fc.constantFrom(1, 2).map((frames) => step(`record(${frames})`, (real) => real.record(frames))),
  fc.constant(step('end recordings', (real) => real.record(0))),
  weather.map((next) =>
    step(`weather(${JSON.stringify(next)})`, (real) => {
      real.weather = next;
    }),
  ),
  fc.constant(
    step('good weather', (real) => {
      real.weather = GOOD;
    }),
  ),
  fc
    .constantFrom(500, 3000, 30_000, 600_000, 7_200_000)
    .map((ms) => step(`advance(${ms})`, (real) => real.advance(ms))),
  fc.constant(step('crash', (real) => real.crash())),
  fc.boolean().map((isCareful) => step(`answer(${isCareful})`, (real) => real.answer(isCareful))),
  fc.boolean().map((isGood) =>
    step(`token(${isGood})`, (real) => {
      real.isTokenGood = isGood;
      if (isGood && real.upstream.stop === 'token') real.upstream = { ...real.upstream, stop: undefined };
    }),
  ),
  fc.constantFrom(1, 2, 3).map((id) =>
    step(`poison(${id})`, (real) => {
      real.poisoned = id;
    }),
  ),
  fc.constantFrom(1, 2, 3).map((id) => step(`stop(${id})`, (real) => real.stop(id))),
  fc.constant(
    step('copy', (real, model) => {
      model.copy = new Map(real.items);
    }),
  ),
  fc.constant(
    step(
      'restore the copy',
      (real, model) => {
        if (model.copy !== undefined) real.restore(model.copy);
        model.copy = undefined;
      },
      ({ copy }) => copy !== undefined,
    ),
  ),
];

export interface HistoryOptions {
  readonly runs: number;
  readonly seed?: number;
  readonly machine?: Machine;
}

/** What happened in all of them: a test in which nothing happens proves nothing. */
export interface Counts {
  recordings: number;
  calls: number;
  crashes: number;
  restores: number;
  answers: number;
}

/** @throws Error with the shortest history that breaks a rule */
export function checkHistories({ runs, seed, machine }: HistoryOptions): Counts {
  const counts: Counts = { recordings: 0, calls: 0, crashes: 0, restores: 0, answers: 0 };
  fc.assert(
    fc.property(fc.commands(steps, { maxCommands: 40, size: '+1' }), fc.integer(), (commands, dice) => {
      const real = new Simulation(dice, machine);
      real.add('stream', false, 2);
      real.add('upload', false, 3);
      fc.modelRun(() => ({ model: { copy: undefined }, real }), commands);
      real.heal();
      counts.recordings += real.recordings.size;
      for (const name of ['calls', 'crashes', 'restores', 'answers'] as const) counts[name] += real[name];
    }),
    { numRuns: runs, includeErrorInReport: true, ...(seed !== undefined && { seed }) },
  );
  return counts;
}
