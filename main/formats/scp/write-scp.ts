// Writes a short recording as SCP-ECG (EN 1064, version 2): patient and time, leads, and the rhythm as plain 16-bit amplitudes
// without compression. Formats reference, sections 3.1, 3.2, 3.4 and 3.5.

import {
  type Channel,
  type PatientFacts,
  type Recording,
  rateHz,
  type StartTime,
} from '../../../shared/signal/recording.ts';
import { SIMULATED_SIGNAL } from '../../signal/simulated-signal.ts';
import { crcCcitt } from '../crc.ts';
import { Deviations } from '../deviations.ts';
import {
  type ChannelSurvey,
  type RecordOutput,
  type RecordWriter,
  requireOneRate,
  surveyChannels,
  unsuitable,
} from '../record-writer.ts';
import { scpLeadId } from './scp-lead-names.ts';

const VERSION = 20;
const SECTIONS = 12;
const SECTION_HEADER_BYTES = 16;
const RECORD_HEADER_BYTES = 6;
/** The length of a lead's bytes has 16 bits. */
const MOST_SAMPLES = 32_767;
const MOST_LEADS = 31;
const MOST_TEXT_BYTES = 64;
const UNSPECIFIED_LEAD = 0;
const ASCII = 0;
const UTF_8 = 7;
/** Nanovolts of a step, where those of the recording are none that the format can state. */
const STEPS_NV = [500, 1000, 2500, 5000, 10_000] as const;
const SAME = 1e-9;

const u16 = (value: number): number[] => [value & 255, (value >> 8) & 255];
const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];

/** Bytes of a text with its end, cut between two letters. */
function textBytes(text: string): number[] {
  const clean = text.replaceAll('\0', ' ');
  const { read } = new TextEncoder().encodeInto(clean, new Uint8Array(MOST_TEXT_BYTES - 1));
  return [...new TextEncoder().encode(clean.slice(0, read)), 0];
}

type Tag = readonly [tag: number, value: readonly number[]];
const textTag = (tag: number, text: string | undefined): Tag[] =>
  text === undefined || text === '' ? [] : [[tag, textBytes(text)]];

const dayBytes = (date: Date): number[] => [
  ...u16(date.getUTCFullYear()),
  date.getUTCMonth() + 1,
  date.getUTCDate(),
];

/** Some readers know nothing of UTF-8: it is named where a text needs it. */
const languageOf = ({ patient, deviceId = '' }: Recording): number =>
  /^[\x20-\x7e]*$/.test(`${patient.id ?? ''}${patient.firstName ?? ''}${patient.lastName ?? ''}${deviceId}`)
    ? ASCII
    : UTF_8;

/** The recording device: revision 2.0, category I, and behind its strings the serial number. */
function deviceBytes(deviceId: string | undefined, language: number): number[] {
  const strings = [...textBytes('Isoline'), ...textBytes(deviceId ?? ''), 0, 0, 0];
  const head = new Array<number>(36).fill(0);
  [head[7], head[14], head[15], head[16], head[35]] = [
    255,
    VERSION,
    0x90,
    language,
    textBytes('Isoline').length,
  ];
  return [...head, ...strings];
}

const SEXES = { MALE: 1, FEMALE: 2, UNDIFFERENTIATED: 9 } as const;

/** In grams, or where those need more than 16 bits, in kilograms. */
const weightBytes = (weightG: number): number[] =>
  weightG <= 65_535 ? [...u16(weightG), 2] : [...u16(Math.round(weightG / 1000)), 1];

function patientTags({
  id,
  firstName,
  lastName,
  gender,
  birthDate,
  ageYears,
  heightCm,
  weightG,
}: PatientFacts): Tag[] {
  return [
    ...textTag(0, lastName),
    ...textTag(1, firstName),
    [2, textBytes(id ?? '')],
    // 0 stands for an unknown age.
    ...(ageYears === undefined || ageYears < 1 ? [] : [[4, [...u16(Math.floor(ageYears)), 1]] as Tag]),
    ...(birthDate === undefined ? [] : [[5, dayBytes(new Date(`${birthDate}T00:00:00Z`))] as Tag]),
    ...(heightCm === undefined ? [] : [[6, [...u16(heightCm), 1]] as Tag]),
    ...(weightG === undefined ? [] : [[7, weightBytes(weightG)] as Tag]),
    [8, [gender === undefined ? 0 : SEXES[gender]]],
  ];
}

