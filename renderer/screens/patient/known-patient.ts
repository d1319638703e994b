// What of a patient goes into the form: who it is, never why it was recorded before, never what it once
// weighed.

import type { KnownPatient } from '../../../shared/bridge/views.ts';
import { fitsOrder } from '../../../shared/entry/order-fit.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { EntryEvent, EntryState } from '../../entry/entry-state.ts';
import { EMPTY_FORM, type PatientForm } from '../../entry/patient-form.ts';
import { letterDay } from '../../parts/format-time.ts';

const whoIs = (patient: PatientFacts) => ({
  lastName: patient.lastName ?? '',
  firstName: patient.firstName ?? '',
  birthDate: patient.birthDate === undefined ? '' : letterDay(patient.birthDate),
  age: '',
  gender: patient.gender ?? ('' as const),
  patientNumber: patient.id ?? '',
});

export const formOfPatient = (patient: PatientFacts): PatientForm => ({ ...EMPTY_FORM, ...whoIs(patient) });

/** A known patient is chosen. What was ordered for the same person, and typed about this recording, stays. */
export function formOfKnown({ form, order }: EntryState, { patient }: KnownPatient): EntryEvent {
  if (order === undefined || !fitsOrder(order.patient, patient))
    return { kind: 'filled', form: formOfPatient(patient) };
  return { kind: 'filled', form: { ...form, ...whoIs(patient) }, order };
}

/** Somebody says that whom the form names is this known patient. */
export const formOfSame = ({ form, order }: EntryState, patient: PatientFacts): EntryEvent => ({
  kind: 'filled',
  form: { ...form, ...whoIs(patient) },
  ...(order !== undefined && { order: { ...order, patient } }),
});
