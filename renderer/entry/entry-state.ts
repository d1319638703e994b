// Who lies on the couch: the form, and whether its identity was confirmed for this recording. Nothing is
// recorded under a name that was not confirmed, and nothing of one patient stays for the next (screens, 1.8
// and S1; E1 to E3, E8).

import type { Proof } from '../../shared/entry/recording-entry.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';
import { EMPTY_FORM, type PatientForm, type Problem } from './patient-form.ts';

export interface Confirmation {
  readonly atMs: number;
  readonly proof: Proof;
}

export interface EntryState {
  readonly form: PatientForm;
  readonly name: Confirmation | undefined;
  /** Date of birth, or the number of those who can't give one. */
  readonly birth: Confirmation | undefined;
  /** Warnings that somebody looked at and kept. */
  readonly kept: ReadonlySet<string>;
  /** Known patients of whom somebody said that they are other people (E7). */
  readonly others: ReadonlySet<number>;
  /** What the form was filled from, and the recording is for. */
  readonly order: ChosenOrder | undefined;
  /** Grows whenever the form may be about somebody else than before. */
  readonly person: number;
  /** What was recorded of this person; nobody acts on it under another's name. */
  readonly last: LastRecording | undefined;
}

/** A recording of this person that was begun here, or saved of the seconds before. */
export type LastRecording =
  | { readonly kind: 'begun'; readonly taskId: number }
  | { readonly kind: 'saved'; readonly taskId: number; readonly recordedMs: number };

export interface ChosenOrder {
  readonly orderId: number;
  /** Whom it is for. */
  readonly patient: PatientFacts;
  readonly number: string | undefined;
  readonly time: string | undefined;
}

export const EMPTY_ENTRY: EntryState = {
  form: EMPTY_FORM,
  name: undefined,
  birth: undefined,
  kept: new Set(),
  others: new Set(),
  order: undefined,
  person: 0,
  last: undefined,
};

export type EntryEvent =
  | { readonly kind: 'edited'; readonly change: Partial<PatientForm> }
  /**
   * A known patient, an order, or a code that was scanned fills the form; who it is has to be confirmed all
   * the same.
   */
  | { readonly kind: 'filled'; readonly form: PatientForm; readonly order?: ChosenOrder }
  | {
      readonly kind: 'confirmed';
      readonly what: 'name' | 'birth';
      readonly confirmation: Confirmation | undefined;
    }
  | { readonly kind: 'kept'; readonly problem: Problem }
  | { readonly kind: 'otherPerson'; readonly patientId: number }
  /** The recording is stored, or the form is given up. */
  | { readonly kind: 'cleared' }
  /** @param person of whom it was asked for: where somebody else was entered meanwhile, it is not this one's */
  | { readonly kind: 'recorded'; readonly person: number; readonly last: LastRecording | undefined };

const IDENTIFYING: readonly (keyof PatientForm)[] = [
  'lastName',
  'firstName',
  'birthDate',
  'age',
  'patientNumber',
];
const EXPIRES_MS = 30 * 60_000;

/** A warning counts as seen for the value that it was about. */
const keyOf = ({ form }: EntryState, { field, code }: Problem): string =>
  `${field} ${code} ${JSON.stringify(form[field])}`;

export function nextEntry(state: EntryState, event: EntryEvent): EntryState {
  switch (event.kind) {
    case 'edited': {
      const form = { ...state.form, ...event.change };
      const isSame = IDENTIFYING.every((field) => form[field] === state.form[field]);
      return isSame
        ? { ...state, form }
        : {
            ...state,
            form,
            name: undefined,
            birth: undefined,
            others: new Set(),
            person: state.person + 1,
            last: undefined,
          };
    }
    case 'filled':
      return { ...EMPTY_ENTRY, form: event.form, order: event.order, person: state.person + 1 };
    case 'confirmed':
      return { ...state, [event.what]: event.confirmation };
    case 'kept':
      return { ...state, kept: new Set([...state.kept, keyOf(state, event.problem)]) };
    case 'otherPerson':
      return { ...state, others: new Set([...state.others, event.patientId]) };
    case 'cleared':
      return { ...EMPTY_ENTRY, person: state.person + 1 };
    case 'recorded':
      return event.person === state.person ? { ...state, last: event.last } : state;
  }
}

export const isKept = (state: EntryState, problem: Problem): boolean =>
  !problem.isError && state.kept.has(keyOf(state, problem));

const isValid = (confirmation: Confirmation | undefined, nowMs: number): boolean =>
  confirmation !== undefined && nowMs - confirmation.atMs < EXPIRES_MS;

/** What has to be done before a recording can start, in the order in which it is done. */
export type OpenPoint =
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** Somebody who is known may be the same person. */
  | { readonly kind: 'same'; readonly patientId: number }
  | { readonly kind: 'name' | 'birth' };

export function openPoints(
  state: EntryState,
  problems: readonly Problem[],
  similar: readonly { readonly patientId: number }[],
  nowMs: number,
): readonly OpenPoint[] {
  return [
    ...problems
      .filter((problem) => !isKept(state, problem))
      .map((problem): OpenPoint => ({ kind: 'problem', problem })),
    ...similar
      .filter(({ patientId }) => !state.others.has(patientId))
      .map(({ patientId }): OpenPoint => ({ kind: 'same', patientId })),
    ...(isValid(state.name, nowMs) ? [] : [{ kind: 'name' } as const]),
    ...(isValid(state.birth, nowMs) ? [] : [{ kind: 'birth' } as const]),
  ];
}