/** All zero where nothing is known. */
function timeTags(startTime: StartTime | undefined): Tag[] {
  if (startTime === undefined)
    return [
      [25, [0, 0, 0, 0]],
      [26, [0, 0, 0]],
    ];
  const date = new Date(startTime.utcMs);
  return [
    [25, dayBytes(date)],
    [26, [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]],
    ...(startTime.isZoneKnown ? [[34, [...u16(0), ...u16(0), ...textBytes('UTC')]] as Tag] : []),
  ];
}

function section1(recording: Recording): number[] {
  const { patient, deviceId, startTime, device } = recording;
  const tags: Tag[] = [
    ...patientTags(patient),
    [14, deviceBytes(deviceId, languageOf(recording))],
    ...timeTags(startTime),
    ...(device?.isSimulated ? textTag(30, SIMULATED_SIGNAL) : []),
    [255, []],
  ];
  return tags.flatMap(([tag, value]) => [tag, ...u16(value.length), ...value]);
}

function leadIdOf({ lead, label }: Channel, deviations: Deviations): number {
  const id = scpLeadId(lead);
  if (id === undefined) deviations.add('label_lost', { label });
  return id ?? UNSPECIFIED_LEAD;
}

interface Step {
  readonly nanovolts: number;
  /** No value is changed. */
  readonly isExact: boolean;
}

const nanovoltsOf = ({ scale, mvPerUnit }: Channel): number => 1e6 * scale * (mvPerUnit as number);

/** One whole number of nanovolts for all leads, in which all values fit into 16 bits. */
function stepFor(channels: readonly Channel[], surveys: readonly ChannelSurvey[]): Step {
  const own = nanovoltsOf(channels[0] as Channel);
  const isExact =
    channels.every((channel) => Math.abs(nanovoltsOf(channel) / own - 1) < SAME && channel.offset === 0) &&
    own >= 1 &&
    own <= 65_535 &&
    Math.abs(Math.round(own) / own - 1) < SAME &&
    surveys.every(({ minimum, maximum }) => minimum >= -32_768 && maximum <= 32_767);
  if (isExact) return { nanovolts: Math.round(own), isExact };
  const highest = channels.reduce((most, { scale, offset, mvPerUnit }, i) => {
    const { minimum, maximum } = surveys[i] as ChannelSurvey;
    const ends = [minimum, maximum].map((value) =>
      Math.abs(1e6 * (value * scale + offset) * (mvPerUnit as number)),
    );
    return Math.max(most, ...ends);
  }, 0);
  const step = STEPS_NV.find((nanovolts) => highest / nanovolts < 32_767);
  if (step === undefined)
    throw unsuitable('The signal is too high for 16 bits of SCP-ECG. Convert the recording to EDF+.');
  return { nanovolts: step, isExact: false };
}

function leadBytes(channel: Channel, sampleCount: number, { nanovolts, isExact }: Step): Uint8Array {
  const samples = new Int32Array(sampleCount);
  channel.read(0, samples);
  const bytes = Buffer.alloc(2 * sampleCount);
  const toNanovolts = 1e6 * (channel.mvPerUnit as number);
  for (let i = 0; i < sampleCount; i++) {
    const sample = samples[i] as number;
    const value = isExact
      ? sample
      : Math.round(((sample * channel.scale + channel.offset) * toNanovolts) / nanovolts);
    bytes.writeInt16LE(value, 2 * i);
  }
  return bytes;
}

function requireWhole(
  { channels, patient }: Recording,
  surveys: readonly ChannelSurvey[],
  sampleCount: number,
): void {
  if (new TextEncoder().encode(patient.id).length >= MOST_TEXT_BYTES)
    throw unsuitable('SCP-ECG cannot hold the number of the patient. Convert the recording to EDF+.');
  if (channels.length > MOST_LEADS) throw unsuitable(`SCP-ECG cannot hold ${channels.length} signals.`);
  if (sampleCount > MOST_SAMPLES)
    throw unsuitable(`SCP-ECG holds ${MOST_SAMPLES} samples a lead at most. Convert the recording to EDF+.`);
  if (channels.some((channel, i) => channel.sampleCount < sampleCount || surveys[i]?.missing.length !== 0))
    throw unsuitable('SCP-ECG cannot mark missing samples. Convert the recording to EDF+.');
  const unscaled = channels.find(({ isCalibrated, mvPerUnit }) => !isCalibrated || mvPerUnit === undefined);
  if (unscaled !== undefined)
    throw unsuitable(
      `SCP-ECG holds voltages alone, and "${unscaled.label}" states none. Convert the recording to EDF+.`,
    );
}

