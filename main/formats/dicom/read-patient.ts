// The patient of a DICOM dataset (PS3.3, C.7.1 and C.2.3).

import type { DataSet } from 'dicom-parser';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import { yearsOf } from '../patient-fields.ts';
import { parseCompactDate } from '../start-time.ts';
import { decimalOf, textOf } from './read-elements.ts';

/** `034Y`, `018M`, `003W`, `010D` in full years. */
function parseAge(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{3})([DWMY])$/.exec(text) ?? [];
  return count === undefined ? undefined : yearsOf(Number(count), unit);
}

export function patientOf(dataSet: DataSet): PatientFacts {
  // Letters of the West first, then those of the language.
  const groups = textOf(dataSet, 'x00100010').split('=');
  const [lastName = '', firstName = ''] = (
    groups.find((group) => group.replaceAll('^', '').trim() !== '') ?? ''
  )
    .split('^')
    .map((part) => part.trim());
  const id = textOf(dataSet, 'x00100020');
  const sex = textOf(dataSet, 'x00100040');
  const birthDate = parseCompactDate(textOf(dataSet, 'x00100030'));
  const ageYears = parseAge(textOf(dataSet, 'x00101010'));
  const [heightM, weightKg] = [decimalOf(dataSet, 'x00101020'), decimalOf(dataSet, 'x00101030')];
  return {
    ...(id !== '' && { id }),
    ...(firstName !== '' && { firstName }),
    ...(lastName !== '' && { lastName }),
    ...(sex === 'F' && { gender: 'FEMALE' as const }),
    ...(sex === 'M' && { gender: 'MALE' as const }),
    ...(sex === 'O' && { gender: 'UNDIFFERENTIATED' as const }),
    ...(birthDate !== undefined && { birthDate }),
    ...(ageYears !== undefined && { ageYears }),
    ...(heightM !== undefined && heightM > 0 && heightM <= 3 && { heightCm: Math.round(heightM * 100) }),
    ...(weightKg !== undefined &&
      weightKg > 0 &&
      weightKg <= 1000 && { weightG: Math.round(weightKg * 1000) }),
  };
}
