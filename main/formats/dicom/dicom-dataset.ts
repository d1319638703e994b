// A recording in the words of DICOM: patient, times, leads and remarks (PS3.3, C.7 and C.10).

import { zonedTime } from '../../../shared/civil-time.ts';
import type { AskedExamination } from '../../../shared/order.ts';
import type {
  Channel,
  FileAnnotation,
  PatientFacts,
  Recording,
  StartTime,
} from '../../../shared/signal/recording.ts';
import { SIMULATED_SIGNAL } from '../../signal/simulated-signal.ts';
import type { Deviations } from '../deviations.ts';
import { unsuitable } from '../record-writer.ts';
import { scpLeadId, scpLeadName } from '../scp/scp-lead-names.ts';
import { ENCAPSULATED_PDF, UNSPECIFIED_LEAD, UNSPECIFIED_WORDS } from './dicom-uids.ts';

/** By keyword of the data dictionary; sequences are arrays of further datasets. */
export type Dataset = { readonly [keyword: string]: unknown };

/** The longest value of type DS, label, and unit. */
const MOST_CHARACTERS = 16;
/** The longest value of type LO, and the longest name as a whole. */
const MOST_LONG = 64;
const MOST_REMARK = 1024;
const MONTHS_BELOW_YEARS = 2;
const DAYS_BELOW_YEARS = 0.25;
const DAYS_PER_YEAR = 365.25;
/** The name of a coding scheme that is nobody's but ours (PS3.16, 8). */
const OWN_SCHEME = '99ISOLINE';
const SCALE_TOLERANCE = 1e-9;
export const SAMPLE_BYTES = 2;

/** The decimal number of at most 16 characters that comes nearest (VR DS). */
export function decimal(value: number): string {
  for (let digits = MOST_CHARACTERS; digits > 0; digits--) {
    const text = String(Number(value.toPrecision(digits)));
    if (text.length <= MOST_CHARACTERS) return text;
  }
  return '0';
}

export const coded = (value: string, scheme: string, meaning: string): Dataset => ({
  CodeValue: value,
  CodingSchemeDesignator: scheme,
  CodeMeaning: meaning,
});

/** An entry of a dataset, where there is a value. */
const maybe = (keyword: string, value: unknown): Dataset => (value === undefined ? {} : { [keyword]: value });

/** DICOM counts characters, not bytes (PS3.5, 6.2). */
const lengthOf = (text: string): number => Array.from(text).length;
const cut = (text: string, most: number): string => Array.from(text).slice(0, most).join('');

/** What separates values is no part of one, and of a name not what separates its parts either. */
const without = (letters: string, text: string): string =>
  Array.from(text, (letter) => (letter < ' ' || letters.includes(letter) ? ' ' : letter))
    .join('')
    .trim();
export const plainValue = (text: string): string => without('\\', text);

/** A lead without a number of its own has its name in the words. */
function sourceOf({ lead, label }: Channel): Dataset {
  const id = scpLeadId(lead);
  return id === undefined
    ? coded(`2:${UNSPECIFIED_LEAD}`, 'MDC', cut(plainValue(label), MOST_LONG) || UNSPECIFIED_WORDS)
    : coded(`2:${id}`, 'MDC', `Lead ${scpLeadName(id)}`);
}

/** @throws IsolineError `format_unsuitable` */
function unitOf({ mvPerUnit, unit, label }: Channel): Dataset {
  if (mvPerUnit !== undefined) return coded('uV', 'UCUM', 'microvolt');
  const code = plainValue(unit);
  if (code === '') return coded('1', 'UCUM', 'no units');
  if (lengthOf(code) > MOST_CHARACTERS)
    throw unsuitable(`DICOM cannot hold the unit of "${label}". Convert the recording to EDF+.`);
  return coded(code, OWN_SCHEME, code);
}

