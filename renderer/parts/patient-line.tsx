// Who a recording is of: name, date of birth, age, sex, number, in that order, everywhere the same.

import { useTranslation } from 'react-i18next';
import type { TaskRow } from '../../shared/bridge/contract.ts';
import { fullYears, letterDate } from '../../shared/civil-time.ts';
import { displayName, plainText } from '../../shared/patient-text.ts';

type Patient = TaskRow['patient'];

export function useName(patient: Patient): string {
  const { t } = useTranslation();
  return plainText(displayName(patient)) || t('patient.noName');
}

/** `14 Mar 1951 · 75 y · female · ID 004 817`; short words for sex in lists. */
export function usePatientFacts(patient: Patient, isShort = false): string {
  const { t } = useTranslation();
  const parts: string[] = [];
  if (patient.birthDate !== undefined) parts.push(letterDate(patient.birthDate));
  const age = patient.birthDate !== undefined ? fullYears(patient.birthDate, Date.now()) : patient.ageYears;
  if (age !== undefined) parts.push(t('patient.years', { count: age }));
  if (patient.gender !== undefined) parts.push(t(`patient.${isShort ? 'genderShort' : 'gender'}.${patient.gender}`));
  if (patient.id !== undefined) parts.push(isShort ? patient.id : t('patient.id', { id: patient.id }));
  return plainText(parts.join(' · '));
}
