// Time-stamped annotation lists (TAL) of EDF+. Grammar: formats reference, section 1.4.

import type { FileAnnotation } from '../../../shared/signal/recording.ts';
import { decodeField } from '../text-field.ts';

const END = 0x00;
const TEXT_MARK = 0x14;
const DURATION_MARK = 0x15;
/** The standard wants a sign and a point; writers leave out the one, and put a comma for the other. */
const ONSET = /^[+-]?\d+([.,]\d*)?$/;
const DURATION = /^\d+([.,]\d*)?$/;

const secondsOf = (text: string): number => Number(text.replace(',', '.'));

export interface RecordAnnotations {
  /** Start of the data record in seconds after the file's start, from its time-keeping entry. */
  readonly recordOnsetSeconds: number | undefined;
  readonly annotations: readonly FileAnnotation[];
  readonly malformed: number;
}

const LATIN_1 = new TextDecoder('latin1');

/** The texts of an entry, each of which ends with a mark. */
function partsOf(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let start = 0, end = bytes.indexOf(TEXT_MARK); end >= 0; end = bytes.indexOf(TEXT_MARK, start)) {
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return parts;
}

function parseEntry(
  entry: Uint8Array,
): { onsetSeconds: number; texts: string[]; durationSeconds: number | undefined } | undefined {
  const textStart = entry.indexOf(TEXT_MARK);
  if (textStart < 0) return undefined;
  const stamp = entry.subarray(0, textStart);
  const durationStart = stamp.indexOf(DURATION_MARK);
  const onset = LATIN_1.decode(durationStart < 0 ? stamp : stamp.subarray(0, durationStart)).trim();
  const duration = durationStart < 0 ? '' : LATIN_1.decode(stamp.subarray(durationStart + 1)).trim();
  if (!ONSET.test(onset)) return undefined;
  const texts = partsOf(entry.subarray(textStart + 1)).map((part) => decodeField(part).text);
  return {
    onsetSeconds: secondsOf(onset),
    texts,
    durationSeconds: DURATION.test(duration) ? secondsOf(duration) : undefined,
  };
}

/**
 * All entries of one annotation signal within one data record; entries that can't be read are counted and
 * skipped.
 */
export function parseRecordAnnotations(bytes: Uint8Array, isTimeKeeper: boolean): RecordAnnotations {
  const annotations: FileAnnotation[] = [];
  let recordOnsetSeconds: number | undefined;
  let malformed = 0;
  let start = 0;
  while (start < bytes.length && bytes[start] !== END) {
    const found = bytes.indexOf(END, start);
    const end = found < 0 ? bytes.length : found;
    const entry = parseEntry(bytes.subarray(start, end));
    if (entry === undefined) malformed++;
    else {
      const isFirst = start === 0 && isTimeKeeper;
      if (isFirst) recordOnsetSeconds = entry.onsetSeconds;
      for (const text of entry.texts) {
        if (text === '') continue;
        annotations.push({
          onsetSeconds: entry.onsetSeconds,
          text,
          ...(entry.durationSeconds !== undefined && { durationSeconds: entry.durationSeconds }),
        });
      }
    }
    start = end + 1;
    while (start < bytes.length && bytes[start] === END) start++;
  }
  return { recordOnsetSeconds, annotations, malformed };
}
