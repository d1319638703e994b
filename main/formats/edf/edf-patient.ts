// The patient field of an EDF header: `number sex birthdate name …`, as EDF+ orders it and many writers of plain EDF do, too
// (Kemp & Olivan 2003, 2.1.3.3). What does not fit is no fact, and is told as it stands.

import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { Deviations } from '../deviations.ts';
import { parseLetterDate } from '../text-field.ts';

const UNKNOWN = 'X';
const SEX = /^[FMX]$/i;

const unknownAsBlank = (part: string): string => (part === UNKNOWN ? '' : part.replaceAll('_', ' '));

function nameOf(name: string): PatientFacts {
  const comma = name.indexOf(',');
  const lastName = comma >= 0 ? name.slice(0, comma).trim() : name;
  const firstName = comma >= 0 ? name.slice(comma + 1).trim() : '';
  return { ...(lastName !== '' && { lastName }), ...(firstName !== '' && { firstName }) };
}

/** @param isPlus whether the file promises the order; otherwise its second part has to be a sex */
export function parsePatient(field: string, isPlus: boolean, deviations: Deviations): PatientFacts {
  if (field === '') return {};
  const words = field.split(/ +/);
  const [id = '', sex = '', birth = '', ...names] = words.map(unknownAsBlank);
  // Writers of plain EDF leave blanks within a name; in EDF+, what stands behind it is something else.
  const name = isPlus ? (names[0] ?? '') : names.join(' ');
  const hasBirth = words[2] === UNKNOWN || parseLetterDate(birth) !== undefined;
  const fits = SEX.test(words[1] ?? '') && (hasBirth || (isPlus && words.length === 2));
  const isWhole = words.length >= 4;
  if (isPlus && !isWhole) deviations.add('edf_plus_subfields.patient');
  if (!fits && !(isPlus && isWhole)) {
    deviations.add('patient_text', { text: field });
    return {};
  }
  const birthDate = parseLetterDate(birth)?.iso;
  if (birth !== '' && birthDate === undefined) deviations.add('patient_text', { text: field });
  return {
    ...(id !== '' && { id }),
    ...(/^[FM]$/i.test(sex) && {
      gender: sex.toUpperCase() === 'F' ? ('FEMALE' as const) : ('MALE' as const),
    }),
    ...(birthDate !== undefined && { birthDate }),
    ...nameOf(name),
  };
}
