// CardioSoft's XML of resting ECGs (`CardiologyXML`, GE CardioSoft 6 and 7) into a Recording, by public descriptions of exports: the
// rhythm lies in `StripData`, its numbers divided by commas; median beats stand elsewhere and are no recording.

import type { Channel, PatientFacts, StartTime } from '../../../shared/signal/recording.ts';
import { find, findAll, findBelow, type XmlElement } from '../../ground/xml-tree.ts';
import { decimalSamples } from '../decimal-samples.ts';
import type { Deviations } from '../deviations.ts';
import { type ReadResult, type RecordFormat, refused } from '../format.ts';
import { enteredText, genderOf, unmistakableDate, yearsOf } from '../patient-fields.ts';
import { parseIsoStart } from '../start-time.ts';
import { memoryChannel } from '../stored-channel.ts';
import { parseDecimal } from '../text-field.ts';
import { rootName } from '../xml/xml-text.ts';
import { type OthersReading, patientWith, readDocument, recordingOf, textBelow } from './cart-record.ts';

const ROOT = 'CardiologyXML';

/** Numbers between commas, with line breaks and tabs among them. */
export const numbersBetweenCommas = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word, i, { length }) => word !== '' || i < length - 1);

function channelOf(
  { attributes, text }: XmlElement,
  strip: XmlElement,
  hz: number,
  deviations: Deviations,
): Channel {
  const { lead: label = '' } = attributes;
  const resolution = find(strip, 'Resolution');
  const stepUv = parseDecimal(resolution?.text ?? '');
  const isInUv = /^uvperlsb$/i.test((resolution?.attributes.units ?? '').trim());
  const isCalibrated = isInUv && stepUv !== undefined && stepUv > 0;
  if (!isCalibrated) deviations.add('scale_unknown', { label });
  const { samples, stepsPerUnit } = decimalSamples(numbersBetweenCommas(text), label, deviations);
  return memoryChannel(label, {
    unit: 'uV',
    scale: (isCalibrated ? stepUv : 1) / stepsPerUnit,
    offset: 0,
    isCalibrated,
    rate: { samples: hz, seconds: 1 },
    samples,
  });
}

/** `1951-05-02` of elements for year, month and day. */
function dayOf(element: XmlElement | undefined): string {
  const part = (name: string): string => textBelow(element, name).padStart(2, '0');
  return `${part('Year')}-${part('Month')}-${part('Day')}`;
}

function startOf(root: XmlElement): StartTime | undefined {
  const element = find(root, 'ObservationDateTime');
  if (element === undefined) return undefined;
  const part = (name: string): string => textBelow(element, name).padStart(2, '0');
  return parseIsoStart(`${dayOf(element)}T${part('Hour')}:${part('Minute')}:${part('Second')}`);
}

function patientOf(root: XmlElement): PatientFacts {
  const person = find(root, 'PatientInfo');
  const text = (name: string): string | undefined => enteredText(textBelow(person, name));
  const years = parseDecimal(text('Age') ?? '');
  const ageUnit = person === undefined ? undefined : findBelow(person, 'Age')?.attributes.units;
  const height = person === undefined ? undefined : findBelow(person, 'Height');
  const isInCm = /^(cm|)$/i.test((height?.attributes.units ?? '').trim());
  const heightCm = isInCm ? parseDecimal(text('Height') ?? '') : undefined;
  return patientWith({
    id: text('PID'),
    firstName: text('GivenName'),
    lastName: text('FamilyName'),
    gender: genderOf(text('Gender') ?? ''),
    birthDate: unmistakableDate(dayOf(person === undefined ? undefined : findBelow(person, 'BirthDateTime'))),
    ageYears: years === undefined ? undefined : yearsOf(years, ageUnit),
    heightCm: heightCm !== undefined && heightCm > 0 && heightCm <= 300 ? Math.round(heightCm) : undefined,
  });
}

/** A diagnosis is of the cart; who wrote a conclusion is not told. */
function readingsOf(root: XmlElement): OthersReading[] {
  const interpretation = find(root, 'Interpretation');
  if (interpretation === undefined) return [];
  const texts = (group: string, name: string): string[] =>
    findAll(interpretation, group).flatMap((each) => findAll(each, name).map(({ text }) => text));
  return [
    { by: 'cart', statements: texts('Diagnosis', 'DiagnosisText') },
    { by: 'file', statements: texts('Conclusion', 'ConclusionText') },
  ];
}

function assemble(root: XmlElement, deviations: Deviations): ReadResult {
  const strip = findBelow(root, 'StripData');
  const waves = strip === undefined ? [] : findAll(strip, 'WaveformData');
  if (strip === undefined || waves.length === 0)
    return refused(
      'no_ecg_record',
      findBelow(root, 'FullDisclosure') === undefined
        ? 'The CardioSoft file holds no rhythm, but median beats or measurements alone. Export the ECG again with its strip.'
        : 'The CardioSoft file holds an exercise test, which is not read. Export the resting ECG.',
    );
  const hz = parseDecimal(textBelow(strip, 'SampleRate'));
  if (hz === undefined || hz <= 0)
    return refused('record_unreadable', 'The CardioSoft file does not tell its sample rate.');
  const channels = waves.map((wave) => channelOf(wave, strip, hz, deviations));
  const stated = parseDecimal(textBelow(strip, 'ChannelSampleCountTotal')) ?? 0;
  const shortest = Math.min(...channels.map(({ sampleCount }) => sampleCount));
  if (shortest === 0)
    return refused('record_unreadable', 'The CardioSoft file holds a lead without samples.');
  if (shortest < stated) deviations.add('truncated', { present: shortest, stated });
  return recordingOf(CARDIOSOFT.name, {
    channels,
    startTime: startOf(root),
    patient: patientOf(root),
    deviceId: undefined,
    readings: readingsOf(root),
    deviations,
  });
}

export const CARDIOSOFT: RecordFormat = {
  name: 'CardioSoft XML',
  detect: (head, source) => rootName(head, source) === ROOT,
  read: ({ source }) => readDocument(source, 'CardioSoft', assemble),
};
