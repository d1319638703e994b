// Writes a recording as HL7 annotated ECG (ANSI/HL7 V3 aECG, R1): one series for each stretch without a gap, leads by MDC
// code, samples as the integers that they are.

import { createHash } from 'node:crypto';
import { isAsNamed, leadName } from '../../../shared/signal/lead.ts';
import {
  type Channel,
  type PatientFacts,
  type Recording,
  rateHz,
  type StartTime,
} from '../../../shared/signal/recording.ts';
import { SIMULATED_SIGNAL } from '../../signal/simulated-signal.ts';
import { Deviations } from '../deviations.ts';
import type { SampleRun } from '../missing-runs.ts';
import {
  type ChannelSurvey,
  type RecordOutput,
  type RecordWriter,
  requireOneRate,
  surveyChannels,
  unsuitable,
} from '../record-writer.ts';
import { UNSPECIFIED_LEAD } from './aecg-codes.ts';

const ACT_CODES = '2.16.840.1.113883.5.4';
const MDC_CODES = '2.16.840.1.113883.6.24';
const GENDER_CODES = '2.16.840.1.113883.5.1';
const CPT_CODES = '2.16.840.1.113883.6.12';
const ROUTINE_ECG = '93000';
/** What our own reader takes, with room for all that is not samples. */
const MOST_TEXT_BYTES = 120 * 2 ** 20;
const BLOCK_SAMPLES = 8192;
const MOST_HZ_WITH_GAPS = 1000;
const MOST_HZ_WITH_TWO_ROUNDINGS = 500;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const isForbidden = (letter: string): boolean => letter < ' ' || letter === '\ufffe' || letter === '\uffff';
/** @param instead of what XML may not hold at all */
const xml = (text: string, instead = ' '): string =>
  Array.from(text, (letter) => ESCAPES[letter] ?? (isForbidden(letter) ? instead : letter)).join('');

/** A stretch without missing samples. */
type Stretch = readonly [start: number, end: number];

/** @throws IsolineError `format_unsuitable` where leads miss different samples: the format has no sign for that */
function stretchesOf(
  surveys: readonly ChannelSurvey[],
  channels: readonly Channel[],
  end: number,
): Stretch[] {
  const runsOf = (index: number): readonly SampleRun[] => {
    const { missing } = surveys[index] as ChannelSurvey;
    const { sampleCount } = channels[index] as Channel;
    if (sampleCount === end) return missing;
    const last = missing.at(-1);
    // What is missing up to the end of a shorter lead, and behind it, is one run.
    return last?.end === sampleCount
      ? [...missing.slice(0, -1), { start: last.start, end }]
      : [...missing, { start: sampleCount, end }];
  };
  const first = JSON.stringify(runsOf(0));
  if (channels.some((_, index) => JSON.stringify(runsOf(index)) !== first))
    throw unsuitable(
      'The leads miss samples at different places, which aECG cannot mark. Convert it to EDF+.',
    );
  let from = 0;
  const stretches: Stretch[] = [];
  for (const run of [...runsOf(0), { start: end, end }]) {
    if (run.start > from) stretches.push([from, run.start]);
    from = run.end;
  }
  return stretches;
}

/** `20261121143211.395+0000` */
function timeText({ utcMs, isZoneKnown }: StartTime, laterSeconds: number): string {
  const digits = new Date(utcMs + Math.round(1000 * laterSeconds)).toISOString().replace(/[-:TZ]/g, '');
  return `${digits}${isZoneKnown ? '+0000' : ''}`;
}

