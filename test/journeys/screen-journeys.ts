// Random days in real Chromium. Each takes about a minute, so that a failing day is told whole, and not made shorter.

import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { PEOPLE, type Person, ScreenDay, type ScreenPage } from './screen-day.ts';

interface Step {
  readonly name: string;
  run(day: ScreenDay): Promise<void>;
}

const at =
  (name: string, run: (day: ScreenDay, page: ScreenPage) => Promise<void>) =>
  (place: number): Step => ({
    name: `${name} at page ${place + 1}`,
    run: (day) => run(day, day.pages[place] as ScreenPage),
  });

const person = fc.constantFrom(...PEOPLE);
const choose = (name: Person) => at(`choose ${name}`, (day, of) => day.choose(of, name));
const emergency = at('emergency', (day, of) => day.emergency(of));
const record = at('record', (day, of) => day.record(of));
const stop = at('stop', (day, of) => day.stop(of));

/** What somebody does with a recording that has just ended; the next patient may simply be chosen. */
const next = fc.oneof(
  person.map(choose),
  fc.constantFrom(
    at('repeat', (day, of) => day.repeat(of)),
    at('discard', (day, of) => day.discard(of)),
    at('save, next patient', (day, of) => day.save(of)),
  ),
);
const switchDevice = (place: number) =>
  at(`switch to device ${place + 1}`, (day, of) => day.switchDevice(of, place));
const sendIn = (name: Person, isOfTwoFiles: boolean) => () => ({
  name: `send in ${isOfTwoFiles ? 'two files' : 'a file'} of ${name}`,
  run: (day: ScreenDay) => day.sendIn(name, isOfTwoFiles),
});
const sendInMany = (name: Person) => () => ({
  name: `send in many of ${name}`,
  run: (day: ScreenDay) => day.sendInMany(name),
});
const sync = () => ({ name: 'sync', run: (day: ScreenDay) => day.sync() });

type StepAt = (place: number) => Step;

/** What follows upon each other at one page; between two steps of it, the other page does something. */
const VISIT: fc.Arbitrary<readonly StepAt[]> = fc.oneof(
  { weight: 2, arbitrary: fc.tuple(person, next).map(([name, then]) => [choose(name), record, stop, then]) },
  { weight: 2, arbitrary: next.map((then) => [emergency, stop, then]) },
  fc
    .tuple(fc.constantFrom(0, 1), next)
    .map(([place, then]) => [switchDevice(place), emergency, stop, then, switchDevice(1 - place)]),
  {
    weight: 2,
    arbitrary: fc
      .tuple(person, fc.boolean())
      .map(([name, isOfTwoFiles]) => [sendIn(name, isOfTwoFiles), sync]),
  },
  person.map((name) => [sendInMany(name), emergency, stop]),
);

const VISITS = { first: 4, second: 2 } as const;
const MOST_STEPS = 32;

/** @param isFirst whose step comes next; where one page has none left, the other goes on */
function interleave(first: readonly Step[], second: readonly Step[], isFirst: readonly boolean[]): Step[] {
  const steps: Step[] = [];
  let [a, b] = [0, 0];
  while (a < first.length || b < second.length) {
    const takesFirst = b === second.length || (a < first.length && isFirst[a + b] !== false);
    steps.push((takesFirst ? first[a++] : second[b++]) as Step);
  }
  return steps;
}

const visitsAt = (place: number, count: number): fc.Arbitrary<Step[]> =>
  fc
    .array(VISIT, { minLength: count, maxLength: count })
    .map((visits) => visits.flat().map((step) => step(place)));

const DAY = fc
  .tuple(
    visitsAt(0, VISITS.first),
    visitsAt(1, VISITS.second),
    fc.array(fc.boolean(), { minLength: MOST_STEPS, maxLength: MOST_STEPS }),
  )
  .map(([first, second, isFirst]) => interleave(first, second, isFirst));

export interface ScreenDaysOptions {
  readonly days: number;
  readonly seed: number;
  onFault(fault: DayFault): void;
}

export interface DayFault {
  readonly day: number;
  /** It tells the rule that did not hold, or the step that could not be carried out. */
  readonly sentence: string;
  readonly steps: readonly string[];
}

/** @returns how often each step could be taken */
export async function runScreenDays(
  browser: Browser,
  { days, seed, onFault }: ScreenDaysOptions,
): Promise<ReadonlyMap<string, number>> {
  const taken = new Map<string, number>();
  const plans = fc.sample(DAY, { numRuns: days, seed });
  for (const [index, plan] of plans.entries()) {
    await using day = await ScreenDay.begin(browser);
    const steps: string[] = [];
    try {
      for (const { name, run } of plan) {
        steps.push(name);
        await run(day);
        await day.check();
      }
    } catch (error) {
      await day.shoot(`day-${index + 1}`);
      onFault({ day: index + 1, sentence: (error as Error).message, steps });
    }
    for (const [step, count] of day.taken) taken.set(step, (taken.get(step) ?? 0) + count);
  }
  return taken;
}
