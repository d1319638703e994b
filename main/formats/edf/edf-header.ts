// The fixed and the per-signal part of an EDF, EDF+, BDF or BDF+ header. Layout and tolerances: formats
// reference, sections 1.1 to
// 1.3 (Kemp & Olivan 2003, "European data format 'plus'"; BioSemi's BDF differs in its version field and its
// 24-bit samples).

import { civilDateMs } from '../../../shared/civil-time.ts';
import type { PatientFacts, StartTime, Warning } from '../../../shared/signal/recording.ts';
import type { ByteSource } from '../byte-source.ts';
import { Deviations } from '../deviations.ts';
import { decodeField, parseDecimal, parseInteger, parseLetterDate } from '../text-field.ts';
import { parsePatient } from './edf-patient.ts';

export const FIXED_HEADER_BYTES = 256;
const SIGNAL_HEADER_BYTES = 256;
const MAX_SIGNALS = 1024;
const MAX_SAMPLES_PER_RECORD = 2 ** 24;
/** A recording of 35 days may be one data record; a longer one is a damaged number. */
const MAX_RECORD_SECONDS = 35 * 86_400;

export interface EdfSignalHeader {
  readonly label: string;
  readonly unit: string;
  readonly physicalMinimum: number | undefined;
  readonly physicalMaximum: number | undefined;
  readonly digitalMinimum: number | undefined;
  readonly digitalMaximum: number | undefined;
  readonly samplesPerRecord: number;
}

export type EdfVariant = 'EDF' | 'EDF+C' | 'EDF+D' | 'BDF' | 'BDF+C' | 'BDF+D';

/** The version field decides how wide samples are, whatever the reserved field says (section 1.2). */
const BDF_VERSION_BYTE = 0xff;

export interface EdfHeader {
  readonly variant: EdfVariant;
  readonly sampleBytes: 2 | 3;
  readonly headerBytes: number;
  readonly patient: PatientFacts;
  readonly deviceId: string | undefined;
  readonly startTime: StartTime | undefined;
  /** As stated; −1 while a file is being written. */
  readonly recordCount: number;
  readonly recordSeconds: number;
  readonly signals: readonly EdfSignalHeader[];
  readonly warnings: readonly Warning[];
}

export type HeaderResult =
  | { readonly ok: true; readonly header: EdfHeader }
  | { readonly ok: false; readonly message: string };

const fault = (message: string): HeaderResult => ({ ok: false, message });

class Fields {
  readonly #bytes: Uint8Array;
  readonly #deviations: Deviations;
  constructor(bytes: Uint8Array, deviations: Deviations) {
    this.#bytes = bytes;
    this.#deviations = deviations;
  }

