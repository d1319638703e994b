// Writes an EDF+C file of ECG leads that share one whole-numbered rate. Layout: formats reference, sections 1.1, 1.3 and 1.6.

import { assert } from '../../../shared/assert.ts';
import { monthLetters } from '../../../shared/civil-time.ts';
import { type LeadCode, leadName } from '../../../shared/signal/lead.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';

export interface EdfSource {
  readonly sampleRateHz: number;
  readonly leads: readonly LeadCode[];
  /** Microvolts, one array a lead, all of one length. */
  readonly samplesUv: readonly ArrayLike<number>[];
  /** Microvolts per least significant bit. */
  readonly resolutionUv: number;
  readonly startTimeMs: number;
  readonly patient: PatientFacts;
  readonly deviceId?: string;
}

const ANNOTATION_BYTES = 64;
const two = (value: number): string => String(value).padStart(2, '0');
const edfDate = (date: Date): string =>
  `${two(date.getUTCDate())}-${monthLetters(date.getUTCMonth() + 1).toUpperCase()}-${date.getUTCFullYear()}`;

/** One blank-separated part of an EDF+ field: blanks become `_`, what is not printable ASCII becomes `_`, nothing becomes X. */
const part = (text: string | undefined): string => (text === undefined || text === '' ? 'X' : text.replace(/[^\x21-\x7e]/g, '_'));

function patientField(patient: PatientFacts): string {
  const sex = patient.gender === 'FEMALE' ? 'F' : patient.gender === 'MALE' ? 'M' : 'X';
  const birth = patient.birthDate === undefined ? 'X' : edfDate(new Date(`${patient.birthDate}T00:00:00Z`));
  const name = [patient.lastName, patient.firstName].filter((word) => word !== undefined && word !== '').join(', ');
  return `${part(patient.id)} ${sex} ${birth} ${part(name)}`;
}

function padded(text: string, width: number): string {
  assert(text.length <= width, `"${text}" fits into ${width} characters`);
  return text.padEnd(width);
}

/** @returns the bytes of the file; a last second that is not full is filled up with its last sample. */
export function writeEdf(source: EdfSource): Uint8Array {
  const { leads, sampleRateHz, samplesUv, resolutionUv } = source;
  assert(Number.isInteger(sampleRateHz), 'the rate is a whole number, so that a record of one second holds whole samples');
  const sampleCount = samplesUv[0]?.length ?? 0;
  const recordCount = Math.ceil(sampleCount / sampleRateHz);
  const signalCount = leads.length + 1;
  const start = new Date(source.startTimeMs);
  const isoTime = `${two(start.getUTCHours())}.${two(start.getUTCMinutes())}.${two(start.getUTCSeconds())}`;
  const each = (text: (index: number) => string, width: number, annotation: string): string =>
    leads.map((_, index) => padded(text(index), width)).join('') + padded(annotation, width);
  const limit = (digital: number): string => String(digital * resolutionUv);
  const header = [
    padded('0', 8),
    padded(patientField(source.patient).slice(0, 80), 80),
    padded(`Startdate ${edfDate(start)} X X ${part(source.deviceId)}`, 80),
    padded(`${two(start.getUTCDate())}.${two(start.getUTCMonth() + 1)}.${two(start.getUTCFullYear() % 100)}`, 8),
    padded(isoTime, 8),
    padded(String(256 * (signalCount + 1)), 8),
    padded('EDF+C', 44),
    padded(String(recordCount), 8),
    padded('1', 8),
    padded(String(signalCount), 4),
    each((index) => `ECG ${leadName(leads[index] as LeadCode)}`, 16, 'EDF Annotations'),
    each(() => '', 80, ''),
    each(() => 'uV', 8, ''),
    each(() => limit(-32768), 8, '-1'),
    each(() => limit(32767), 8, '1'),
    each(() => '-32768', 8, '-32768'),
    each(() => '32767', 8, '32767'),
    each(() => '', 80, ''),
    each(() => String(sampleRateHz), 8, String(ANNOTATION_BYTES / 2)),
    each(() => '', 32, ''),
  ].join('');
  const recordBytes = 2 * leads.length * sampleRateHz + ANNOTATION_BYTES;
  const bytes = new Uint8Array(header.length + recordCount * recordBytes);
  const view = new DataView(bytes.buffer);
  const text = new TextEncoder();
  text.encodeInto(header, bytes);
  for (let record = 0; record < recordCount; record++) {
    let at = header.length + record * recordBytes;
    for (const samples of samplesUv) {
      for (let i = 0; i < sampleRateHz; i++, at += 2) {
        const uv = samples[Math.min(record * sampleRateHz + i, sampleCount - 1)] as number;
        view.setInt16(at, Math.max(-32768, Math.min(32767, Math.round(uv / resolutionUv))), true);
      }
    }
    text.encodeInto(`+${record}\u0014\u0014`, bytes.subarray(at));
  }
  return bytes;
}
