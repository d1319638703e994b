// Random days of several people, for fast-check: what they do, in any order. A day that fails is told as the shortest list of
// steps that does.

import fc from 'fast-check';
import { tempFolder } from '../support/temp-folder.ts';
import { Day, type Page, PEOPLE } from './day.ts';
import { check } from './invariants.ts';

export type StepOfDay = fc.AsyncCommand<object, Day>;

const step = (name: string, run: (day: Day) => unknown): StepOfDay => ({
  check: () => true,
  async run(_model, day) {
    await run(day);
    await check(day);
  },
  toString: () => name,
});

const page = fc.constantFrom(0, 1);
const person = fc.constantFrom(...PEOPLE);
const at =
  (name: string, run: (day: Day, page: Page) => unknown) =>
  (place: number): StepOfDay =>
    step(`${name} at page ${place + 1}`, (day) => {
      const of = day.pages[place] as Page;
      // A dialog is answered before anything else is done there.
      return of.dialog === undefined || name === CONFIRM ? run(day, of) : undefined;
    });
const CONFIRM = 'confirm to discard';

/** More than there are workers, so that what comes next finds a queue. */
const MOST_FILES = 6;
/** A day hardly gets on without. */
const OFTEN = [1, 2];

const STEPS = [
  fc
    .tuple(page, person)
    .map(([place, name]) => at(`choose ${name}`, (day, of) => day.choose(of, name))(place)),
  page.map(at('emergency', (day, of) => day.emergency(of))),
  page.map(at('record', (day, of) => day.record(of))),
  page.map(at('stop', (day, of) => day.stop(of))),
  page.map(
    at('a short emergency', async (day, of) => {
      await day.emergency(of);
      await day.stop(of);
    }),
  ),
  page.map(at('repeat', (day, of) => day.repeat(of))),
  page.map(at('discard', (day, of) => day.discard(of))),
  page.map(at('ask to discard', (day, of) => day.askToDiscard(of))),
  page.map(at(CONFIRM, (day, of) => day.confirmDiscard(of))),
  page.map(at('save, next patient', (day, of) => day.save(of))),
  fc.tuple(page, fc.constantFrom('a', 'b')).map(([place, device]) =>
    at(`switch to device ${device}`, (_day, of) => {
      of.chosenDevice = device;
    })(place),
  ),
  person.map((name) => step(`assign the emergency to ${name}`, (day) => day.assign(name))),
  person.map((name) => step(`correct the name to ${name}`, (day) => day.correctName(name))),
  fc.tuple(person, fc.boolean(), fc.integer({ min: 1, max: MOST_FILES })).map(([name, isAutomatic, files]) =>
    step(`import ${files} files of ${name}${isAutomatic ? ', given out unread' : ''}`, async (day) => {
      for (let file = 0; file < files; file++) await day.importFile(name, isAutomatic);
    }),
  ),
  ...OFTEN.map(() => fc.constant(step('an analysis ends', (day) => day.letAnalyse()))),
  fc.constant(step('approve', (day) => day.approve())),
  fc.constant(step('amend', (day) => day.amend())),
  fc.constant(step('reject', (day) => day.reject())),
  fc
    .tuple(person, person)
    .map(([kept, gone]) => step(`merge ${gone} into ${kept}`, (day) => day.merge(kept, gone))),
  fc.constant(step('read all that waits', (day) => day.readAll())),
  fc.constant(step('the program is started again', (day) => day.restart())),
];

const MOST_STEPS = 30;

export interface JourneyOptions {
  readonly days: number;
  readonly seed: number;
}

/** @throws Error with the steps of the day that fails */
export async function runDays({ days, seed }: JourneyOptions): Promise<void> {
  await fc.assert(fc.asyncProperty(fc.commands(STEPS, { maxCommands: MOST_STEPS }), runSteps), {
    numRuns: days,
    seed,
    endOnFailure: false,
  });
}

/** One day, of given steps. */
export async function runSteps(steps: Iterable<StepOfDay>): Promise<void> {
  await using folder = await tempFolder();
  const day = new Day(folder.path);
  await day.begin();
  try {
    await fc.asyncModelRun(() => ({ model: {}, real: day }), steps);
  } finally {
    await day.open.close();
  }
}