function sectionBytes(id: number, body: Uint8Array, mark: string): Uint8Array {
  const length = SECTION_HEADER_BYTES + body.length + (body.length % 2);
  const bytes = Buffer.alloc(length);
  bytes.writeUInt16LE(id, 2);
  bytes.writeUInt32LE(length, 4);
  bytes[8] = VERSION;
  bytes[9] = VERSION;
  bytes.write(mark, 10, 'latin1');
  bytes.set(body, SECTION_HEADER_BYTES);
  bytes.writeUInt16LE(crcCcitt(bytes, 2), 0);
  return bytes;
}

/** Sections in order behind a table of where they are. */
function recordBytes(bodies: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const sections = [...bodies].map(([id, body]) => ({ id, bytes: sectionBytes(id, body, '') }));
  const tableBytes = SECTION_HEADER_BYTES + 10 * SECTIONS;
  let at = RECORD_HEADER_BYTES + tableBytes;
  const pointers: number[] = [...u16(0), ...u32(tableBytes), ...u32(RECORD_HEADER_BYTES + 1)];
  for (let id = 1; id < SECTIONS; id++) {
    const length = sections.find((section) => section.id === id)?.bytes.length ?? 0;
    pointers.push(...u16(id), ...u32(length), ...u32(length === 0 ? 0 : at + 1));
    at += length;
  }
  const head = Buffer.alloc(RECORD_HEADER_BYTES);
  head.writeUInt32LE(at, 2);
  const record = Buffer.concat([
    head,
    sectionBytes(0, Uint8Array.from(pointers), 'SCPECG'),
    ...sections.map(({ bytes }) => bytes),
  ]);
  record.writeUInt16LE(crcCcitt(record, 2), 0);
  return record;
}

function noteWhatIsLost(
  { annotations, startTime, patient, deviceId }: Recording,
  step: Step,
  deviations: Deviations,
): void {
  const isLong = (text: string | undefined): boolean =>
    new TextEncoder().encode(text).length >= MOST_TEXT_BYTES;
  if (isLong(patient.firstName) || isLong(patient.lastName)) deviations.add('name_cut');
  if (isLong(deviceId)) deviations.add('serial_cut');
  if (patient.ageYears !== undefined && patient.ageYears < 1) deviations.add('measures_left_out');
  // That it is simulated stands elsewhere in the file.
  if (annotations.some(({ text }) => text !== SIMULATED_SIGNAL)) deviations.add('annotations_left_out');
  if (startTime !== undefined && startTime.utcMs % 1000 !== 0) deviations.add('start_cut');
  if (!step.isExact) deviations.add('values_rounded', { microvolts: step.nanovolts / 2000 });
}

function scpBytes(recording: Recording, deviations: Deviations): Uint8Array {
  const { channels } = recording;
  const { rate, sampleCount } = requireOneRate(channels, 'SCP-ECG');
  const surveys = surveyChannels(recording);
  requireWhole(recording, surveys, sampleCount);
  const step = stepFor(channels, surveys);
  noteWhatIsLost(recording, step, deviations);
  const intervalUs = Math.round(1e6 / rateHz(rate));
  const error = Math.abs((intervalUs * rateHz(rate)) / 1e6 - 1);
  if (intervalUs < 1 || intervalUs > 65_535)
    throw unsuitable(`SCP-ECG cannot hold ${rateHz(rate)} samples a second. Convert the recording to EDF+.`);
  if (error > SAME) deviations.add('rate_rounded', { error: error.toExponential(1) });
  const leads = channels.flatMap((channel) => [
    ...u32(1),
    ...u32(sampleCount),
    leadIdOf(channel, deviations),
  ]);
  const rhythm = [
    ...u16(step.nanovolts),
    ...u16(intervalUs),
    0,
    0,
    ...channels.flatMap(() => u16(2 * sampleCount)),
  ];
  return recordBytes(
    new Map([
      [1, Uint8Array.from(section1(recording))],
      [3, Uint8Array.from([channels.length, 4 | (channels.length << 3), ...leads])],
      [
        6,
        Buffer.concat([
          Uint8Array.from(rhythm),
          ...channels.map((channel) => leadBytes(channel, sampleCount, step)),
        ]),
      ],
    ]),
  );
}

export const SCP_WRITER: RecordWriter = {
  name: 'scp',
  extensions: ['.scp'],
  companions: () => [],
  *write(recording, fileName): RecordOutput {
    const deviations = new Deviations();
    yield { fileName, bytes: scpBytes(recording, deviations) };
    return deviations.list;
  },
};
