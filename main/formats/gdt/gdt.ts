// GDT 2.1 between practice systems and devices: the request of an examination (6302), and its result (6310).

import type { CharacterSet } from '../../../shared/character-set.ts';
import { civilDateMs } from '../../../shared/civil-time.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { PatientFacts, Warning } from '../../../shared/signal/recording.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import type { ExaminationResult } from '../../ground/examination-result.ts';
import { isSuspicious } from './character-sets.ts';
import {
  CHARACTER_SET_CODES,
  CHARACTER_SET_FIELD,
  type GdtField,
  LENGTH_FIELD,
  readGdtLines,
  writeGdtLines,
} from './gdt-lines.ts';

const KIND = '8000';
const REQUEST = '6302';
/** Practice systems that know no requests send the patient's data alone, and mean one. */
const PATIENT_DATA = '6301';
const RESULT = '6310';

/** An examination that somebody ordered. */
export interface GdtRequest {
  readonly patient: PatientFacts;
  /** 8310: how the practice system finds its order again. */
  readonly orderNumber?: string;
  /** 8402, such as `EKG01`. */
  readonly examination?: string;
  /** 8316: the practice system, which the result is for. */
  readonly sender?: string;
  readonly characterSet: CharacterSet;
  /** Sentences about what is odd. */
  readonly warnings: readonly Warning[];
}

const LEAST_CM = 3;
const MOST_KG = 700;

const GENDERS = { '1': 'MALE', '2': 'FEMALE' } as const;

/** `14031951` to `1951-03-14`. */
function readDate(text: string): string | undefined {
  const [all, day, month, year] = /^(\d{2})(\d{2})(\d{4})$/.exec(text) ?? [];
  if (all === undefined || civilDateMs(Number(year), Number(month), Number(day)) === undefined)
    return undefined;
  return `${year}-${month}-${day}`;
}

const writeDate = (isoDate: string): string => isoDate.slice(0, 10).split('-').reverse().join('');

/** A whole number above nothing; decimals as `68,4` or `68.40`. */
function readNumber(text: string | undefined): number | undefined {
  const number = text === undefined ? Number.NaN : Number(text.replace(',', '.'));
  return number > 0 ? number : undefined;
}

/**
 * @param characterSet of the practice system where it is known
 * @throws IsolineError `unsupported_format` for what is no request in GDT
 */
export function readGdtRequest(bytes: Uint8Array, characterSet?: CharacterSet): GdtRequest {
  const { fields, characterSet: used, isSetUnsure, wrongLengths } = readGdtLines(bytes, characterSet);
  const read = (id: string): string | undefined =>
    fields.find((field) => field.id === id && field.value !== '')?.value;
  if (read(KIND) !== REQUEST && read(KIND) !== PATIENT_DATA)
    throw new IsolineError(
      'unsupported_format',
      `The GDT file is no request of an examination (6302) but "${read(KIND) ?? ''}".`,
    );
  const stated = read('3103');
  const birthDate = stated === undefined ? undefined : readDate(stated);
  const weight = readNumber(read('3623'));
  const height = readNumber(read('3622'));
  // Nobody is as tall as 3 cm, or weighs 700 kg: these are metres and grams.
  const isInMetres = height !== undefined && height < LEAST_CM;
  const isInGrams = weight !== undefined && weight > MOST_KG;
  const heightCm = isInMetres ? 100 * height : height;
  const kilograms = isInGrams ? weight / 1000 : weight;
  const gender = GENDERS[(read('3110') ?? '') as keyof typeof GENDERS];
  const given: { [K in keyof PatientFacts]: PatientFacts[K] | undefined } = {
    id: read('3000'),
    lastName: read('3101'),
    firstName: read('3102'),
    birthDate,
    gender,
    heightCm: heightCm === undefined ? undefined : Math.round(heightCm),
    weightG: kilograms === undefined ? undefined : Math.round(kilograms * 1000),
  };
  const [orderNumber, examination, sender] = ['8310', '8402', '8316'].map(read);
  return {
    patient: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(orderNumber !== undefined && { orderNumber }),
    ...(examination !== undefined && { examination }),
    ...(sender !== undefined && { sender }),
    characterSet: used,
    warnings: [
      ...(stated !== undefined && birthDate === undefined ? [warning('birth_date_no_day', { stated })] : []),
      ...(isSetUnsure || fields.some(({ value }) => isSuspicious(value))
        ? [warning('letters_suspicious')]
        : []),
      ...(isInMetres ? [warning('height_in_metres', { stated: String(height) })] : []),
      ...(isInGrams ? [warning('weight_in_grams', { stated: String(weight) })] : []),
      ...(wrongLengths.length > 0 ? [warning('line_lengths', { count: wrongLengths.length })] : []),
    ],
  };
}

/**
 * The longest value that a line of three digits of length holds, less what a letter of several bytes may
 * need.
 */
const MOST_CHARACTERS = 240;

export function writeGdtResult(result: ExaminationResult, characterSet: CharacterSet): Uint8Array {
  const { patient, orderNumber, report } = result;
  const field = (id: string, value: string | number | undefined): GdtField[] =>
    value === undefined || value === '' ? [] : [{ id, value: String(value).slice(0, MOST_CHARACTERS) }];
  const gender = Object.entries(GENDERS).find(([, name]) => name === patient.gender)?.[0];
  return writeGdtLines(
    [
      ...field(KIND, RESULT),
      { id: LENGTH_FIELD, value: '00000' },
      ...field('8315', result.receiver),
      ...field('8316', result.sender),
      ...field(CHARACTER_SET_FIELD, CHARACTER_SET_CODES[characterSet]),
      ...field('9218', '02.10'),
      ...field('3000', patient.id),
      ...field('3101', patient.lastName),
      ...field('3102', patient.firstName),
      ...field('3103', patient.birthDate === undefined ? undefined : writeDate(patient.birthDate)),
      ...field('3110', gender),
      ...field('3622', patient.heightCm),
      ...field('3623', patient.weightG === undefined ? undefined : (patient.weightG / 1000).toFixed(1)),
      ...field('8310', orderNumber),
      ...field('8402', result.examination),
      ...field('8432', writeDate(result.date)),
      ...field('8439', result.time.replaceAll(':', '').slice(0, 6)),
      ...result.lines.flatMap((line) => field('6228', line)),
      ...(report === undefined
        ? []
        : [
            ...field('6302', '000001'),
            ...field('6303', 'PDF'),
            ...field('6304', report.description),
            ...field('6305', report.path),
          ]),
    ],
    characterSet,
  );
}