  text(offset: number, width: number, name: string): string {
    const { text, isAscii } = decodeField(this.#bytes.subarray(offset, offset + width));
    if (!isAscii) this.#deviations.add('non_ascii', { name });
    return text;
  }

  decimal(offset: number, width: number, name: string): number | undefined {
    const text = this.text(offset, width, name);
    if (text.includes(',')) this.#deviations.add('decimal_comma', { name });
    return parseDecimal(text);
  }

  integer(offset: number, width: number, name: string): number | undefined {
    return parseInteger(this.text(offset, width, name));
  }
}

function parseStart(
  dateText: string,
  timeText: string,
  recordingField: string,
  isPlus: boolean,
  deviations: Deviations,
): StartTime | undefined {
  const date = /^(\d{1,2})([./:-])(\d{1,2})[./:-](\d{2}|yy)$/i.exec(dateText);
  const time = /^(\d{1,2})([./:-])(\d{1,2})[./:-](\d{1,2})$/.exec(timeText);
  if (date?.[2] !== '.' || time?.[2] !== '.') deviations.add('date_separator');
  // Writers that know no date put the first one that the format has.
  const isPlaceholder = /^0?1[./:-]0?1[./:-]85$/.test(dateText) && timeText.replace(/[^1-9]/g, '') === '';
  const startdate = isPlus ? parseLetterDate(/^Startdate (\S+)/i.exec(recordingField)?.[1] ?? '') : undefined;
  if (isPlus && !/^Startdate /i.test(recordingField)) deviations.add('edf_plus_subfields.recording');

  let dayMs: number | undefined;
  if (date !== null && date[4]?.toLowerCase() !== 'yy') {
    const shortYear = Number(date[4]);
    dayMs = civilDateMs(
      shortYear >= 85 ? 1900 + shortYear : 2000 + shortYear,
      Number(date[3]),
      Number(date[1]),
    );
    const agrees =
      startdate !== undefined &&
      startdate.iso.slice(5) === `${date[3]?.padStart(2, '0')}-${date[1]?.padStart(2, '0')}`;
    if (agrees) dayMs = startdate.ms;
    else if (startdate !== undefined) deviations.add('start_date_differs');
  } else if (startdate !== undefined) {
    dayMs = startdate.ms;
  }
  const [hour, minute, second] =
    time === null ? [99, 99, 99] : [Number(time[1]), Number(time[3]), Number(time[4])];
  if (
    dayMs === undefined ||
    (isPlaceholder && startdate === undefined) ||
    hour > 23 ||
    minute > 59 ||
    second > 59
  ) {
    deviations.add('start_time_invalid');
    return undefined;
  }
  return { utcMs: dayMs + ((hour * 60 + minute) * 60 + second) * 1000, isZoneKnown: false };
}

function parseSignals(fields: Fields, count: number): EdfSignalHeader[] {
  const at = (start: number, width: number, index: number): [number, number] => [
    FIXED_HEADER_BYTES + count * start + index * width,
    width,
  ];
  return Array.from({ length: count }, (_, i) => ({
    label: fields.text(...at(0, 16, i), 'label'),
    unit: fields.text(...at(96, 8, i), 'physical dimension'),
    physicalMinimum: fields.decimal(...at(104, 8, i), 'physical minimum'),
    physicalMaximum: fields.decimal(...at(112, 8, i), 'physical maximum'),
    digitalMinimum: fields.decimal(...at(120, 8, i), 'digital minimum'),
    digitalMaximum: fields.decimal(...at(128, 8, i), 'digital maximum'),
    samplesPerRecord: fields.integer(...at(216, 8, i), 'samples per record') ?? -1,
  }));
}

/** EDF+ recording field: `Startdate dd-MMM-yyyy code technician equipment`; the equipment is the device. */
function parseEquipment(recordingField: string): string | undefined {
  const equipment = recordingField.split(/ +/)[4];
  return equipment === undefined || equipment === 'X' ? undefined : equipment.replaceAll('_', ' ');
}

/** Some writers leave room behind the header: it is believed where the data then fit the file to the byte. */
function dataStart(
  sizeBytes: number,
  facts: {
    readonly headerBytes: number;
    readonly statedBytes: number | undefined;
    readonly recordBytes: number;
    readonly recordCount: number;
  },
): number {
  const { headerBytes, statedBytes = headerBytes, recordBytes, recordCount } = facts;
  const isWhole = (start: number): boolean =>
    recordCount > 0
      ? sizeBytes - start === recordCount * recordBytes
      : recordBytes > 0 && (sizeBytes - start) % recordBytes === 0;
  return statedBytes > headerBytes && isWhole(statedBytes) && !isWhole(headerBytes)
    ? statedBytes
    : headerBytes;
}

export function parseEdfHeader(source: ByteSource): HeaderResult {
  if (source.sizeBytes < FIXED_HEADER_BYTES)
    return fault(
      `The file ends inside its header: ${source.sizeBytes} of ${FIXED_HEADER_BYTES} bytes are there.`,
    );
  const deviations = new Deviations();
  const fixed = new Fields(source.read(0, FIXED_HEADER_BYTES), deviations);
  const signalCount = fixed.integer(252, 4, 'number of signals');
  if (signalCount === undefined || signalCount < 0 || signalCount > MAX_SIGNALS)
    return fault('The number of signals in the header is not a number that can be.');
  if (signalCount === 0) return fault('The file has no signals.');
  const headerBytes = FIXED_HEADER_BYTES + SIGNAL_HEADER_BYTES * signalCount;
  if (source.sizeBytes < headerBytes)
    return fault(`The file ends inside its header: ${source.sizeBytes} of ${headerBytes} bytes are there.`);
  const statedBytes = fixed.integer(184, 8, 'header bytes');
  if (statedBytes !== headerBytes) deviations.add('header_bytes');

  const recordSeconds = fixed.decimal(244, 8, 'record duration');
  if (recordSeconds === undefined || recordSeconds < 0 || recordSeconds > MAX_RECORD_SECONDS)
    return fault('The duration of a data record is not a number of seconds.');
  const signals = parseSignals(new Fields(source.read(0, headerBytes), deviations), signalCount);
  for (const [index, signal] of signals.entries()) {
    if ((signal.digitalMinimum ?? 0) > (signal.digitalMaximum ?? 0))
      deviations.add('digital_limits_swapped', { label: signal.label });
    if (signal.samplesPerRecord < 0 || signal.samplesPerRecord > MAX_SAMPLES_PER_RECORD)
      return fault(`Signal ${index + 1} has no usable number of samples per record.`);
  }
  const family = source.read(0, 1)[0] === BDF_VERSION_BYTE ? 'BDF' : 'EDF';
  const plus = /^[EB]DF\+([CD])/.exec(fixed.text(192, 44, 'reserved'))?.[1] as 'C' | 'D' | undefined;
  const variant: EdfVariant = plus === undefined ? family : `${family}+${plus}`;
  const isPlus = plus !== undefined;
  const recordingField = fixed.text(88, 80, 'recording');
  const recordCount = fixed.integer(236, 8, 'number of records');
  const sampleBytes = family === 'BDF' ? 3 : 2;
  if (recordCount === undefined) deviations.add('record_count.size');
  return {
    ok: true,
    header: {
      variant,
      sampleBytes,
      headerBytes: dataStart(source.sizeBytes, {
        headerBytes,
        statedBytes,
        recordBytes: sampleBytes * signals.reduce((sum, { samplesPerRecord }) => sum + samplesPerRecord, 0),
        recordCount: recordCount ?? -1,
      }),
      patient: parsePatient(fixed.text(8, 80, 'patient'), isPlus, deviations),
      deviceId: isPlus ? parseEquipment(recordingField) : undefined,
      startTime: parseStart(
        fixed.text(168, 8, 'start date'),
        fixed.text(176, 8, 'start time'),
        recordingField,
        isPlus,
        deviations,
      ),
      recordCount: recordCount ?? -1,
      recordSeconds,
      signals,
      warnings: deviations.list,
    },
  };
}