/** A name that depends on the content alone, in the form of a UUID (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const GENDERS = { FEMALE: 'F', MALE: 'M', UNDIFFERENTIATED: 'UN' } as const;

function personOf({ firstName, lastName, gender, birthDate }: PatientFacts): string {
  const names = [
    firstName && `<given>${xml(firstName)}</given>`,
    lastName && `<family>${xml(lastName)}</family>`,
  ].filter((name) => name !== undefined && name !== '');
  return [
    names.length > 0 ? `<name>${names.join('')}</name>` : '',
    gender === undefined
      ? ''
      : `<administrativeGenderCode code="${GENDERS[gender]}" codeSystem="${GENDER_CODES}"/>`,
    birthDate === undefined ? '' : `<birthTime value="${birthDate.replaceAll('-', '')}"/>`,
  ].join('');
}

/** The format is made for trials, and asks for one: it has the name of the recording, and is none. */
function headOf({ patient, device }: Recording, uuid: string, times: string): string {
  const id = patient.id === undefined ? '' : ` extension="${xml(patient.id)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<AnnotatedECG xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" classCode="OBS">
<id root="${uuid}"/>
<code code="${ROUTINE_ECG}" codeSystem="${CPT_CODES}" codeSystemName="CPT-4"/>
${device?.isSimulated ? `<text>${SIMULATED_SIGNAL}</text>\n` : ''}${times}<componentOf><timepointEvent><componentOf><subjectAssignment>
<subject><trialSubject><id root="${uuidOf(`subject ${uuid}`)}"${id}/><subjectDemographicPerson>${personOf(patient)}</subjectDemographicPerson></trialSubject></subject>
<componentOf><clinicalTrial><id root="${uuidOf(`trial ${uuid}`)}"/></clinicalTrial></componentOf>
</subjectAssignment></componentOf></timepointEvent></componentOf>
`;
}

/** A lead without a code of its own has its name beside it; only a scale can turn one that is stored upside down. */
function codeOf({ lead, label, isCalibrated }: Channel): string {
  const [code, name] =
    isAsNamed(lead) && (isCalibrated || !lead.isInverted)
      ? [lead.code, leadName(lead.code)]
      : [UNSPECIFIED_LEAD, label];
  return `<code code="${code}" codeSystem="${MDC_CODES}" codeSystemName="MDC" displayName="${xml(name)}"/>`;
}

/** @returns what stands before and behind the digits of a lead */
function valueAround({ isCalibrated, mvPerUnit, unit, scale, offset, lead }: Channel): [string, string] {
  if (!isCalibrated) return ['<value xsi:type="SLIST_INT"><digits>', '</digits></value>'];
  const factor = (mvPerUnit === undefined ? 1 : 1000 * mvPerUnit) * (lead?.isInverted === true ? -1 : 1);
  const name = mvPerUnit === undefined ? xml(unit) : 'uV';
  // Twelve digits are more than any converter has, and fewer than the noise of a product.
  const number = (value: number): number => Number((value * factor).toPrecision(12));
  return [
    `<value xsi:type="SLIST_PQ"><origin value="${number(offset)}" unit="${name}"/><scale value="${number(scale)}" unit="${name}"/><digits>`,
    '</digits></value>',
  ];
}

function* digits(channel: Channel, [start, end]: Stretch): Generator<string> {
  for (let at = start; at < end; at += BLOCK_SAMPLES) {
    const samples = new Int32Array(Math.min(BLOCK_SAMPLES, end - at));
    channel.read(at, samples);
    yield `${at === start ? '' : ' '}${samples.join(' ')}`;
  }
}

interface Plan {
  readonly recording: Recording;
  readonly stretches: readonly Stretch[];
  readonly secondsPerSample: number;
  readonly uuid: string;
}

/** From a stretch's first sample to its end, where it is known when that was. */
function timesOf({ recording: { startTime }, secondsPerSample }: Plan, [start, end]: Stretch): string {
  if (startTime === undefined) return '';
  const at = (sample: number): string => timeText(startTime, sample * secondsPerSample);
  return `<effectiveTime><low value="${at(start)}"/><high value="${at(end)}"/></effectiveTime>\n`;
}

function timeSequence({ recording: { startTime }, secondsPerSample }: Plan, [start]: Stretch): string {
  const increment = `<increment value="${secondsPerSample}" unit="s"/>`;
  const [code, value] =
    startTime === undefined
      ? ['TIME_RELATIVE', `<value xsi:type="GLIST_PQ"><head value="0" unit="s"/>${increment}</value>`]
      : [
          'TIME_ABSOLUTE',
          `<value xsi:type="GLIST_TS"><head value="${timeText(startTime, start * secondsPerSample)}"/>${increment}</value>`,
        ];
  return `<component><sequence><code code="${code}" codeSystem="${ACT_CODES}"/>${value}</sequence></component>\n`;
}

