// Random days in real Chromium. Each takes about 25 seconds, so that a failing day is told whole, and not made shorter.

import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { PEOPLE, ScreenDay, type ScreenPage } from './screen-day.ts';

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

/** Most of a day happens at one of the pages, so that what is done there follows upon each other. */
const page = fc.constantFrom(0, 0, 1);
const person = fc.constantFrom(...PEOPLE);

/** Other steps need a recording that has begun and ended. */
const OFTEN = 2;

const STEP = fc.oneof(
  fc
    .tuple(page, person)
    .map(([place, name]) => at(`choose ${name}`, (day, of) => day.choose(of, name))(place)),
  { weight: OFTEN, arbitrary: page.map(at('emergency', (day, of) => day.emergency(of))) },
  page.map(at('record', (day, of) => day.record(of))),
  { weight: OFTEN, arbitrary: page.map(at('stop', (day, of) => day.stop(of))) },
  page.map(at('repeat', (day, of) => day.repeat(of))),
  page.map(at('discard', (day, of) => day.discard(of))),
  page.map(at('save, next patient', (day, of) => day.save(of))),
  fc
    .tuple(page, fc.constantFrom(0, 1))
    .map(([place, device]) =>
      at(`switch to device ${device + 1}`, (day, of) => day.switchDevice(of, device))(place),
    ),
  fc.tuple(person, fc.boolean()).map(([name, isOfTwoFiles]) => ({
    name: `send in ${isOfTwoFiles ? 'two files' : 'a file'} of ${name}`,
    run: (day: ScreenDay) => day.sendIn(name, isOfTwoFiles),
  })),
  person.map((name) => ({ name: `send in many of ${name}`, run: (day: ScreenDay) => day.sendInMany(name) })),
  fc.constant({ name: 'sync', run: (day: ScreenDay) => day.sync() }),
);

const STEPS_A_DAY = 14;

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
  const plans = fc.sample(fc.array(STEP, { minLength: STEPS_A_DAY, maxLength: STEPS_A_DAY }), {
    numRuns: days,
    seed,
  });
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
      onFault({ day: index + 1, sentence: (error as Error).message, steps });
    }
    for (const [step, count] of day.taken) taken.set(step, (taken.get(step) ?? 0) + count);
  }
  return taken;
}