function channelDefinition(channel: Channel, deviations: Deviations): Dataset {
  const { isCalibrated, mvPerUnit, label } = channel;
  const factor = mvPerUnit === undefined ? 1 : 1000 * mvPerUnit;
  const sensitivity = channel.scale * factor;
  const error = Math.abs(Number(decimal(sensitivity)) / sensitivity - 1);
  if (isCalibrated && error > SCALE_TOLERANCE)
    deviations.add('scale_rounded', { label, error: error.toExponential(1) });
  if (lengthOf(plainValue(label)) > MOST_LONG) deviations.add('label_cut', { label, count: MOST_LONG });
  return {
    ChannelLabel: cut(plainValue(label), MOST_CHARACTERS),
    ChannelSourceSequence: [sourceOf(channel)],
    ...(isCalibrated && {
      ChannelSensitivity: decimal(sensitivity),
      ChannelSensitivityUnitsSequence: [unitOf(channel)],
      ChannelSensitivityCorrectionFactor: '1',
      ChannelBaseline: decimal(channel.offset * factor),
    }),
    ChannelTimeSkew: '0',
    WaveformBitsStored: 8 * SAMPLE_BYTES,
  };
}

const GENDERS = { FEMALE: 'F', MALE: 'M', UNDIFFERENTIATED: 'O' } as const;
export const plainName = (text = ''): string => without('\\^=', text);

/** A number that is cut or changed may be that of somebody else. @throws IsolineError `format_unsuitable` */
function idOf(id = ''): string {
  if (plainValue(id) !== id.trim() || lengthOf(id) > MOST_LONG)
    throw unsuitable('DICOM cannot hold the number of the patient. Convert the recording to EDF+.');
  return id.trim();
}

/** `Lind^Anna`, cut where it is too long. */
function nameOf({ firstName, lastName }: PatientFacts, deviations: Deviations): string {
  const whole = [plainName(lastName), plainName(firstName)].join('^').replace(/\^$/, '');
  const name = cut(whole, MOST_LONG).trim();
  if (name !== whole || [lastName, firstName].some((part) => plainName(part) !== (part ?? '').trim()))
    deviations.add('name_cut');
  return name;
}

/** Full years as such: of a child of which no more is known, months would be made up. */
function ageOf(years: number): string {
  const [count, unit] = Number.isInteger(years)
    ? [years, 'Y']
    : years < DAYS_BELOW_YEARS
      ? [years * DAYS_PER_YEAR, 'D']
      : years < MONTHS_BELOW_YEARS
        ? [years * 12, 'M']
        : [years, 'Y'];
  return `${String(Math.floor(count + 1e-6)).padStart(3, '0')}${unit}`;
}

function serialOf(deviceId: string, deviations: Deviations): string {
  const serial = cut(plainValue(deviceId), MOST_LONG);
  if (serial !== deviceId.trim()) deviations.add('serial_cut');
  return serial;
}

const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '');

/** As it was ordered, with all its parts, where it is the same name. */
function wholeName(patient: PatientFacts, asked: AskedExamination | undefined): string | undefined {
  const [lastName = '', firstName = ''] = (asked?.wholeName ?? '').split('^');
  const isSame = lastName === (patient.lastName ?? '') && firstName === (patient.firstName ?? '');
  return isSame && asked?.wholeName !== undefined && !asked.wholeName.includes('\\')
    ? asked.wholeName
    : undefined;
}

export function patientModule(
  patient: PatientFacts,
  deviations: Deviations,
  asked: AskedExamination | undefined,
): Dataset {
  const { id, gender, birthDate, ageYears, heightCm, weightG } = patient;
  return {
    PatientName: wholeName(patient, asked) ?? nameOf(patient, deviations),
    PatientID: idOf(id),
    PatientBirthDate: isDay(birthDate) ? birthDate.replaceAll('-', '') : '',
    PatientSex: gender === undefined ? '' : GENDERS[gender],
    ...maybe('PatientAge', ageYears === undefined ? undefined : ageOf(ageYears)),
    ...maybe('PatientSize', heightCm === undefined ? undefined : decimal(heightCm / 100)),
    ...maybe('PatientWeight', weightG === undefined ? undefined : decimal(weightG / 1000)),
  };
}

