// The patient's form: what stands in its fields, what that means, and what is wrong or odd with it (screens,
// S1; hard limits: D50 to D52). Words for people are in the message catalogue under `entry.problem.<code>`.

import { fullYears } from '../../shared/civil-time.ts';
import { ADULT_YEARS } from '../../shared/clinical-limits.ts';
import type { DateOrder } from '../../shared/entry/typed-date.ts';
import { readTypedDate } from '../../shared/entry/typed-date.ts';
import { readCentimetres, readKilograms } from '../../shared/entry/typed-number.ts';
import { isTimeZone } from '../../shared/instant.ts';
import { isPlain } from '../../shared/plain-text.ts';
import type { TaskRequest } from '../../shared/v3/v3.ts';

export interface PatientForm {
  readonly lastName: string;
  readonly firstName: string;
  readonly birthDate: string;
  readonly age: string;
  /** No sex is the default; none is an answer. */
  readonly gender: '' | 'FEMALE' | 'MALE' | 'UNDIFFERENTIATED';
  readonly patientNumber: string;
  readonly heightCm: string;
  readonly weightKg: string;
  readonly investigation: string;
  readonly indications: readonly string[];
  readonly tags: readonly string[];
  /** IANA; empty: that of this computer. */
  readonly timeZone: string;
  /** The report counts without a physician. */
  readonly isAutoComplete: boolean;
}

export const EMPTY_FORM: PatientForm = {
  lastName: '',
  firstName: '',
  birthDate: '',
  age: '',
  gender: '',
  patientNumber: '',
  heightCm: '',
  weightKg: '',
  investigation: '',
  indications: [],
  tags: [],
  timeZone: '',
  isAutoComplete: false,
};

export type FormField = keyof PatientForm;

export type ProblemCode =
  | 'whoMissing'
  | 'tooLong'
  | 'controlCharacter'
  | 'tooMany'
  | 'dateUnreadable'
  | 'dateTooEarly'
  | 'dateInFuture'
  | 'ageUnreadable'
  | 'heightUnreadable'
  | 'weightUnreadable'
  | 'nameLong'
  | 'nameOnlyOne'
  | 'nameDigits'
  | 'ageHigh'
  | 'ageMissing'
  | 'birthDateMissing'
  | 'sexMissing'
  | 'heightUnusual'
  | 'weightUnusual'
  | 'weightTimesTen'
  | 'timeZoneUnknown'
  | 'timeZoneOther';

export interface Problem {
  readonly field: FormField;
  readonly code: ProblemCode;
  /** An error keeps the recording from starting; a warning can be kept with "Yes, correct". */
  readonly isError: boolean;
  /** What was probably meant, as it would be typed. */
  readonly suggestion?: string;
}

export interface FormContext {
  readonly dateOrder: DateOrder;
  readonly nowMs: number;
  /** The day that it is here. */
  readonly today: string;
  /** The time zone of this computer. */
  readonly timeZone: string;
}

export interface ReadForm {
  readonly request: TaskRequest;
  readonly problems: readonly Problem[];
}

const MOST_CHARACTERS = 256;
const LONG_NAME = 64;
const MOST_ITEMS = 100;
const EARLIEST = '1850-01-01';
const LIMIT = { ageYears: 150, oddAgeYears: 110, heightCm: 300, leastGrams: 200, mostGrams: 1_000_000 };
const USUAL = { heightCm: [20, 260], adultHeightCm: [130, 210], mostGrams: 400_000, bmi: [12, 60] } as const;
/** Between these an adult's weight is nothing special: a value ten times off lands here. */
const PLAUSIBLE_ADULT_KG = [30, 250] as const;

const error = (field: FormField, code: ProblemCode): Problem => ({ field, code, isError: true });
const warning = (field: FormField, code: ProblemCode, suggestion?: string): Problem => ({
  field,
  code,
  isError: false,
  ...(suggestion !== undefined && { suggestion }),
});

function textProblems(form: PatientForm): Problem[] {
  const problems: Problem[] = [];
  const check = (field: FormField, text: string, most: number): void => {
    if ([...text.trim()].length > most) problems.push(error(field, 'tooLong'));
    if (!isPlain(text)) problems.push(error(field, 'controlCharacter'));
  };
  for (const field of ['lastName', 'firstName', 'patientNumber', 'investigation'] as const)
    check(field, form[field], MOST_CHARACTERS);
  for (const [field, most] of [
    ['indications', 1000],
    ['tags', MOST_CHARACTERS],
  ] as const) {
    for (const item of form[field]) check(field, item, most);
    if (form[field].length > MOST_ITEMS) problems.push(error(field, 'tooMany'));
  }
  return problems;
}

function nameProblems({ lastName, firstName, patientNumber }: PatientForm): Problem[] {
  const [last, first] = [lastName.trim(), firstName.trim()];
  if (last === '' && patientNumber.trim() === '') return [error('lastName', 'whoMissing')];
  const problems: Problem[] = [];
  for (const [field, name] of [
    ['lastName', last],
    ['firstName', first],
  ] as const) {
    if ([...name].length > LONG_NAME) problems.push(warning(field, 'nameLong'));
    if (/\p{Nd}/u.test(name)) problems.push(warning(field, 'nameDigits'));
  }
  if ((last === '') !== (first === ''))
    problems.push(warning(last === '' ? 'lastName' : 'firstName', 'nameOnlyOne'));
  return problems;
}

interface Age {
  readonly birthDate: string | undefined;
  readonly years: number | undefined;
  readonly problems: readonly Problem[];
}

