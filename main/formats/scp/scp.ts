// SCP-ECG, versions 1 to 3, into a Recording. Formats reference, section 3 (EN 1064, ISO 11073-91064).

import { identifyChannel } from '../../../shared/signal/channel-identity.ts';
import type { Channel, SampleRate } from '../../../shared/signal/recording.ts';
import type { ByteSource } from '../byte-source.ts';
import { Deviations } from '../deviations.ts';
import { type RecordFormat, refused } from '../format.ts';
import { readFromArray } from '../stored-channel.ts';
import { parseHuffmanTables } from './scp-huffman.ts';
import { scpLeadName } from './scp-lead-names.ts';
import { type LongTerm, readLongTerm } from './scp-long-term.ts';
import { readScpFacts } from './scp-patient.ts';
import { parseLeadTable, readRhythm, type ScpRhythm } from './scp-rhythm.ts';
import { isHealforce, isScp, readSections, type ScpSections } from './scp-sections.ts';

const PATIENT = 1;
const HUFFMAN = 2;
const LEADS = 3;
const BEATS = 4;
const REFERENCE_BEAT = 5;
const RHYTHM = 6;
const MICROSECONDS = 1_000_000;

function namedChannel(
  id: number,
  rest: Pick<Channel, 'scale' | 'isCalibrated' | 'rate' | 'sampleCount' | 'read'>,
): Channel {
  return { ...identifyChannel(scpLeadName(id), 'nV'), offset: 0, ...rest };
}

function rhythmChannels({ leads, intervalUs, isCalibrated }: ScpRhythm): Channel[] {
  const rate: SampleRate = { samples: MICROSECONDS / intervalUs, seconds: 1 };
  return leads.map(({ id, samples }) =>
    namedChannel(id, {
      scale: 1,
      isCalibrated,
      rate: Number.isInteger(rate.samples) ? rate : { samples: MICROSECONDS, seconds: intervalUs },
      sampleCount: samples.length,
      read: (startSample, target) => readFromArray(samples, startSample, target),
    }),
  );
}

function longTermChannels({ leads, rateHz, sampleCount }: LongTerm): Channel[] {
  return leads.map(({ id, nanovoltsPerUnit, read }) =>
    namedChannel(id, {
      scale: nanovoltsPerUnit === 0 ? 1 : nanovoltsPerUnit,
      isCalibrated: nanovoltsPerUnit > 0,
      rate: { samples: rateHz, seconds: 1 },
      sampleCount,
      read,
    }),
  );
}

function readChannels(sections: ScpSections, source: ByteSource, deviations: Deviations): Channel[] | string {
  const rhythm = sections.get(RHYTHM);
  if (rhythm === undefined) {
    if (sections.longTerm === undefined) return 'It holds no rhythm.';
    const longTerm = readLongTerm(source, sections.longTerm);
    return typeof longTerm === 'string' ? longTerm : longTermChannels(longTerm);
  }
  const leadTable = parseLeadTable(sections.get(LEADS)?.body ?? new Uint8Array(0));
  if (leadTable === undefined) return 'It does not tell its leads.';
  const huffmanSection = sections.get(HUFFMAN);
  const huffman = huffmanSection === undefined ? undefined : parseHuffmanTables(huffmanSection.body);
  if (huffmanSection !== undefined && huffman === undefined) return 'Its table of codes cannot be used.';
  const read = readRhythm(
    {
      leadTable,
      huffman,
      beats: sections.get(BEATS)?.body,
      reference: sections.get(REFERENCE_BEAT)?.body,
      rhythm: rhythm.body,
    },
    deviations,
  );
  return typeof read === 'string' ? read : rhythmChannels(read);
}

export const SCP: RecordFormat = {
  name: 'SCP-ECG',

  detect: (head, source) => isScp(head, source) || isHealforce(head, source),

  read({ source }) {
    if (isHealforce(source.read(0, 64), source))
      return refused(
        'unsupported_format',
        'The file is a Healforce variant of SCP-ECG, which is laid out otherwise and is not read.',
      );
    const deviations = new Deviations();
    const sections = readSections(source, deviations);
    const channels = readChannels(sections, source, deviations);
    if (typeof channels === 'string')
      return refused('record_unreadable', `The SCP-ECG file can't be read. ${channels}`);
    const sampleCount = Math.max(...channels.map((channel) => channel.sampleCount));
    if (sampleCount === 0) return refused('record_unreadable', 'The SCP-ECG file holds no samples.');
    if (channels.some((channel) => !channel.isCalibrated)) deviations.add('scale_unknown.file');
    const facts = readScpFacts(sections.get(PATIENT)?.body, deviations);
    const { samples, seconds } = (channels[0] as Channel).rate;
    return {
      ok: true,
      recording: {
        format: 'SCP-ECG',
        channels,
        durationSeconds: (sampleCount * seconds) / samples,
        ...(facts.startTime !== undefined && { startTime: facts.startTime }),
        patient: facts.patient,
        ...(facts.deviceId !== undefined && { deviceId: facts.deviceId }),
        annotations: [],
        warnings: deviations.list,
      },
    };
  },
};