interface DicomTime {
  readonly date: string;
  readonly time: string;
}

/** `20261121`, `143211.395`. */
function timeOf(utcMs: number): DicomTime {
  const [date = '', time = ''] = new Date(utcMs).toISOString().replace(/[-:Z]/g, '').split('T');
  return { date, time };
}

/** As one value, in the zone that the dataset names. */
export function dateTimeOf(utcMs: number): string {
  const { date, time } = timeOf(utcMs);
  return `${date}${time}`;
}

/** In a dataset of no known zone, times are those of the clock here. */
export function inZoneOf({ isZoneKnown }: StartTime, utcMs: number): number {
  if (isZoneKnown) return utcMs;
  const { isoDay, clock } = zonedTime(utcMs);
  return Date.parse(`${isoDay}T${clock}Z`);
}

/** @param contentMs when what is in the object was made, where that is another time than the recording's */
export function timesOf({ utcMs, isZoneKnown }: StartTime, contentMs = utcMs): Dataset {
  const [study, content] = [timeOf(utcMs), timeOf(contentMs)];
  return {
    StudyDate: study.date,
    StudyTime: study.time,
    ContentDate: content.date,
    ContentTime: content.time,
    AcquisitionDateTime: `${dateTimeOf(utcMs)}${isZoneKnown ? '+0000' : ''}`,
    ...(isZoneKnown && { TimezoneOffsetFromUTC: '+0000' }),
  };
}

/** A value of VR SH: what is longer is left out, because what was cut would be another number. */
const short = (text: string | undefined): string | undefined =>
  text === undefined || lengthOf(text) > MOST_CHARACTERS || text.includes('\\') ? undefined : text;

/** What was asked for, in the words of whoever did; empty where nobody did. */
export function studyModule(asked: AskedExamination = {}): Dataset {
  const { referrer = '', stepWords } = asked;
  const [accession, procedureId, stepId] = [asked.accession, asked.procedureId, asked.stepId].map(short);
  const step = {
    ...maybe('RequestedProcedureID', procedureId),
    ...maybe('ScheduledProcedureStepID', stepId),
    ...maybe('ScheduledProcedureStepDescription', stepWords),
  };
  return {
    AccessionNumber: accession ?? '',
    ReferringPhysicianName: plainValue(referrer),
    StudyID: procedureId ?? '',
    ...(Object.keys(step).length > 0 && { RequestAttributesSequence: [step] }),
  };
}

/** No archive makes a patient's study of what is simulated. */
export const simulatedWords = (device: Recording['device']): Dataset =>
  device?.isSimulated === true
    ? { StudyDescription: SIMULATED_SIGNAL, SeriesDescription: SIMULATED_SIGNAL }
    : {};

/** A report as a page for people: the object beside the waveform. @param pdf of even length */
export function reportDataset(
  recording: Pick<Recording, 'patient' | 'device'>,
  startTime: StartTime,
  report: {
    readonly pdf: Uint8Array;
    readonly madeMs: number;
    readonly isApproved: boolean;
    readonly title: string;
  },
  {
    names,
    source,
    deviations,
    asked,
  }: {
    readonly names: Names;
    /** The waveform that it is about. */
    readonly source: { readonly object: string; readonly instance: string };
    readonly deviations: Deviations;
    readonly asked: AskedExamination | undefined;
  },
): Dataset {
  const pages = report.pdf.buffer.slice(report.pdf.byteOffset, report.pdf.byteOffset + report.pdf.length);
  return {
    SpecificCharacterSet: 'ISO_IR 192',
    SOPClassUID: ENCAPSULATED_PDF,
    ...names,
    ...timesOf(startTime, inZoneOf(startTime, report.madeMs)),
    ...patientModule(recording.patient, deviations, asked),
    ...studyModule(asked),
    ...simulatedWords(recording.device),
    Modality: 'ECG',
    SeriesNumber: 2,
    InstanceNumber: 1,
    Manufacturer: '',
    ConversionType: 'WSD',
    BurnedInAnnotation: 'YES',
    // What nobody has read is not said to be verified.
    VerificationFlag: report.isApproved ? 'VERIFIED' : 'UNVERIFIED',
    DocumentTitle: cut(plainValue(report.title), MOST_LONG),
    ConceptNameCodeSequence: [coded('11524-6', 'LN', 'EKG study')],
    SourceInstanceSequence: [
      { ReferencedSOPClassUID: source.object, ReferencedSOPInstanceUID: source.instance },
    ],
    MIMETypeOfEncapsulatedDocument: 'application/pdf',
    EncapsulatedDocument: pages,
    _vrMap: { EncapsulatedDocument: 'OB' },
  };
}

