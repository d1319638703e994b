// What of a patient goes into the form: who it is, never why it was recorded before, never what it once weighed.

import { letterDate } from '../../../shared/civil-time.ts';
import { EMPTY_FORM, type PatientForm } from '../../../shared/entry/patient-form.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';

export const formOfPatient = (patient: PatientFacts): PatientForm => ({
  ...EMPTY_FORM,
  lastName: patient.lastName ?? '',
  firstName: patient.firstName ?? '',
  birthDate: patient.birthDate === undefined ? '' : letterDate(patient.birthDate),
  gender: patient.gender ?? '',
  patientNumber: patient.id ?? '',
});
