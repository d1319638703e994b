// What the domain needs of the store for patients.

import type { SearchTerms } from './patient-words.ts';
import type { LegalHold, Merge, Patient } from './records.ts';

export interface PatientStore {
  byId(id: number): Patient | undefined;
  byNumber(organizationId: number, number: string): Patient[];
  byBirthDate(organizationId: number, birthDate: string): Patient[];
  /** @param words that the patient is found by */
  add(patient: Omit<Patient, 'id' | 'mergedInto'>, words: readonly string[]): number;
  set(patient: Patient, words: readonly string[]): void;
  /** @param words none: nobody finds it any more */
  setMergedInto(id: number, into: number | undefined, words: readonly string[]): void;
  addMerge(merge: Omit<Merge, 'id' | 'isUndone'>): number;
  merge(id: number): Merge | undefined;
  /** Not undone ones, the newest first. */
  mergesSince(ms: number): Merge[];
  setUndone(mergeId: number, nowMs: number): void;
  /** The oldest hold of this patient, or of a chart that became this one. */
  legalHold(id: number): LegalHold | undefined;
  setLegalHold(id: number, hold: LegalHold): void;
  /** Removes the holds of both charts, where two became one. */
  removeLegalHold(id: number): void;
  /** The newest `limit` that are found, and how many there are. */
  search(
    organizationId: number,
    terms: SearchTerms,
    limit: number,
  ): { readonly patients: Patient[]; readonly total: number };
}
