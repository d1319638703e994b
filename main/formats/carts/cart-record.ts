// What the readers of carts' XML files have in common: a document that is small enough to be held, samples in Base64, and what the cart
// said of the ECG, which stands beside our reading and is never mixed with it.

import { given } from '../../../shared/given.ts';
import {
  type Channel,
  type FileAnnotation,
  type PatientFacts,
  rateHz,
  type StartTime,
} from '../../../shared/signal/recording.ts';
import { findBelow, parseXml, type XmlElement } from '../../ground/xml-tree.ts';
import type { ByteSource } from '../byte-source.ts';
import { Deviations } from '../deviations.ts';
import { type ReadResult, refused } from '../format.ts';
import { decodeXml } from '../xml/xml-text.ts';

const MAX_BYTES = 128 * 2 ** 20;

/** Reads a document and gives its root to `assemble`. @param name of the format, for sentences */
export function readDocument(
  source: ByteSource,
  name: string,
  assemble: (root: XmlElement, deviations: Deviations) => ReadResult,
): ReadResult {
  if (source.sizeBytes > MAX_BYTES)
    return refused('record_unreadable', `The ${name} file is larger than ${MAX_BYTES} bytes.`);
  const deviations = new Deviations();
  const { text, isGuessed } = decodeXml(source.read(0, source.sizeBytes));
  if (isGuessed) deviations.add('letters_guessed');
  const root = parseXml(text.replace(/^\uFEFF/, ''));
  return typeof root === 'string'
    ? refused('record_unreadable', `The ${name} file can't be read. ${root}`)
    : assemble(root, deviations);
}

/** The text of the first element of a name below. */
export const textBelow = (element: XmlElement | undefined, name: string): string =>
  (element === undefined ? undefined : findBelow(element, name))?.text.trim() ?? '';

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/** @returns undefined where the text is no Base64 */
export const bytesOfBase64 = (text: string): Uint8Array | undefined =>
  BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;

/** Whole samples of 16 bits, the lowest byte first. */
export function samplesOf16(bytes: Uint8Array): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int32Array.from({ length: bytes.length >> 1 }, (_, i) => view.getInt16(2 * i, true));
}

/** What somebody else read of the recording before us. */
export interface OthersReading {
  /** The author of a reading in a file is often not told. */
  readonly by: 'cart' | 'watch' | 'file';
  readonly statements: readonly string[];
}

const REMARKS: { readonly [B in OthersReading['by']]: string } = {
  cart: 'Read by the cart',
  watch: 'Read by the watch',
  file: 'Reading in the file',
};
const MOST_SHOWN = 1000;

const written = ({ statements }: OthersReading): string[] =>
  statements.map((text) => text.trim()).filter((text) => text !== '');

export const byCart = (statements: readonly string[]): readonly OthersReading[] => [
  { by: 'cart', statements },
];

export const patientWith = (
  facts: {
    readonly [K in keyof PatientFacts]: PatientFacts[K] | undefined;
  },
): PatientFacts => given(facts);

/** A recording as all of these formats have it. */
export function recordingOf(
  format: string,
  facts: {
    readonly channels: readonly Channel[];
    readonly startTime: StartTime | undefined;
    readonly patient: PatientFacts;
    readonly deviceId: string | undefined;
    readonly readings: readonly OthersReading[];
    readonly deviations: Deviations;
  },
): ReadResult {
  const { channels, startTime, patient, deviceId, readings, deviations } = facts;
  // Whoever reads the recording sees them beside our findings; in files for others they are remarks.
  for (const reading of readings) {
    const text = written(reading).join('; ').slice(0, MOST_SHOWN);
    if (text !== '') deviations.add(`read_elsewhere.${reading.by}`, { text });
  }
  return {
    ok: true,
    recording: {
      format,
      channels,
      durationSeconds: channels.reduce(
        (most, { sampleCount, rate }) => Math.max(most, sampleCount / rateHz(rate)),
        0,
      ),
      ...given({ startTime, deviceId }),
      patient,
      annotations: readings.flatMap((reading) =>
        written(reading).map(
          (text): FileAnnotation => ({ onsetSeconds: 0, text: `${REMARKS[reading.by]}: ${text}` }),
        ),
      ),
      warnings: deviations.list,
    },
  };
}
