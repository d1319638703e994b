// Orders as a table of text: the first row names the columns, in English, German or Spanish, each row is one
// examination.

import { parse } from 'csv-parse/sync';
import { nameKeys } from '../../../shared/entry/name-key.ts';
import { type DateOrder, readTypedDate } from '../../../shared/entry/typed-date.ts';
import { readCentimetres, readKilograms } from '../../../shared/entry/typed-number.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { OrderFacts } from '../../../shared/order.ts';
import type { PatientFacts, Warning } from '../../../shared/signal/recording.ts';
import { warning } from '../../../shared/warnings/warning.ts';

const MOST_ROWS = 2000;
const MOST_COLUMNS = 200;
const MOST_RECORD_CHARACTERS = 1 << 15;
const tooWide = (): IsolineError =>
  new IsolineError(
    'unsupported_format',
    `The table has more than ${MOST_COLUMNS} columns, or its lines are too long.`,
  );
const DELIMITERS = [';', ',', '\t', '|'];

/** Names of the columns, without capitals, accents and everything that is no letter. */
const COLUMNS = {
  id: [
    'id',
    'patientid',
    'patientnumber',
    'patientno',
    'mrn',
    'patientennummer',
    'patientennr',
    'patid',
    'nhc',
    'numerodepaciente',
  ],
  lastName: [
    'lastname',
    'surname',
    'familyname',
    'patientlastname',
    'name',
    'nachname',
    'familienname',
    'apellidos',
    'apellido',
  ],
  firstName: ['firstname', 'givenname', 'patientfirstname', 'vorname', 'nombre'],
  birthDate: [
    'birthdate',
    'dateofbirth',
    'born',
    'dob',
    'patientbirthdate',
    'geburtsdatum',
    'geboren',
    'fechadenacimiento',
    'nacimiento',
  ],
  gender: ['sex', 'gender', 'patientgender', 'geschlecht', 'sexo'],
  heightCm: ['height', 'heightcm', 'grosse', 'groesse', 'korpergrosse', 'talla', 'estatura'],
  weightKg: ['weight', 'weightkg', 'gewicht', 'peso'],
  orderNumber: [
    'order',
    'orderno',
    'ordernumber',
    'investigation',
    'investigationid',
    'accession',
    'accessionnumber',
    'auftrag',
    'auftragsnummer',
    'peticion',
  ],
  examination: ['examination', 'procedure', 'test', 'untersuchung', 'estudio', 'prueba'],
  time: ['time', 'scheduled', 'appointment', 'uhrzeit', 'zeit', 'termin', 'hora', 'cita'],
  indications: ['indication', 'indications', 'reason', 'indikation', 'motivo', 'indicacion'],
  sender: ['sender', 'system', 'absender', 'origen'],
} as const;
type Column = keyof typeof COLUMNS;

const GENDERS: Readonly<Record<string, NonNullable<PatientFacts['gender']>>> = {
  f: 'FEMALE',
  female: 'FEMALE',
  w: 'FEMALE',
  weiblich: 'FEMALE',
  mujer: 'FEMALE',
  '2': 'FEMALE',
  m: 'MALE',
  male: 'MALE',
  mannlich: 'MALE',
  hombre: 'MALE',
  v: 'MALE',
  '1': 'MALE',
  x: 'UNDIFFERENTIATED',
  d: 'UNDIFFERENTIATED',
  divers: 'UNDIFFERENTIATED',
  undifferentiated: 'UNDIFFERENTIATED',
  indiferenciado: 'UNDIFFERENTIATED',
};

const lettersOf = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z]/g, '');

const columnOf = (title: string): Column | undefined =>
  (Object.keys(COLUMNS) as Column[]).find((column) =>
    (COLUMNS[column] as readonly string[]).includes(lettersOf(title)),
  );

export interface CsvOrders {
  readonly orders: readonly OrderFacts[];
  /** Lines without a name and without a number, as they are counted in the file. */
  readonly withoutPatient: readonly number[];
}

interface Row {
  readonly fields: readonly string[];
  /** Where it ends in the file. */
  readonly line: number;
}

