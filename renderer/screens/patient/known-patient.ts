// What of a patient goes into the form: who it is, never why it was recorded before, never what it once weighed.

import { EMPTY_FORM, type PatientForm } from '../../../shared/entry/patient-form.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import { letterDay } from '../../parts/format-time.ts';

export const formOfPatient = (patient: PatientFacts): PatientForm => ({
  ...EMPTY_FORM,
  lastName: patient.lastName ?? '',
  firstName: patient.firstName ?? '',
  birthDate: patient.birthDate === undefined ? '' : letterDay(patient.birthDate),
  gender: patient.gender ?? '',
  patientNumber: patient.id ?? '',
});
