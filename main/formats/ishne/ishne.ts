// ISHNE Holter files, version 1.0. Layout: formats reference, section 7 (Badilini 1998, "The ISHNE Holter
// standard output file format").

import { civilDateMs } from '../../../shared/civil-time.ts';
import { identifyChannel } from '../../../shared/signal/channel-identity.ts';
import type { Channel, PatientFacts, StartTime } from '../../../shared/signal/recording.ts';
import { type ByteSource, blockCached } from '../byte-source.ts';
import { crcCcitt } from '../crc.ts';
import { Deviations } from '../deviations.ts';
import { type RecordFormat, refused } from '../format.ts';
import { type Interleaved, readInterleaved } from '../stored-channel.ts';
import { decodeField } from '../text-field.ts';

const MARK = 'ISHNE1.0';
const FIXED_END = 522;
const MAX_LEADS = 12;
const MAX_VARIABLE_BYTES = 1 << 24;
const MISSING = -32768;

const LEAD_LABELS: readonly string[] = [
  'unknown',
  'bipolar',
  ...[
    'X',
    'Y',
    'Z',
    'I',
    'II',
    'III',
    'aVR',
    'aVL',
    'aVF',
    'V1',
    'V2',
    'V3',
    'V4',
    'V5',
    'V6',
    'ES',
    'AS',
    'AI',
  ],
];

class Header {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  u16 = (at: number): number => this.#view.getUint16(at, true);
  i16 = (at: number): number => this.#view.getInt16(at, true);
  i32 = (at: number): number => this.#view.getInt32(at, true);
  text(at: number, width: number): string {
    const field = this.#bytes.subarray(at, at + width);
    const end = field.indexOf(0);
    return decodeField(end < 0 ? field : field.subarray(0, end)).text;
  }
  day = (at: number): number | undefined => civilDateMs(this.i16(at + 4), this.i16(at + 2), this.i16(at));
}

function patientOf(header: Header): PatientFacts {
  const [firstName, lastName, id] = [header.text(28, 40), header.text(68, 40), header.text(108, 20)];
  const sex = header.i16(128);
  const birthMs = header.day(132);
  return {
    ...(id !== '' && { id }),
    ...(firstName !== '' && { firstName }),
    ...(lastName !== '' && { lastName }),
    ...((sex === 1 || sex === 2) && { gender: sex === 1 ? ('MALE' as const) : ('FEMALE' as const) }),
    ...(birthMs !== undefined && { birthDate: new Date(birthMs).toISOString().slice(0, 10) }),
  };
}

function startOf(header: Header): StartTime | undefined {
  const dayMs = header.day(138);
  const [hour, minute, second] = [header.i16(150), header.i16(152), header.i16(154)];
  const isClock = hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59;
  return dayMs === undefined || !isClock
    ? undefined
    : { utcMs: dayMs + ((hour * 60 + minute) * 60 + second) * 1000, isZoneKnown: false };
}

function checkHeader(source: ByteSource, header: Header, deviations: Deviations): void {
  const end = FIXED_END + Math.max(0, Math.min(header.i32(10), MAX_VARIABLE_BYTES));
  if (crcCcitt(source.read(10, end - 10)) !== header.u16(8)) deviations.add('checksum.header');
}

export const ISHNE: RecordFormat = {
  name: 'ISHNE',

  detect: (head) => new TextDecoder('latin1').decode(head.subarray(0, MARK.length)) === MARK,

  read({ source }) {
    const bytes = source.read(0, FIXED_END);
    if (bytes.length < FIXED_END)
      return refused('record_unreadable', 'The ISHNE file ends inside its header.');
    const header = new Header(bytes);
    const deviations = new Deviations();
    checkHeader(source, header, deviations);
    const [leadCount, rateHz, startByte, stated] = [
      header.i16(156),
      header.i16(272),
      header.i32(22),
      header.i32(14),
    ];
    if (leadCount < 1 || leadCount > MAX_LEADS)
      return refused('record_unreadable', `The ISHNE file states ${leadCount} leads, which cannot be.`);
    if (rateHz < 1) return refused('record_unreadable', 'The ISHNE file does not tell its sample rate.');
    if (startByte < FIXED_END || startByte >= source.sizeBytes)
      return refused('record_unreadable', 'The ISHNE file holds no samples where it says they are.');
    // The stated number is often wrong, so the size of the file decides.
    const sampleCount = Math.floor((source.sizeBytes - startByte) / (2 * leadCount));
    // Some writers count the samples of all leads together.
    const isTotal = leadCount > 1 && stated === leadCount * sampleCount;
    if (stated > sampleCount && !isTotal) deviations.add('truncated', { present: sampleCount, stated });
    else if (stated !== sampleCount && !isTotal)
      deviations.add('sample_count', { stated, present: sampleCount });
    if (sampleCount === 0) return refused('record_unreadable', 'The ISHNE file holds no samples.');
    const stored: Interleaved = {
      source: blockCached(source),
      startByte,
      channels: leadCount,
      sampleCount,
      sampleBytes: 2,
      invalidCode: MISSING,
      decode: (data, at) => (((data[at + 1] as number) << 24) >> 16) | (data[at] as number),
    };
    const channels = Array.from({ length: leadCount }, (_, index): Channel => {
      const label = LEAD_LABELS[header.i16(158 + 2 * index)] ?? 'unknown';
      const nanovolts = header.i16(206 + 2 * index);
      if (nanovolts <= 0) deviations.add('scale_unknown', { label });
      return {
        ...identifyChannel(label, 'nV'),
        scale: nanovolts > 0 ? nanovolts : 1,
        offset: 0,
        isCalibrated: nanovolts > 0,
        rate: { samples: rateHz, seconds: 1 },
        sampleCount,
        read: (startSample, target) => readInterleaved(stored, index, startSample, target),
      };
    });
    const startTime = startOf(header);
    const deviceId = header.text(232, 40);
    return {
      ok: true,
      recording: {
        format: 'ISHNE',
        channels,
        durationSeconds: sampleCount / rateHz,
        ...(startTime !== undefined && { startTime }),
        patient: patientOf(header),
        ...(deviceId !== '' && { deviceId }),
        annotations: [],
        warnings: deviations.list,
      },
    };
  },
};
