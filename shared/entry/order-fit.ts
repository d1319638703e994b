// Whether a patient can be the one whom an order is for. A letter that differs is no contradiction; another
// number or birthday is.

import type { PatientFacts } from '../signal/recording.ts';
import { areNamesSimilar } from './name-key.ts';

const bare = (number: string): string => number.replaceAll(' ', '');

/** Whether a message about an order means the patient whom it is for: the number decides, where both say one. */
export const isOrderedFor = (ordered: PatientFacts, named: PatientFacts): boolean =>
  ordered.id !== undefined && named.id !== undefined
    ? bare(ordered.id) === bare(named.id)
    : fitsOrder(ordered, named);

export function fitsOrder(ordered: PatientFacts, patient: PatientFacts): boolean {
  if (ordered.id !== undefined && patient.id !== undefined && bare(ordered.id) !== bare(patient.id))
    return false;
  if (
    ordered.birthDate !== undefined &&
    patient.birthDate !== undefined &&
    ordered.birthDate !== patient.birthDate
  )
    return false;
  if (ordered.lastName === undefined || patient.lastName === undefined) return true;
  const names = ({ firstName = '', lastName = '' }: PatientFacts) => ({ first: firstName, last: lastName });
  const [a, b] = [names(ordered), names(patient)];
  const isFirstKnown = a.first !== '' && b.first !== '';
  return areNamesSimilar(isFirstKnown ? a : { ...a, first: '' }, isFirstKnown ? b : { ...b, first: '' });
}
