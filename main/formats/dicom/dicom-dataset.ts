// A recording in the words of DICOM: patient, times, leads and remarks (PS3.3, C.7 and C.10).

import { leadName } from '../../../shared/signal/lead.ts';
import type {
  Channel,
  FileAnnotation,
  PatientFacts,
  Recording,
  StartTime,
} from '../../../shared/signal/recording.ts';
import { SIMULATED_SIGNAL } from '../../../shared/simulated-signal.ts';
import type { Deviations } from '../deviations.ts';
import { scpLeadId } from '../scp/scp-lead-names.ts';

/** By keyword of the data dictionary; sequences are arrays of further datasets. */
export type Dataset = { readonly [keyword: string]: unknown };

/** Of a value of type DS, and of a label. */
const MOST_CHARACTERS = 16;
const MOST_ID_CHARACTERS = 64;
const UNSPECIFIED_LEAD = 0;
const SCALE_TOLERANCE = 1e-9;
export const SAMPLE_BYTES = 2;

/** The decimal number of at most 16 characters that comes nearest (VR DS). */
function decimal(value: number): string {
  for (let digits = MOST_CHARACTERS; digits > 0; digits--) {
    const text = String(Number(value.toPrecision(digits)));
    if (text.length <= MOST_CHARACTERS) return text;
  }
  return '0';
}

const coded = (value: string, scheme: string, meaning: string): Dataset => ({
  CodeValue: value,
  CodingSchemeDesignator: scheme,
  CodeMeaning: meaning,
});

/** Of an entry in a dataset, where there is any. */
const maybe = (keyword: string, value: unknown): Dataset => (value === undefined ? {} : { [keyword]: value });

/** A lead that is connected otherwise than its name says must not have its number. */
function sourceOf({ lead, label }: Channel): Dataset {
  const isPlain = lead !== undefined && !lead.isModified && !lead.isPolarityUnclear;
  const name = isPlain ? `${lead.isInverted ? '-' : ''}${leadName(lead.code)}` : label;
  const id = isPlain ? scpLeadId(name) : undefined;
  return id === undefined
    ? coded(`2:${UNSPECIFIED_LEAD}`, 'MDC', 'Unspecified lead')
    : coded(`2:${id}`, 'MDC', `Lead ${name}`);
}

function channelDefinition(channel: Channel, deviations: Deviations): Dataset {
  const { isCalibrated, mvPerUnit, label } = channel;
  const factor = mvPerUnit === undefined ? 1 : 1000 * mvPerUnit;
  const sensitivity = channel.scale * factor;
  const error = Math.abs(Number(decimal(sensitivity)) / sensitivity - 1);
  if (isCalibrated && error > SCALE_TOLERANCE)
    deviations.add('scale_rounded', { label, error: error.toExponential(1) });
  const unit = mvPerUnit === undefined ? channel.unit : 'uV';
  return {
    ChannelLabel: label.slice(0, MOST_CHARACTERS),
    ChannelSourceSequence: [sourceOf(channel)],
    ...(isCalibrated && {
      ChannelSensitivity: decimal(sensitivity),
      ChannelSensitivityUnitsSequence: [coded(unit, 'UCUM', unit === 'uV' ? 'microvolt' : unit)],
      ChannelSensitivityCorrectionFactor: '1',
      ChannelBaseline: decimal(channel.offset * factor),
    }),
    ChannelTimeSkew: '0',
    WaveformBitsStored: 8 * SAMPLE_BYTES,
  };
}

const GENDERS = { FEMALE: 'F', MALE: 'M', UNDIFFERENTIATED: 'O' } as const;
/** What separates the parts of a value is no part of one. */
const plain = (text = ''): string =>
  Array.from(text, (letter) => (letter < ' ' || '\\^='.includes(letter) ? ' ' : letter))
    .join('')
    .trim();

const patientModule = ({
  id,
  firstName,
  lastName,
  gender,
  birthDate,
  ageYears,
  heightCm,
  weightG,
}: PatientFacts): Dataset => ({
  PatientName: [plain(lastName), plain(firstName)].join('^').replace(/\^$/, ''),
  PatientID: plain(id).slice(0, MOST_ID_CHARACTERS),
  PatientBirthDate: (birthDate ?? '').replaceAll('-', ''),
  PatientSex: gender === undefined ? '' : GENDERS[gender],
  ...maybe(
    'PatientAge',
    ageYears === undefined ? undefined : `${String(Math.floor(ageYears)).padStart(3, '0')}Y`,
  ),
  ...maybe('PatientSize', heightCm === undefined ? undefined : decimal(heightCm / 100)),
  ...maybe('PatientWeight', weightG === undefined ? undefined : decimal(weightG / 1000)),
});

/** `20261121`, `143211.395` and, where the zone is known, that both are UTC. */
function timesOf({ utcMs, isZoneKnown }: StartTime): Dataset {
  const [date = '', time = ''] = new Date(utcMs).toISOString().replace(/[-:Z]/g, '').split('T');
  return {
    StudyDate: date,
    StudyTime: time,
    ContentDate: date,
    ContentTime: time,
    AcquisitionDateTime: `${date}${time}${isZoneKnown ? '+0000' : ''}`,
    ...(isZoneKnown && { TimezoneOffsetFromUTC: '+0000' }),
  };
}

/** A remark at its place, over all channels. */
const annotationItem = ({ onsetSeconds, durationSeconds, text }: FileAnnotation, index: number): Dataset => ({
  UnformattedTextValue: text,
  TemporalRangeType: durationSeconds === undefined ? 'POINT' : 'SEGMENT',
  ReferencedWaveformChannels: [1, 0],
  ReferencedTimeOffsets: [
    onsetSeconds,
    ...(durationSeconds === undefined ? [] : [onsetSeconds + durationSeconds]),
  ].map((seconds) => decimal(Math.round(1e6 * seconds) / 1000)),
  AnnotationGroupNumber: index + 1,
});

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

/** @param object UID of the kind of object */
export function datasetOf(
  { patient, deviceId, device, annotations }: Recording,
  startTime: StartTime,
  waveform: WaveformFacts,
  {
    object,
    names,
    deviations,
  }: { readonly object: string; readonly names: Names; readonly deviations: Deviations },
): Dataset {
  return {
    SpecificCharacterSet: 'ISO_IR 192',
    SOPClassUID: object,
    ...names,
    ...timesOf(startTime),
    ...patientModule(patient),
    AccessionNumber: '',
    ReferringPhysicianName: '',
    StudyID: '',
    ...(device?.isSimulated && { StudyDescription: SIMULATED_SIGNAL, SeriesDescription: SIMULATED_SIGNAL }),
    Modality: 'ECG',
    SeriesNumber: 1,
    InstanceNumber: 1,
    Manufacturer: '',
    ...maybe('DeviceSerialNumber', deviceId && plain(deviceId).slice(0, MOST_ID_CHARACTERS)),
    AcquisitionContextSequence: [],
    ...(annotations.length > 0 && { WaveformAnnotationSequence: annotations.map(annotationItem) }),
    WaveformSequence: [waveformItem(waveform, deviations)],
  };
}