function* seriesText(plan: Plan, stretch: Stretch): Generator<string> {
  const { channels, deviceId } = plan.recording;
  const device =
    deviceId === undefined
      ? ''
      : `<author><seriesAuthor><manufacturedSeriesDevice><id root="${uuidOf(`device ${deviceId}`)}" extension="${xml(deviceId)}"/></manufacturedSeriesDevice></seriesAuthor></author>\n`;
  yield `<component><series>
<id root="${uuidOf(`series ${stretch[0]} ${plan.uuid}`)}"/>
<code code="RHYTHM" codeSystem="${ACT_CODES}"/>
${timesOf(plan, stretch)}${device}<component><sequenceSet>
${timeSequence(plan, stretch)}`;
  for (const channel of channels) {
    const [before, behind] = valueAround(channel);
    yield `<component><sequence>${codeOf(channel)}${before}`;
    yield* digits(channel, stretch);
    yield `${behind}</sequence></component>\n`;
  }
  yield '</sequenceSet></component>\n</series></component>\n';
}

/** The same recording has the same name, whenever it is written. */
function uuidOfRecording({ channels, startTime, patient, deviceId }: Recording, sampleCount: number): string {
  const hash = createHash('sha256');
  for (const channel of channels) {
    const { label, scale, offset, unit } = channel;
    hash.update(JSON.stringify({ label, scale, offset, unit }));
    for (const text of digits(channel, [0, sampleCount])) hash.update(text);
  }
  return uuidOf(`${hash.digest('hex')} ${JSON.stringify({ startTime, patient, deviceId })}`);
}

function planOf(recording: Recording): Plan {
  const { channels, startTime, patient } = recording;
  const { rate, sampleCount } = requireOneRate(channels, 'aECG');
  const surveys = surveyChannels(recording);
  const textBytes = surveys.reduce(
    (sum, { minimum, maximum }) =>
      sum + sampleCount * (1 + Math.max(String(minimum).length, String(maximum).length)),
    0,
  );
  if (textBytes > MOST_TEXT_BYTES)
    throw unsuitable('The recording is too long for aECG. Convert it to EDF+.');
  if (patient.id !== undefined && xml(patient.id) !== xml(patient.id, ''))
    throw unsuitable('aECG cannot hold the number of the patient. Convert the recording to EDF+.');
  const stretches = stretchesOf(surveys, channels, sampleCount);
  if (stretches.length === 0) throw unsuitable('The recording has no samples to write.');
  const isWhole = stretches.length === 1 && stretches[0]?.[0] === 0 && stretches[0][1] === sampleCount;
  // A piece is placed by its time, in milliseconds.
  const mostHz = stretches[0]?.[0] === 0 ? MOST_HZ_WITH_GAPS : MOST_HZ_WITH_TWO_ROUNDINGS;
  if (!isWhole && (startTime === undefined || rateHz(rate) > mostHz))
    throw unsuitable('aECG cannot tell where the gaps of this recording are. Convert it to EDF+.');
  return {
    recording,
    stretches,
    secondsPerSample: 1 / rateHz(rate),
    uuid: uuidOfRecording(recording, sampleCount),
  };
}

function noteWhatIsLost(
  { annotations, patient, channels }: Recording,
  { stretches }: Plan,
  deviations: Deviations,
): void {
  // That it is simulated stands elsewhere in the file.
  if (annotations.some(({ text }) => text !== SIMULATED_SIGNAL)) deviations.add('annotations_left_out');
  const { ageYears, heightCm, weightG } = patient;
  if (ageYears !== undefined || heightCm !== undefined || weightG !== undefined)
    deviations.add('measures_left_out');
  const [first, last] = [stretches[0]?.[0] ?? 0, stretches.at(-1)?.[1] ?? 0];
  if (first > 0 || channels.some(({ sampleCount }) => sampleCount > last)) deviations.add('ends_left_out');
}

export const AECG_WRITER: RecordWriter = {
  name: 'aecg',
  extensions: ['.aecg', '.xml'],
  companions: () => [],
  *write(recording, fileName): RecordOutput {
    const deviations = new Deviations();
    const plan = planOf(recording);
    noteWhatIsLost(recording, plan, deviations);
    const encoder = new TextEncoder();
    const [first, last] = [plan.stretches[0] as Stretch, plan.stretches.at(-1) as Stretch];
    yield {
      fileName,
      bytes: encoder.encode(headOf(recording, plan.uuid, timesOf(plan, [first[0], last[1]]))),
    };
    for (const stretch of plan.stretches)
      for (const text of seriesText(plan, stretch)) yield { fileName, bytes: encoder.encode(text) };
    yield { fileName, bytes: encoder.encode('</AnnotatedECG>\n') };
    return deviations.list;
  },
};
