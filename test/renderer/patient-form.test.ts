import fc from 'fast-check';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { checkTaskRequest } from '../../main/v3/task-fields.ts';
import {
  type Confirmation,
  EMPTY_ENTRY,
  type EntryEvent,
  type EntryState,
  nextEntry,
  openPoints,
} from '../../renderer/entry/entry-state.ts';
import { EMPTY_FORM, type PatientForm, readForm } from '../../renderer/entry/patient-form.ts';
import { TaskRequest } from '../../shared/v3/v3.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const CONTEXT = {
  dateOrder: 'dayFirst',
  nowMs: NOW_MS,
  today: '2026-11-22',
  timeZone: 'Europe/Riga',
} as const;
const HOFFMANN: PatientForm = {
  ...EMPTY_FORM,
  lastName: ' Hoffmann ',
  firstName: 'Anneliese',
  birthDate: '14.3.51',
  gender: 'FEMALE',
  patientNumber: '004 817',
  heightCm: '162',
  weightKg: '68,4',
};
const read = (change: Partial<PatientForm> = {}) => readForm({ ...HOFFMANN, ...change }, CONTEXT);
const codes = (change: Partial<PatientForm>): string[] =>
  read(change).problems.map(({ field, code, isError }) => `${field} ${code}${isError ? '!' : ''}`);

