// Mortara (Burdick, Baxter, Hillrom) XML (`ECG` with channels as attributes) into a Recording, by public exports of ELI carts.

import type { Channel, PatientFacts, StartTime } from '../../../shared/signal/recording.ts';
import { find, findAll, findBelow, type XmlElement } from '../../ground/xml-tree.ts';
import type { Deviations } from '../deviations.ts';
import { type ReadResult, type RecordFormat, refused } from '../format.ts';
import { enteredText, genderOf, unmistakableDate, yearsOf } from '../patient-fields.ts';
import { parseCompactStart, parseIsoStart } from '../start-time.ts';
import { memoryChannel } from '../stored-channel.ts';
import { parseDecimal } from '../text-field.ts';
import { rootName } from '../xml/xml-text.ts';
import { byCart, bytesOfBase64, patientWith, readDocument, recordingOf, samplesOf16 } from './cart-record.ts';

const ROOT = 'ECG';

function channelOf({ attributes }: XmlElement, deviations: Deviations): Channel | string {
  const { NAME: label = '', ENCODING = 'BASE64', BITS = '16', FORMAT = 'SIGNED' } = attributes;
  const hz = parseDecimal(attributes.SAMPLE_FREQ ?? '');
  const perMv = parseDecimal(attributes.UNITS_PER_MV ?? '');
  if (!/^base64$/i.test(ENCODING) || BITS !== '16' || !/^signed$/i.test(FORMAT))
    return `The samples of lead "${label}" are stored in a way (${BITS} bits, ${FORMAT}, ${ENCODING}) that is not read.`;
  if (hz === undefined || hz <= 0) return `Lead "${label}" does not tell its sample rate.`;
  const bytes = bytesOfBase64(attributes.DATA ?? '');
  if (bytes === undefined || bytes.length < 2) return `The samples of lead "${label}" cannot be read.`;
  const isCalibrated = perMv !== undefined && perMv > 0;
  if (!isCalibrated) deviations.add('scale_unknown', { label });
  const zero = parseDecimal(attributes.OFFSET ?? '0') ?? 0;
  return memoryChannel(label, {
    unit: 'mV',
    scale: isCalibrated ? 1 / perMv : 1,
    offset: isCalibrated ? -zero / perMv : 0,
    isCalibrated,
    rate: { samples: hz, seconds: 1 },
    samples: samplesOf16(bytes),
  });
}

function patientOf(root: XmlElement): PatientFacts {
  const facts = find(root, 'SUBJECT')?.attributes ?? {};
  const text = (name: string): string | undefined => enteredText(facts[name]);
  const age = parseDecimal(text('AGE') ?? '');
  return patientWith({
    id: text('ID') ?? text('SUBJECT_ID'),
    firstName: text('FIRST_NAME'),
    lastName: text('LAST_NAME'),
    gender: genderOf(text('GENDER') ?? text('SEX') ?? ''),
    birthDate: unmistakableDate(text('DOB_EX') ?? text('DOB') ?? ''),
    ageYears: age === undefined ? undefined : yearsOf(age, text('AGE_UNITS')),
  });
}

function startOf({ attributes }: XmlElement): StartTime | undefined {
  const { ACQUISITION_TIME_XML: iso = '', ACQUISITION_TIME: compact = '' } = attributes;
  return parseIsoStart(iso) ?? parseCompactStart(compact);
}

function statementsOf(root: XmlElement): string[] {
  const interpretation = findBelow(root, 'AUTOMATIC_INTERPRETATION') ?? findBelow(root, 'INTERPRETATION');
  if (interpretation === undefined) return [];
  return findAll(interpretation, 'STATEMENT').map(
    ({ attributes, text }) => attributes.TEXT ?? attributes.STATEMENT ?? text,
  );
}

function assemble(root: XmlElement, deviations: Deviations): ReadResult {
  const channels = findAll(root, 'CHANNEL').map((element) => channelOf(element, deviations));
  if (channels.length === 0) return refused('no_ecg_record', 'The Mortara file holds no rhythm.');
  const fault = channels.find((channel) => typeof channel === 'string');
  if (fault !== undefined) return refused('record_unreadable', `The Mortara file can't be read. ${fault}`);
  const leads = channels.filter((channel) => typeof channel !== 'string');
  return recordingOf(MORTARA.name, {
    channels: leads,
    startTime: startOf(root),
    patient: patientOf(root),
    deviceId: enteredText(find(root, 'SOURCE')?.attributes.ID),
    readings: byCart(statementsOf(root)),
    deviations,
  });
}

export const MORTARA: RecordFormat = {
  name: 'Mortara XML',
  detect: (head, source) => rootName(head, source) === ROOT,
  read: ({ source }) => readDocument(source, 'Mortara', assemble),
};
