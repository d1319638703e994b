// Schiller's XML for data exchange (SEMA, `…SchillerEDI`) into a Recording, by public readers of it: the rhythm is the `wavedata` whose
// type says so, averaged beats are others.

import type { Channel, PatientFacts, StartTime } from '../../../shared/signal/recording.ts';
import { mvPerUnit } from '../../../shared/signal/unit.ts';
import { find, findAll, findBelow, type XmlElement } from '../../ground/xml-tree.ts';
import { decimalSamples } from '../decimal-samples.ts';
import type { Deviations } from '../deviations.ts';
import { type ReadResult, type RecordFormat, refused } from '../format.ts';
import { enteredText, genderOf, unmistakableDate } from '../patient-fields.ts';
import { parseCompactStart } from '../start-time.ts';
import { memoryChannel } from '../stored-channel.ts';
import { parseDecimal } from '../text-field.ts';
import { rootName } from '../xml/xml-text.ts';
import { numbersBetweenCommas } from './cardiosoft.ts';
import { patientWith, readDocument, recordingOf, textBelow } from './cart-record.ts';

const ROOT = /(^|\.)SchillerEDI$/;
const RHYTHM = /^ecg_rhythms?$/i;

/** A number stands in an element, or in one of its own within it. */
const numberText = (element: XmlElement | undefined): string =>
  element === undefined ? '' : textBelow(element, 'value') || element.text.trim();

/** Millivolts of one step; undefined where the file does not settle it. */
function stepMv(resolution: XmlElement | undefined): number | undefined {
  const step = resolution === undefined ? undefined : find(resolution, 'yres');
  const value = parseDecimal(numberText(step));
  const unit = mvPerUnit(
    textBelow(step, 'units') || textBelow(step, 'unit') || (step?.attributes.units ?? ''),
  );
  return value === undefined || value <= 0 || unit === undefined ? undefined : value * unit;
}

function channelOf(element: XmlElement, hz: number, mv: number | undefined, deviations: Deviations): Channel {
  const label = textBelow(element, 'name');
  if (mv === undefined) deviations.add('scale_unknown', { label });
  const { samples, stepsPerUnit } = decimalSamples(
    numbersBetweenCommas(textBelow(element, 'data')),
    label,
    deviations,
  );
  return memoryChannel(label, {
    unit: 'mV',
    scale: (mv ?? 1) / stepsPerUnit,
    offset: 0,
    isCalibrated: mv !== undefined,
    rate: { samples: hz, seconds: 1 },
    samples,
  });
}

function patientOf(root: XmlElement): PatientFacts {
  const person = find(root, 'patdata');
  const text = (name: string): string | undefined => enteredText(textBelow(person, name));
  return patientWith({
    id: text('id'),
    firstName: text('firstname'),
    lastName: text('lastname'),
    gender: genderOf(text('gender') ?? ''),
    birthDate:
      unmistakableDate((text('birthdate') ?? '').slice(0, 10)) ??
      unmistakableDate((text('birthdate') ?? '').slice(0, 8)),
  });
}

function startOf(root: XmlElement): StartTime | undefined {
  const start = findBelow(root, 'startdatetime');
  const digits = (name: string): string => textBelow(start, name).replace(/\D/g, '');
  return parseCompactStart(`${digits('date').slice(0, 8)}${digits('time').slice(0, 6)}`);
}

function assemble(root: XmlElement, deviations: Deviations): ReadResult {
  const waves = (findBelow(root, 'eventdata')?.children ?? []).flatMap((event) => findAll(event, 'wavedata'));
  const rhythms = waves.filter((wave) => RHYTHM.test(textBelow(wave, 'type')));
  const [rhythm] = rhythms;
  if (rhythm === undefined)
    return refused(
      'no_ecg_record',
      'The Schiller file holds no rhythm, but averaged beats or measurements alone. Export the ECG again with its rhythm.',
    );
  const resolution = find(rhythm, 'resolution');
  const hz = parseDecimal(numberText(resolution === undefined ? undefined : find(resolution, 'samplerate')));
  if (hz === undefined || hz <= 0)
    return refused('record_unreadable', 'The Schiller file does not tell its sample rate.');
  const leads = findAll(rhythm, 'channel');
  const other = leads
    .map((lead) => textBelow(lead, 'datastype'))
    .find((type) => !/^(commaseparated?|)$/i.test(type));
  if (other !== undefined)
    return refused(
      'record_unreadable',
      `The Schiller file stores its samples in a way ("${other}") that is not read.`,
    );
  if (rhythms.length > 1) deviations.add('rhythms_left_out', { count: rhythms.length - 1 });
  const mv = stepMv(resolution);
  const channels = leads
    .map((lead) => channelOf(lead, hz, mv, deviations))
    .filter(({ sampleCount }) => sampleCount > 0);
  if (channels.length === 0) return refused('record_unreadable', 'The Schiller file holds no samples.');
  const device = findBelow(root, 'aquiringdevice') ?? findBelow(root, 'acquiringdevice');
  return recordingOf(SCHILLER.name, {
    channels,
    startTime: startOf(root),
    patient: patientOf(root),
    deviceId: enteredText(textBelow(device, 'model')),
    readings: [],
    deviations,
  });
}

export const SCHILLER: RecordFormat = {
  name: 'Schiller XML',
  detect: (head, source) => ROOT.test(rootName(head, source) ?? ''),
  read: ({ source }) => readDocument(source, 'Schiller', assemble),
};