function rowsOf(text: string): Row[] {
  const [title = ''] = text.split(/\r?\n/, 1);
  if (title.length > MOST_RECORD_CHARACTERS) throw tooWide();
  const delimiter = DELIMITERS.toSorted((a, b) => title.split(b).length - title.split(a).length)[0] as string;
  const lines: number[] = [];
  try {
    const rows = parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      to: MOST_ROWS + 2,
      max_record_size: MOST_RECORD_CHARACTERS,
      on_record: (fields: string[], context) => {
        if (fields.length > MOST_COLUMNS) throw tooWide();
        lines.push(context.lines);
        return fields;
      },
    });
    return rows.map((fields, i) => ({ fields, line: lines[i] as number }));
  } catch (error) {
    if (error instanceof IsolineError) throw error;
    throw new IsolineError(
      'unsupported_format',
      `The table cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function patientOf(
  read: (column: Column) => string | undefined,
  order: DateOrder,
  nowMs: number,
): { facts: PatientFacts; odd: Warning[] } {
  const [typedBirth, typedGender, typedHeight, typedWeight] = (
    ['birthDate', 'gender', 'heightCm', 'weightKg'] as const
  ).map(read);
  const birthDate = typedBirth === undefined ? undefined : readTypedDate(typedBirth, order, nowMs);
  const gender = typedGender === undefined ? undefined : GENDERS[nameKeys(typedGender).join('')];
  const heightCm = typedHeight === undefined ? undefined : readCentimetres(typedHeight);
  const weightG = typedWeight === undefined ? undefined : readKilograms(typedWeight);
  const given = {
    id: read('id'),
    lastName: read('lastName'),
    firstName: read('firstName'),
    birthDate,
    gender,
    heightCm,
    weightG,
  };
  const odd = [
    ...(typedBirth !== undefined && birthDate === undefined
      ? [warning('birth_date_no_day', { stated: typedBirth })]
      : []),
    ...(typedGender !== undefined && gender === undefined
      ? [warning('sex_unknown', { stated: typedGender })]
      : []),
    ...(typedHeight !== undefined && heightCm === undefined
      ? [warning('height_no_number', { stated: typedHeight })]
      : []),
    ...(typedWeight !== undefined && weightG === undefined
      ? [warning('weight_no_number', { stated: typedWeight })]
      : []),
  ];
  return { facts: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)), odd };
}

/**
 * @param nowMs the day that two digits of a year are counted from
 * @throws IsolineError `unsupported_format` where it is no table with a column for the name or the number
 */
export function readCsvOrders(text: string, order: DateOrder, nowMs: number): CsvOrders {
  const [titles, ...rows] = rowsOf(text);
  const columns = (titles?.fields ?? []).map(columnOf);
  if (!columns.includes('lastName') && !columns.includes('id'))
    throw new IsolineError(
      'unsupported_format',
      'The first row of the table has no column for the last name or the patient ID.',
    );
  if (rows.length > MOST_ROWS)
    throw new IsolineError('unsupported_format', `The table has more than ${MOST_ROWS} rows.`);
  const orders: OrderFacts[] = [];
  const withoutPatient: number[] = [];
  for (const { fields, line } of rows) {
    const read = (column: Column): string | undefined => fields[columns.indexOf(column)] || undefined;
    const { facts, odd } = patientOf(read, order, nowMs);
    if (facts.lastName === undefined && facts.id === undefined) {
      withoutPatient.push(line);
      continue;
    }
    const [orderNumber, examination, time, sender] = (
      ['orderNumber', 'examination', 'time', 'sender'] as const
    ).map(read);
    orders.push({
      format: 'csv',
      patient: facts,
      ...(orderNumber !== undefined && { orderNumber }),
      ...(examination !== undefined && { examination }),
      ...(time !== undefined && { time }),
      ...(sender !== undefined && { sender }),
      indications: (read('indications') ?? '')
        .split(/[;|]/)
        .map((each) => each.trim())
        .filter((each) => each !== ''),
      warnings: odd,
    });
  }
  return { orders, withoutPatient };
}
