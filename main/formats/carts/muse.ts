// GE MUSE XML (`RestingECG`) into a Recording: waveforms in Base64, eight leads of which the others follow (format by the document type
// `restecg.dtd` and public exports of MUSE 7 to 9).

import type { Channel, PatientFacts, SampleRate, StartTime } from '../../../shared/signal/recording.ts';
import { find, findAll, type XmlElement } from '../../ground/xml-tree.ts';
import type { Deviations } from '../deviations.ts';
import { type ReadResult, type RecordFormat, refused } from '../format.ts';
import { enteredText, genderOf, monthFirstDate, unmistakableDate, yearsOf } from '../patient-fields.ts';
import { parseIsoStart } from '../start-time.ts';
import { memoryChannel } from '../stored-channel.ts';
import { parseDecimal } from '../text-field.ts';
import { rootName } from '../xml/xml-text.ts';
import {
  bytesOfBase64,
  type OthersReading,
  patientWith,
  readDocument,
  recordingOf,
  samplesOf16,
  textBelow,
} from './cart-record.ts';

const ROOT = 'RestingECG';
const RHYTHM = /^rhythm$/i;

/** Samples a second, which may be stated as a number and a power of ten. */
function rateOf(waveform: XmlElement): SampleRate | undefined {
  const base = parseDecimal(textBelow(waveform, 'SampleBase'));
  const exponent = parseDecimal(textBelow(waveform, 'SampleExponent')) ?? 0;
  const hz = base === undefined ? Number.NaN : base * 10 ** exponent;
  return hz > 0 && Number.isInteger(hz) ? { samples: hz, seconds: 1 } : undefined;
}

function channelOf(lead: XmlElement, rate: SampleRate, deviations: Deviations): Channel | string {
  const label = textBelow(lead, 'LeadID');
  const bytes = bytesOfBase64(textBelow(lead, 'WaveFormData'));
  const sampleBytes = parseDecimal(textBelow(lead, 'LeadSampleSize')) ?? 2;
  if (bytes === undefined || bytes.length < 2) return `The samples of lead "${label}" cannot be read.`;
  if (sampleBytes !== 2)
    return `The samples of lead "${label}" have ${sampleBytes} bytes, which is not read.`;
  const perBit = parseDecimal(textBelow(lead, 'LeadAmplitudeUnitsPerBit'));
  const unit = textBelow(lead, 'LeadAmplitudeUnits').replace(/S$/i, '');
  const isCalibrated = perBit !== undefined && perBit > 0;
  if (!isCalibrated) deviations.add('scale_unknown', { label });
  const stated = parseDecimal(textBelow(lead, 'LeadByteCountTotal'));
  if (stated !== undefined && stated > bytes.length)
    deviations.add('truncated', { present: bytes.length / 2, stated: stated / 2 });
  return memoryChannel(label, {
    unit: unit === '' ? 'uV' : unit,
    scale: isCalibrated ? perBit : 1,
    offset: 0,
    isCalibrated,
    rate,
    samples: samplesOf16(bytes),
  });
}

function patientOf(root: XmlElement): PatientFacts {
  const person = find(root, 'PatientDemographics');
  const text = (name: string): string | undefined => enteredText(textBelow(person, name));
  const birth = text('DateofBirth') ?? '';
  const age = parseDecimal(text('PatientAge') ?? '');
  const heightIn = parseDecimal(text('HeightIN') ?? '');
  const heightCm = parseDecimal(text('HeightCM') ?? '') ?? (heightIn && Math.round(heightIn * 2.54));
  const pounds = parseDecimal(text('WeightLBS') ?? '');
  const kilograms = parseDecimal(text('WeightKG') ?? '') ?? (pounds && pounds * 0.45359237);
  return patientWith({
    id: text('PatientID'),
    firstName: text('PatientFirstName'),
    lastName: text('PatientLastName'),
    gender: genderOf(text('Gender') ?? ''),
    birthDate: monthFirstDate(birth) ?? unmistakableDate(birth),
    ageYears: age === undefined ? undefined : yearsOf(age, text('AgeUnits')),
    heightCm: heightCm !== undefined && heightCm > 20 && heightCm < 280 ? heightCm : undefined,
    weightG:
      kilograms !== undefined && kilograms > 0.2 && kilograms < 700
        ? Math.round(1000 * kilograms)
        : undefined,
  });
}

function startOf(root: XmlElement): StartTime | undefined {
  const test = find(root, 'TestDemographics');
  const day = textBelow(test, 'AcquisitionDate');
  const isoDay = monthFirstDate(day) ?? unmistakableDate(day);
  return isoDay === undefined ? undefined : parseIsoStart(`${isoDay}T${textBelow(test, 'AcquisitionTime')}`);
}

const END_OF_LINE = 'ENDSLINE';

/** One line of the reading may be several statements; the last one says that it is. */
function linesOf(diagnosis: XmlElement | undefined): string[] {
  const lines: string[] = [];
  let line = '';
  for (const statement of diagnosis === undefined ? [] : findAll(diagnosis, 'DiagnosisStatement')) {
    line = [line, textBelow(statement, 'StmtText')].filter((part) => part !== '').join(' ');
    const isEnd = findAll(statement, 'StmtFlag').some(({ text }) => text.trim() === END_OF_LINE);
    if (isEnd) lines.push(line);
    if (isEnd) line = '';
  }
  return [...lines, line];
}

/** The cart's own reading, and the one that stands in the file, which a person may have confirmed. */
function readingsOf(root: XmlElement): readonly OthersReading[] {
  const [own, last] = [linesOf(find(root, 'OriginalDiagnosis')), linesOf(find(root, 'Diagnosis'))];
  return [
    { by: 'cart', statements: own },
    ...(last.join() === own.join() ? [] : [{ by: 'file' as const, statements: last }]),
  ];
}

function assemble(root: XmlElement, deviations: Deviations): ReadResult {
  const waveforms = findAll(root, 'Waveform');
  const rhythm = waveforms.find((one) => RHYTHM.test(textBelow(one, 'WaveformType')));
  if (rhythm === undefined)
    return waveforms.length === 0
      ? refused('no_ecg_record', 'The MUSE file holds no waveform.')
      : refused(
          'no_ecg_record',
          'The MUSE file holds the median beat alone, and no rhythm. Export it with its rhythm.',
        );
  const rate = rateOf(rhythm);
  if (rate === undefined) return refused('record_unreadable', 'The MUSE file does not tell its sample rate.');
  const channels = findAll(rhythm, 'LeadData').map((lead) => channelOf(lead, rate, deviations));
  const fault = channels.find((channel) => typeof channel === 'string');
  if (fault !== undefined) return refused('record_unreadable', `The MUSE file can't be read. ${fault}`);
  const leads = channels.filter((channel) => typeof channel !== 'string');
  const sampleCount = leads.reduce((most, lead) => Math.max(most, lead.sampleCount), 0);
  if (sampleCount === 0) return refused('record_unreadable', 'The MUSE file holds no samples.');
  return recordingOf(MUSE.name, {
    channels: leads,
    startTime: startOf(root),
    patient: patientOf(root),
    deviceId: enteredText(textBelow(find(root, 'TestDemographics'), 'AcquisitionDevice')),
    readings: readingsOf(root),
    deviations,
  });
}

export const MUSE: RecordFormat = {
  name: 'MUSE XML',
  detect: (head, source) => rootName(head, source) === ROOT,
  read: ({ source }) => readDocument(source, 'MUSE', assemble),
};
