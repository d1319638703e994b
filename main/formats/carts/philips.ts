// Philips' ECG XML (`restingecgdata`, Sierra ECG 1.03 and 1.04) into a Recording (facts from the public description in the wiki of
// sierra-ecg-tools and its samples).

import type { PatientFacts, SampleRate, StartTime } from '../../../shared/signal/recording.ts';
import { findAll, findBelow, type XmlElement } from '../../ground/xml-tree.ts';
import type { Deviations } from '../deviations.ts';
import { type ReadResult, type RecordFormat, refused } from '../format.ts';
import { enteredText, genderOf, unmistakableDate, yearsOf } from '../patient-fields.ts';
import { parseIsoStart } from '../start-time.ts';
import { memoryChannel } from '../stored-channel.ts';
import { parseDecimal } from '../text-field.ts';
import { rootName } from '../xml/xml-text.ts';
import {
  byCart,
  bytesOfBase64,
  patientWith,
  readDocument,
  recordingOf,
  samplesOf16,
  textBelow,
} from './cart-record.ts';
import { decodeXli } from './xli.ts';

const ROOT = 'restingecgdata';
const STANDARD = ['I', 'II', 'III', 'aVR', 'aVL', 'aVF', 'V1', 'V2', 'V3', 'V4', 'V5', 'V6'];
const MOST_LEADS = 128;
/** Ten minutes at 8 kHz, and more than any cart stores. */
const MOST_SAMPLES = 5_000_000;
/** Ways of recording in which the channels are the twelve leads in their order. */
const TWELVE_LEADS = new Set(['STD-12', '10-WIRE']);

interface Layout {
  readonly labels: readonly string[];
  readonly rate: SampleRate;
  readonly sampleCount: number;
  readonly scaleUv: number | undefined;
}

function layoutOf(root: XmlElement, waveforms: XmlElement): Layout | string {
  const { attributes } = waveforms;
  const signal = findBelow(root, 'signalcharacteristics');
  const hz = parseDecimal(attributes.samplespersecond ?? textBelow(signal, 'samplingrate'));
  const durationMs = parseDecimal(attributes.durationperchannel ?? '');
  if (hz === undefined || hz <= 0 || durationMs === undefined || durationMs <= 0)
    return 'It does not tell its sample rate or its length.';
  const named = (attributes.leadlabels ?? '').split(/\s+/).filter((label) => label !== '');
  const count = parseDecimal(attributes.numberofleads ?? textBelow(signal, 'numberchannelsallocated')) ?? 0;
  if (!Number.isInteger(count) || count < 0 || count > MOST_LEADS || named.length > MOST_LEADS)
    return `It states ${count || named.length} leads, which cannot be.`;
  const sampleCount = Math.round((durationMs * hz) / 1000);
  if (sampleCount > MOST_SAMPLES) return 'It states more samples than any cart records.';
  const isStandard = TWELVE_LEADS.has(textBelow(signal, 'acquisitiontype'));
  const labels =
    named.length > 0
      ? named.slice(0, count || named.length)
      : Array.from({ length: count }, (_, i) => (isStandard ? STANDARD[i] : undefined) ?? `Channel ${i + 1}`);
  return {
    labels,
    rate: { samples: hz, seconds: 1 },
    sampleCount,
    scaleUv: parseDecimal(
      attributes.resolution ?? (textBelow(signal, 'resolution') || textBelow(signal, 'signalresolution')),
    ),
  };
}

/** The samples of each lead, or a sentence why they can't be had. */
function samplesOf(waveforms: XmlElement, { labels, sampleCount }: Layout): readonly Int32Array[] | string {
  const { dataencoding = 'Base64', compressmethod, compression } = waveforms.attributes;
  const method = compressmethod ?? compression ?? 'Uncompressed';
  const bytes = /^base64$/i.test(dataencoding) ? bytesOfBase64(waveforms.text) : undefined;
  if (bytes === undefined) return `Its samples are encoded in a way ("${dataencoding}") that is not read.`;
  if (/^XLI$/i.test(method))
    return decodeXli(bytes, sampleCount) ?? 'Its compressed samples are cut off or changed.';
  if (!/^(uncompressed|none|)$/i.test(method))
    return `Its samples are compressed in a way ("${method}") that is not read.`;
  const all = samplesOf16(bytes);
  return labels.map((_, lead) => all.slice(lead * sampleCount, (lead + 1) * sampleCount));
}