function readAge(
  { birthDate: typedDate, age: typedAge }: PatientForm,
  { dateOrder, nowMs, today }: FormContext,
): Age {
  if (typedDate.trim() !== '') {
    const birthDate = readTypedDate(typedDate, dateOrder, nowMs);
    const fail = (code: ProblemCode): Age => ({
      birthDate: undefined,
      years: undefined,
      problems: [error('birthDate', code)],
    });
    if (birthDate === undefined) return fail('dateUnreadable');
    if (birthDate < EARLIEST) return fail('dateTooEarly');
    if (birthDate > today) return fail('dateInFuture');
    const years = fullYears(birthDate, nowMs);
    return { birthDate, years, problems: years > LIMIT.oddAgeYears ? [warning('birthDate', 'ageHigh')] : [] };
  }
  if (typedAge.trim() === '')
    return { birthDate: undefined, years: undefined, problems: [warning('birthDate', 'ageMissing')] };
  const years = /^\d{1,3}$/.test(typedAge.trim()) ? Number(typedAge) : Number.NaN;
  if (!(years <= LIMIT.ageYears))
    return { birthDate: undefined, years: undefined, problems: [error('age', 'ageUnreadable')] };
  return {
    birthDate: undefined,
    years,
    problems: [
      ...(years > LIMIT.oddAgeYears ? [warning('age', 'ageHigh')] : []),
      ...(years < 3 ? [warning('birthDate', 'birthDateMissing')] : []),
    ],
  };
}

const isOutside = (value: number, [low, high]: readonly [number, number]): boolean =>
  value < low || value > high;

function heightProblems(heightCm: number, ageYears: number | undefined): Problem[] {
  const isAdult = ageYears !== undefined && ageYears >= ADULT_YEARS;
  return isOutside(heightCm, isAdult ? USUAL.adultHeightCm : USUAL.heightCm)
    ? [warning('heightCm', 'heightUnusual')]
    : [];
}

function weightProblems(
  grams: number,
  heightCm: number | undefined,
  ageYears: number | undefined,
): Problem[] {
  const kg = grams / 1000;
  const isAdult = ageYears !== undefined && ageYears >= ADULT_YEARS;
  const meant = [kg * 10, kg / 10].find((each) => !isOutside(each, PLAUSIBLE_ADULT_KG));
  if (isAdult && isOutside(kg, PLAUSIBLE_ADULT_KG) && meant !== undefined)
    return [warning('weightKg', 'weightTimesTen', String(Math.round(meant * 1000) / 1000))];
  const bmi = heightCm === undefined ? undefined : kg / (heightCm / 100) ** 2;
  const isOdd = grams > USUAL.mostGrams || (isAdult && bmi !== undefined && isOutside(bmi, USUAL.bmi));
  return isOdd ? [warning('weightKg', 'weightUnusual')] : [];
}

interface Body {
  readonly heightCm: number | undefined;
  readonly grams: number | undefined;
  readonly problems: readonly Problem[];
}

function readBody(form: PatientForm, ageYears: number | undefined): Body {
  const problems: Problem[] = [];
  let heightCm = form.heightCm.trim() === '' ? undefined : readCentimetres(form.heightCm);
  let grams = form.weightKg.trim() === '' ? undefined : readKilograms(form.weightKg);
  if (form.heightCm.trim() !== '' && (heightCm === undefined || isOutside(heightCm, [1, LIMIT.heightCm]))) {
    problems.push(error('heightCm', 'heightUnreadable'));
    heightCm = undefined;
  }
  if (
    form.weightKg.trim() !== '' &&
    (grams === undefined || isOutside(grams, [LIMIT.leastGrams, LIMIT.mostGrams]))
  ) {
    problems.push(error('weightKg', 'weightUnreadable'));
    grams = undefined;
  }
  if (heightCm !== undefined) problems.push(...heightProblems(heightCm, ageYears));
  if (grams !== undefined) problems.push(...weightProblems(grams, heightCm, ageYears));
  return { heightCm, grams, problems };
}

function timeZoneProblems({ timeZone }: PatientForm, own: string): Problem[] {
  if (timeZone === '' || timeZone === own) return [];
  return [isTimeZone(timeZone) ? warning('timeZone', 'timeZoneOther') : error('timeZone', 'timeZoneUnknown')];
}

const cleaned = (items: readonly string[]): string[] => [
  ...new Set(items.map((item) => item.trim()).filter((item) => item !== '')),
];

/**
 * @returns the task that the form stands for, without what is wrong in it, and all that is wrong or odd, in
 * the order of the fields
 */
export function readForm(form: PatientForm, context: FormContext): ReadForm {
  const age = readAge(form, context);
  const body = readBody(form, age.years);
  const zoneProblems = timeZoneProblems(form, context.timeZone);
  const given = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());
  const [indications, tags] = [cleaned(form.indications), cleaned(form.tags)];
  const stated: { [K in keyof TaskRequest]: TaskRequest[K] | undefined } = {
    patient_last_name: given(form.lastName),
    patient_first_name: given(form.firstName),
    patient_id: given(form.patientNumber),
    patient_birth_date: age.birthDate,
    patient_age: age.birthDate === undefined ? age.years : undefined,
    patient_gender: form.gender === '' ? undefined : form.gender,
    patient_height: body.heightCm,
    patient_weight: body.grams,
    investigation_id: given(form.investigation),
    indications: indications.length === 0 ? undefined : indications,
    searching_tags: tags.length === 0 ? undefined : tags,
    recording_time_zone: zoneProblems.some(({ isError }) => isError)
      ? undefined
      : form.timeZone || context.timeZone,
    auto_complete: form.isAutoComplete ? true : undefined,
  };
  const problems = [
    ...nameProblems(form),
    ...age.problems,
    ...(form.gender === '' ? [warning('gender', 'sexMissing')] : []),
    ...body.problems,
    ...textProblems(form),
    ...zoneProblems,
  ];
  return {
    request: Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
    problems,
  };
}