/** Each at its place, over all channels; one without words says nothing. */
function annotationItems(annotations: readonly FileAnnotation[], deviations: Deviations): Dataset[] {
  return annotations.flatMap(({ onsetSeconds, durationSeconds, text }) => {
    const words = cut(plainValue(text), MOST_REMARK);
    if (words === '') return [];
    if (words !== text) deviations.add('remark_changed', { remark: words.slice(0, MOST_CHARACTERS) });
    const ends = durationSeconds === undefined ? [] : [onsetSeconds + durationSeconds];
    return {
      UnformattedTextValue: words,
      TemporalRangeType: durationSeconds === undefined ? 'POINT' : 'SEGMENT',
      ReferencedWaveformChannels: [1, 0],
      ReferencedTimeOffsets: [onsetSeconds, ...ends].map((seconds) =>
        decimal(Math.round(1e6 * seconds) / 1000),
      ),
    };
  });
}

export interface WaveformFacts {
  readonly channels: readonly Channel[];
  readonly hz: number;
  readonly sampleCount: number;
  /** What stands for a missing sample. */
  readonly padding: number | undefined;
}

/** Its samples are put into the encoded dataset. */
function waveformItem(
  { channels, hz, sampleCount, padding }: WaveformFacts,
  deviations: Deviations,
): Dataset {
  return {
    WaveformOriginality: 'ORIGINAL',
    NumberOfWaveformChannels: channels.length,
    NumberOfWaveformSamples: sampleCount,
    SamplingFrequency: decimal(hz),
    ChannelDefinitionSequence: channels.map((channel) => channelDefinition(channel, deviations)),
    WaveformBitsAllocated: 8 * SAMPLE_BYTES,
    WaveformSampleInterpretation: 'SS',
    ...maybe('WaveformPaddingValue', padding === undefined ? undefined : Int16Array.of(padding).buffer),
    WaveformData: new ArrayBuffer(0),
    // Its type depends on the bits of a sample.
    _vrMap: { WaveformData: 'OW', WaveformPaddingValue: 'OW' },
  };
}

/** Whose names are the same whenever the same recording is written. */
export interface Names {
  readonly StudyInstanceUID: string;
  readonly SeriesInstanceUID: string;
  readonly SOPInstanceUID: string;
}

interface ObjectFacts {
  /** UID of the kind of object. */
  readonly object: string;
  readonly names: Names;
  readonly deviations: Deviations;
  readonly asked?: AskedExamination | undefined;
}

export function datasetOf(
  { patient, deviceId, device, annotations }: Recording,
  startTime: StartTime,
  waveform: WaveformFacts,
  { object, names, deviations, asked }: ObjectFacts,
): Dataset {
  const remarks = annotationItems(annotations, deviations);
  return {
    SpecificCharacterSet: 'ISO_IR 192',
    SOPClassUID: object,
    ...names,
    ...timesOf(startTime),
    ...patientModule(patient, deviations, asked),
    ...studyModule(asked),
    ...simulatedWords(device),
    Modality: 'ECG',
    SeriesNumber: 1,
    InstanceNumber: 1,
    Manufacturer: '',
    ...maybe('DeviceSerialNumber', deviceId && serialOf(deviceId, deviations)),
    AcquisitionContextSequence: [],
    ...(remarks.length > 0 && { WaveformAnnotationSequence: remarks }),
    WaveformSequence: [waveformItem(waveform, deviations)],
  };
}
