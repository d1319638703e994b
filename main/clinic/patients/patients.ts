// Known patients: who has been recorded here, found while somebody types. A patient becomes known by the
// first task that says who it is.

import { areNamesSimilar, nameKeys } from '../../../shared/entry/name-key.ts';
import type { DateOrder } from '../../../shared/entry/typed-date.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { ClinicContext, Tx } from '../context.ts';
import { patientWords, searchTerms } from './patient-words.ts';
import type { Patient } from './records.ts';

const MOST_SHOWN = 50;

export interface FoundPatients {
  readonly patients: readonly Patient[];
  readonly total: number;
}

const keyOf = ({ lastName = '', firstName = '' }: PatientFacts): string =>
  `${nameKeys(lastName).join(' ')}, ${nameKeys(firstName).join(' ')}`;
const hasName = ({ lastName = '', firstName = '' }: PatientFacts): boolean =>
  nameKeys(`${lastName} ${firstName}`).length > 0;
/**
 * The name of a chart is the one it got first: what is written in another way is a recording's spelling, no
 * new name for the person.
 */
const nameOf = (known: PatientFacts, said: PatientFacts): PatientFacts => {
  const { lastName, firstName } = hasName(known) ? known : said;
  return { ...(lastName !== undefined && { lastName }), ...(firstName !== undefined && { firstName }) };
};
/** Nothing that one of them says speaks against the other. */
const fits = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b;

/**
 * One person for certain: what both know is the same, and they know enough. A doubt is for people to decide.
 */
export function isSamePerson(a: PatientFacts, b: PatientFacts): boolean {
  const isNameSame = keyOf(a) === keyOf(b) && hasName(a);
  const doNamesFit = isNameSame || !hasName(a) || !hasName(b);
  if (!fits(a.id, b.id) || !fits(a.birthDate, b.birthDate) || !doNamesFit) return false;
  const isNumberSame = a.id !== undefined && a.id === b.id;
  const isBirthSame = a.birthDate !== undefined && a.birthDate === b.birthDate;
  return isNumberSame || (isNameSame && isBirthSame);
}

export class Patients {
  readonly #context: ClinicContext;

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  /**
   * Makes known whom a task is of.
   * @returns undefined where too little is said to know the person again
   */
  noteSeen(_tx: Tx, organizationId: number, facts: PatientFacts): number | undefined {
    const isKnowable = facts.id !== undefined || (facts.birthDate !== undefined && hasName(facts));
    if (!isKnowable) return undefined;
    const { store, clock } = this.#context;
    const seenMs = clock.nowMs();
    const { ageYears: _age, ...lasting } = facts;
    const isMeasured = facts.heightCm !== undefined || facts.weightG !== undefined;
    const near = this.#near(organizationId, facts).find((patient) => isSamePerson(patient.facts, facts));
    let known = near;
    while (known?.mergedInto !== undefined) known = store.patients.byId(known.mergedInto);
    if (known === undefined)
      return store.patients.add(
        { organizationId, facts: lasting, measuredMs: isMeasured ? seenMs : undefined, seenMs },
        patientWords(facts),
      );
    // Under what name somebody came who is known under another one by now is no news.
    if (near !== known) return known.id;
    const merged = { ...known.facts, ...lasting, ...nameOf(known.facts, lasting) };
    store.patients.set(
      { ...known, facts: merged, measuredMs: isMeasured ? seenMs : known.measuredMs, seenMs },
      patientWords(merged),
    );
    return known.id;
  }

  /** The patients with the same number or date of birth. */
  #near(organizationId: number, { id, birthDate }: PatientFacts): Patient[] {
    const { patients } = this.#context.store;
    return [
      ...(id === undefined ? [] : patients.byNumber(organizationId, id)),
      ...(birthDate === undefined ? [] : patients.byBirthDate(organizationId, birthDate)),
    ];
  }

  /** Patients that somebody may mean who types this. Nobody is shown before something is typed. */
  search(organizationId: number, text: string, order: DateOrder): FoundPatients {
    const terms = searchTerms(text, order, this.#context.clock.nowMs());
    if (terms.length === 0) return { patients: [], total: 0 };
    return this.#context.store.patients.search(organizationId, terms, MOST_SHOWN);
  }

  /** Known patients who may be the same person under another name or number: a question for people (E7). */
  mayBeSame(organizationId: number, facts: PatientFacts): Patient[] {
    const names = { first: facts.firstName ?? '', last: facts.lastName ?? '' };
    const found = this.#near(organizationId, facts).filter((patient) => {
      if (patient.mergedInto !== undefined || isSamePerson(patient.facts, facts)) return false;
      if (facts.id !== undefined && patient.facts.id === facts.id) return true;
      return areNamesSimilar(names, {
        first: patient.facts.firstName ?? '',
        last: patient.facts.lastName ?? '',
      });
    });
    return [...new Map(found.map((patient) => [patient.id, patient])).values()];
  }
}
