// The patient of a DICOM dataset (PS3.3, C.7.1 and C.2.3).

import type { DataSet } from 'dicom-parser';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import { parseCompactDate } from '../start-time.ts';
import { decimalOf, textOf } from './read-elements.ts';

const YEARS_PER_UNIT: Readonly<Record<string, number>> = { D: 1 / 365.25, W: 7 / 365.25, M: 1 / 12, Y: 1 };

/** `034Y`, `018M`, `003W`, `010D` in full years. */
function parseAge(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{3})([DWMY])$/.exec(text) ?? [];
  return count === undefined
    ? undefined
    : Math.floor(Number(count) * (YEARS_PER_UNIT[unit] as number) + 1e-9);
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
    ...(ageYears !== undefined && ageYears <= 150 && { ageYears }),
    ...(heightM !== undefined && heightM > 0 && heightM <= 3 && { heightCm: Math.round(heightM * 100) }),
    ...(weightKg !== undefined &&
      weightKg > 0 &&
      weightKg <= 1000 && { weightG: Math.round(weightKg * 1000) }),
  };
}