describe('the form', () => {
  test('is the task that it stands for', () => {
    expect(read({ indications: [' chest pain ', '', 'chest pain'], tags: ['ward 2'] })).toEqual({
      request: {
        patient_last_name: 'Hoffmann',
        patient_first_name: 'Anneliese',
        patient_birth_date: '1951-03-14',
        patient_gender: 'FEMALE',
        patient_id: '004 817',
        patient_height: 162,
        patient_weight: 68_400,
        indications: ['chest pain'],
        searching_tags: ['ward 2'],
        recording_time_zone: 'Europe/Riga',
      },
      problems: [],
    });
  });

  test.each<[string, Partial<PatientForm>, string[]]>([
    ['nobody', { lastName: '', patientNumber: ' ' }, ['lastName whoMissing!']],
    ['another time zone', { timeZone: 'Europe/Madrid' }, ['timeZone timeZoneOther']],
    ['no time zone', { timeZone: 'Europe/Nowhere' }, ['timeZone timeZoneUnknown!']],
    ['a number alone', { lastName: '', firstName: '' }, []],
    ['one name', { firstName: '' }, ['firstName nameOnlyOne']],
    ['digits in a name', { lastName: 'Hoffmann2' }, ['lastName nameDigits']],
    ['a long name', { lastName: 'x'.repeat(65) }, ['lastName nameLong']],
    ['a name too long', { lastName: '𝔁'.repeat(257) }, ['lastName nameLong', 'lastName tooLong!']],
    ['a control character', { patientNumber: 'a\u0007' }, ['patientNumber controlCharacter!']],
    ['half a letter', { firstName: 'a\ud800' }, ['firstName controlCharacter!']],
    ['no date', { birthDate: 'yesterday' }, ['birthDate dateUnreadable!']],
    ['too early', { birthDate: '31.12.1849' }, ['birthDate dateTooEarly!']],
    ['tomorrow', { birthDate: '23.11.2026' }, ['birthDate dateInFuture!']],
    ['today', { birthDate: '22.11.2026', heightCm: '', weightKg: '' }, []],
    ['very old', { birthDate: '1.1.1900' }, ['birthDate ageHigh']],
    ['an age', { birthDate: '', age: '75' }, []],
    ['no age', { birthDate: '', age: '' }, ['birthDate ageMissing']],
    [
      'a small child by age',
      { birthDate: '', age: '2', heightCm: '', weightKg: '' },
      ['birthDate birthDateMissing'],
    ],
    ['an age that is none', { birthDate: '', age: '7x' }, ['age ageUnreadable!']],
    ['an age too high', { birthDate: '', age: '151' }, ['age ageUnreadable!']],
    ['no sex', { gender: '' }, ['gender sexMissing']],
    ['a height in metres', { heightCm: '1.62' }, ['heightCm heightUnreadable!']],
    ['a height of nothing', { heightCm: '0' }, ['heightCm heightUnreadable!']],
    ['a small adult', { heightCm: '120', weightKg: '' }, ['heightCm heightUnusual']],
    ['a child of that height', { birthDate: '1.1.2019', heightCm: '120', weightKg: '22' }, []],
    ['a weight that is none', { weightKg: 'heavy' }, ['weightKg weightUnreadable!']],
    ['too light', { weightKg: '0.1' }, ['weightKg weightUnreadable!']],
    ['too heavy', { weightKg: '1001' }, ['weightKg weightUnreadable!']],
    ['ten times too light', { weightKg: '6.8' }, ['weightKg weightTimesTen']],
    ['ten times too heavy', { weightKg: '684' }, ['weightKg weightTimesTen']],
    ['light for the height', { heightCm: '200', weightKg: '45' }, ['weightKg weightUnusual']],
    ['a new-born', { birthDate: '20.11.2026', heightCm: '50', weightKg: '3.412' }, []],
    ['a tag too long', { tags: ['x'.repeat(257)] }, ['tags tooLong!']],
    ['too many tags', { tags: Array.from({ length: 101 }, (_, i) => `${i}`) }, ['tags tooMany!']],
  ])('%s', (_, change, found) => expect(codes(change)).toEqual(found));

  test('says which weight was probably meant', () => {
    expect(read({ weightKg: '6.8' }).problems[0]?.suggestion).toBe('68');
    expect(read({ weightKg: '684' }).problems[0]?.suggestion).toBe('68.4');
  });

  test('whatever stands in it: without what is called an error the service takes it', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.integer({ min: 0, max: 2000 }).map(String),
      fc.constantFrom(
        '14.3.1951',
        '70',
        '172',
        '1.1.2050',
        '',
        ' ',
        'x'.repeat(256),
        '𝔁'.repeat(256),
        'x'.repeat(257),
        '1000',
        '1000,1',
        '0.2',
        '300',
      ),
    );
    const anyForm = fc.record({
      lastName: text,
      firstName: text,
      birthDate: text,
      age: text,
      gender: fc.constantFrom('' as const, 'FEMALE' as const, 'MALE' as const),
      patientNumber: text,
      heightCm: text,
      weightKg: text,
      investigation: text,
      indications: fc.array(text, { maxLength: 101 }),
      tags: fc.array(text, { maxLength: 101 }),
      timeZone: fc.constantFrom('', 'Europe/Madrid', 'Mars/Olympus'),
      isAutoComplete: fc.boolean(),
    });
    fc.assert(
      fc.property(anyForm, (typed) => {
        let form: PatientForm = typed;
        // An age counts only where there is no date of birth: emptying one can show the other.
        for (let round = 0; round < 2; round++) {
          const wrong = readForm(form, CONTEXT).problems.filter(({ isError }) => isError);
          const emptied = Object.fromEntries(wrong.map(({ field }) => [field, EMPTY_FORM[field]]));
          form = { ...form, ...emptied, lastName: emptied.lastName === '' ? 'Meier' : form.lastName };
        }
        const { request, problems } = readForm(form, CONTEXT);
        expect(problems.filter(({ isError }) => isError)).toEqual([]);
        expect(Check(TaskRequest, request)).toBe(true);
        checkTaskRequest(request, NOW_MS);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('identity', () => {
  const said: Confirmation = { atMs: NOW_MS, proof: 'said' };
  const confirmedEntry = (): EntryState =>
    (['name', 'birth'] as const).reduce(
      (state, what) => nextEntry(state, { kind: 'confirmed', what, confirmation: said }),
      nextEntry(EMPTY_ENTRY, { kind: 'edited', change: HOFFMANN }),
    );
  const kinds = (state: EntryState, nowMs = NOW_MS): string[] =>
    openPoints(state, readForm(state.form, CONTEXT).problems, [], nowMs).map((point) =>
      point.kind === 'problem' ? point.problem.code : point.kind,
    );

  test('has to be confirmed, holds for half an hour, and goes with every change of name, birth or number', () => {
    const state = confirmedEntry();
    expect(kinds(nextEntry(EMPTY_ENTRY, { kind: 'edited', change: HOFFMANN }))).toEqual(['name', 'birth']);
    expect(kinds(state)).toEqual([]);
    expect(kinds(state, NOW_MS + 30 * 60_000)).toEqual(['name', 'birth']);
    for (const field of ['lastName', 'firstName', 'birthDate', 'patientNumber'] as const)
      expect(kinds(nextEntry(state, { kind: 'edited', change: { [field]: '17' } }))).toEqual(
        expect.arrayContaining(['name', 'birth']),
      );
    expect(kinds(nextEntry(state, { kind: 'edited', change: { heightCm: '160', tags: ['x'] } }))).toEqual([]);
  });

  test('a warning that was looked at is kept for its value alone', () => {
    const odd = nextEntry(confirmedEntry(), { kind: 'edited', change: { weightKg: '6.8' } });
    const [problem] = readForm(odd.form, CONTEXT).problems;
    const kept = nextEntry(odd, { kind: 'kept', problem: problem! });
    expect([kinds(odd), kinds(kept)]).toEqual([['weightTimesTen'], []]);
    expect(kinds(nextEntry(kept, { kind: 'edited', change: { weightKg: '6.9' } }))).toEqual([
      'weightTimesTen',
    ]);
    expect(kinds(nextEntry(kept, { kind: 'kept', problem: { ...problem!, isError: true } }))).toEqual([]);
  });

  test('whatever is done: what is confirmed is what stands there, and nothing stays for the next patient', () => {
    const names = fc.constantFrom('Hoffmann', 'Meier', '');
    const event: fc.Arbitrary<EntryEvent> = fc.oneof(
      fc.record({
        kind: fc.constant('edited' as const),
        change: fc.record({ lastName: names, heightCm: names }, { requiredKeys: [] }),
      }),
      fc.record({
        kind: fc.constant('filled' as const),
        form: names.map((lastName) => ({ ...EMPTY_FORM, lastName })),
      }),
      fc.record({
        kind: fc.constant('confirmed' as const),
        what: fc.constantFrom('name' as const, 'birth' as const),
        confirmation: fc.constantFrom(said, undefined),
      }),
      fc.constant({ kind: 'cleared' as const }),
      // Also of somebody who was entered before.
      fc.record({
        kind: fc.constant('recorded' as const),
        person: fc.nat(20),
        last: fc.constantFrom({ kind: 'begun' as const, taskId: 1 }, undefined),
      }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state: EntryState = EMPTY_ENTRY;
        let confirmedUnder: string | undefined;
        let recordedUnder: string | undefined;
        for (const each of events) {
          state = nextEntry(state, each);
          if (each.kind === 'confirmed' && each.what === 'name')
            confirmedUnder = each.confirmation && state.form.lastName;
          if (state.name !== undefined) expect(state.form.lastName).toBe(confirmedUnder);
          if (each.kind === 'cleared') expect(state).toEqual({ ...EMPTY_ENTRY, person: state.person });
          // What was recorded of one person is not acted on under another one's name.
          if (each.kind === 'recorded' && state.last === each.last) recordedUnder = state.form.lastName;
          if (state.last !== undefined) expect(state.form.lastName).toBe(recordedUnder);
          if (each.kind === 'filled') expect([state.name, state.birth]).toEqual([undefined, undefined]);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
