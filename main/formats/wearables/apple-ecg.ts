// The ECG of a watch as Apple's Health exports it: lines of names and values, then one sample a line. The names are in the language of the
// telephone, so that lines are told by their place and by what they hold.

import { parse } from 'csv-parse/sync';
import type { PatientFacts, SampleRate, StartTime } from '../../../shared/signal/recording.ts';
import { patientWith, recordingOf } from '../carts/cart-record.ts';
import { decimalSamples } from '../decimal-samples.ts';
import { Deviations } from '../deviations.ts';
import { type RecordFormat, refused } from '../format.ts';
import { enteredText, unmistakableDate } from '../patient-fields.ts';
import { parseIsoStart } from '../start-time.ts';
import { memoryChannel } from '../stored-channel.ts';
import { decodeField, parseDecimal } from '../text-field.ts';

const MAX_BYTES = 64 * 2 ** 20;
const HEAD_LINES = 20;
/** `2024-03-01 10:20:30 +0100` */
const RECORDED = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d):?(\d\d)$/;
const RATE = /^([\d.,]+)\s*(hertz|hz|hercios?|герц|赫兹|赫茲|ヘルツ|헤르츠)$/i;
const VOLTS = /^[µμ]V$/;
const PLACES = { name: 0, birth: 1, recorded: 2, classification: 3, device: 6 } as const;

interface Head {
  readonly values: readonly string[];
  readonly rate: SampleRate;
  readonly startTime: StartTime | undefined;
  readonly lead: string;
  readonly unit: string;
  /** The line of the first sample. */
  readonly firstLine: number;
}

/** Hertz with decimals, without rounding. */
function rateOf(text: string): SampleRate | undefined {
  const [digits = ''] = text.replace(',', '.').split(' ');
  const hz = parseDecimal(digits);
  if (hz === undefined || hz <= 0) return undefined;
  const decimals = (digits.split('.')[1] ?? '').length;
  return { samples: Math.round(hz * 10 ** decimals), seconds: 10 ** decimals };
}

/** Nothing where the lines are no table. */
function rowsOf(lines: readonly string[]): string[][] {
  try {
    return parse(lines.join('\n'), { relax_column_count: true, skip_empty_lines: false });
  } catch {
    // The library throws at quotes that do not close, which other files are full of.
    return [];
  }
}

function headOf(lines: readonly string[]): Head | undefined {
  const rows = rowsOf(lines.slice(0, HEAD_LINES));
  const values = rows.map((row) => (row[1] ?? '').trim());
  const [, day, time, hours, minutes] = RECORDED.exec(values[PLACES.recorded] ?? '') ?? [];
  const rateText = values.find((value) => RATE.test(value));
  const unitLine = values.findIndex((value) => VOLTS.test(value));
  if (day === undefined || rateText === undefined || unitLine < 1) return undefined;
  const rate = rateOf(RATE.exec(rateText)?.[1] ?? '');
  return rate === undefined
    ? undefined
    : {
        values,
        rate,
        startTime: parseIsoStart(`${day}T${time}${hours}:${minutes}`),
        lead: values[unitLine - 1] ?? '',
        unit: values[unitLine] ?? '',
        firstLine: unitLine + 1,
      };
}

const linesOf = (bytes: Uint8Array): string[] =>
  new TextDecoder()
    .decode(bytes)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/);

function patientOf(values: readonly string[]): PatientFacts {
  const [lastName = '', firstName] = (values[PLACES.name] ?? '').split(',').map((part) => part.trim());
  return patientWith({
    lastName: enteredText(lastName),
    firstName: enteredText(firstName),
    birthDate: unmistakableDate(values[PLACES.birth] ?? ''),
  });
}

export const APPLE_ECG: RecordFormat = {
  name: 'Apple Health CSV',

  detect(head) {
    const { text } = decodeField(head.subarray(0, 1));
    return text !== '<' && !head.includes(0) && headOf(linesOf(head)) !== undefined;
  },

  read({ source }) {
    if (source.sizeBytes > MAX_BYTES)
      return refused('record_unreadable', `The Apple Health file is larger than ${MAX_BYTES} bytes.`);
    const lines = linesOf(source.read(0, source.sizeBytes));
    const head = headOf(lines);
    if (head === undefined)
      return refused('record_unreadable', 'The Apple Health file does not tell its sample rate and unit.');
    const deviations = new Deviations();
    const written = lines
      .slice(head.firstLine)
      .map((line) => line.trim().replace(/^"(.*)"$/, '$1'))
      .filter((line) => line !== '');
    const { samples, stepsPerUnit } = decimalSamples(written, head.lead, deviations);
    if (samples.length === 0) return refused('record_unreadable', 'The Apple Health file holds no samples.');
    const { values, rate, startTime } = head;
    const birth = enteredText(values[PLACES.birth]);
    const patient = patientOf(values);
    if (birth !== undefined && patient.birthDate === undefined)
      deviations.add('patient_text', { text: birth });
    const classification = enteredText(values[PLACES.classification]);
    const channel = memoryChannel(head.lead || 'ECG', {
      unit: head.unit,
      scale: 1 / stepsPerUnit,
      offset: 0,
      isCalibrated: true,
      rate,
      samples,
    });
    return recordingOf(APPLE_ECG.name, {
      channels: [channel],
      startTime,
      patient,
      deviceId: enteredText(values[PLACES.device]),
      readings: classification === undefined ? [] : [{ by: 'watch', statements: [classification] }],
      deviations,
    });
  },
};