function patientOf(root: XmlElement): PatientFacts {
  const person = findBelow(root, 'generalpatientdata');
  const text = (name: string): string | undefined => enteredText(textBelow(person, name));
  const years = parseDecimal(text('years') ?? '');
  return patientWith({
    id: text('patientid') ?? text('MRN'),
    firstName: text('firstname'),
    lastName: text('lastname'),
    gender: genderOf(text('sex') ?? ''),
    birthDate: unmistakableDate(text('dateofbirth') ?? ''),
    ageYears: years === undefined ? undefined : yearsOf(years),
  });
}

function startOf(root: XmlElement): StartTime | undefined {
  const { date, time } = findBelow(root, 'dataacquisition')?.attributes ?? {};
  return date === undefined || time === undefined ? undefined : parseIsoStart(`${date}T${time}`);
}

/** The statements that stand; editors mark those that they took out as deleted. */
function statementsOf(root: XmlElement): string[] {
  const interpretation = findBelow(root, 'interpretation');
  if (interpretation === undefined) return [];
  const plain = findAll(interpretation, 'statement').map((one) => textBelow(one, 'leftstatement'));
  const components = findBelow(interpretation, 'statementcomponents')?.children ?? [];
  const coded = components
    .filter(({ attributes }) => attributes.deleted !== 'True')
    .map((one) => textBelow(one, 'lhsstatement'));
  return plain.length > 0 ? plain : coded;
}

function assemble(root: XmlElement, deviations: Deviations): ReadResult {
  const waveforms = findBelow(root, 'parsedwaveforms');
  if (waveforms === undefined) return refused('no_ecg_record', 'The Philips file holds no rhythm.');
  const layout = layoutOf(root, waveforms);
  if (typeof layout === 'string')
    return refused('record_unreadable', `The Philips file can't be read. ${layout}`);
  const samples = samplesOf(waveforms, layout);
  if (typeof samples === 'string')
    return refused('record_unreadable', `The Philips file can't be read. ${samples}`);
  const { labels, rate, scaleUv } = layout;
  const own = samples.slice(0, labels.length || samples.length);
  const [longest, shortest] = own.reduce(
    ([most, least], { length }) => [Math.max(most, length), Math.min(least, length)],
    [0, Number.POSITIVE_INFINITY],
  );
  if (longest === 0) return refused('record_unreadable', 'The Philips file holds no samples.');
  if (shortest < layout.sampleCount)
    deviations.add('truncated', { present: shortest, stated: layout.sampleCount });
  const isCalibrated = scaleUv !== undefined && scaleUv > 0;
  // Some carts store empty channels behind those that they name.
  const channels = own.map((lead, i) =>
    memoryChannel(labels[i] ?? `Channel ${i + 1}`, {
      unit: 'uV',
      scale: isCalibrated ? scaleUv : 1,
      offset: 0,
      isCalibrated,
      rate,
      samples: lead.subarray(0, layout.sampleCount),
    }),
  );
  if (!isCalibrated) for (const { label } of channels) deviations.add('scale_unknown', { label });
  return recordingOf(PHILIPS.name, {
    channels,
    startTime: startOf(root),
    patient: patientOf(root),
    deviceId: enteredText(findBelow(root, 'machine')?.attributes.machineid),
    readings: byCart(statementsOf(root)),
    deviations,
  });
}

export const PHILIPS: RecordFormat = {
  name: 'Philips XML',
  detect: (head, source) => rootName(head, source) === ROOT,
  read: ({ source }) => readDocument(source, 'Philips', assemble),
};
