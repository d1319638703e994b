// Section 12 of SCP-ECG version 3: a long recording, samples of all leads side by side. Formats reference,
// section 3.9.

import { type ByteSource, blockCached } from '../byte-source.ts';
import { type Interleaved, readInterleaved } from '../stored-channel.ts';
import { SECTION_HEADER_BYTES } from './scp-sections.ts';

const HEAD_BYTES = 70;
const LEAD_BYTES = 4;

export interface LongTermLead {
  readonly id: number;
  readonly nanovoltsPerUnit: number;
  read(startSample: number, target: Int32Array): void;
}

export interface LongTerm {
  readonly rateHz: number;
  readonly sampleCount: number;
  readonly leads: readonly LongTermLead[];
}

/** @returns the recording, or a sentence why it can't be had. */
export function readLongTerm(
  source: ByteSource,
  place: { readonly offsetBytes: number; readonly lengthBytes: number },
): LongTerm | string {
  const start = place.offsetBytes + SECTION_HEADER_BYTES;
  const head = source.read(start, HEAD_BYTES);
  if (head.length < HEAD_BYTES) return 'Its long recording is cut off.';
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const [rateHz, leadCount, stated, width] = [
    view.getUint32(0, true),
    view.getUint8(4),
    view.getUint32(5, true),
    view.getUint8(9),
  ];
  if (rateHz === 0 || leadCount === 0 || width < 1 || width > 4)
    return 'The description of its long recording cannot be.';
  const leadsAt = start + HEAD_BYTES + view.getUint32(62, true) + view.getUint32(66, true);
  const table = source.read(leadsAt, leadCount * LEAD_BYTES);
  if (table.length < leadCount * LEAD_BYTES) return 'Its long recording is cut off.';
  const dataAt = leadsAt + leadCount * LEAD_BYTES;
  const frameBytes = leadCount * width;
  const dataBytes = Math.min(source.sizeBytes, place.offsetBytes + place.lengthBytes) - dataAt;
  const sampleCount = Math.min(stated, Math.max(0, Math.floor(dataBytes / frameBytes)));
  const shift = 32 - 8 * width;
  const stored: Interleaved = {
    source: blockCached(source),
    startByte: dataAt,
    channels: leadCount,
    sampleCount,
    sampleBytes: width,
    decode(bytes, at) {
      let value = 0;
      for (let byte = width - 1; byte >= 0; byte--) value = (value << 8) | (bytes[at + byte] as number);
      return (value << shift) >> shift;
    },
  };
  const leads = Array.from(
    { length: leadCount },
    (_, lead): LongTermLead => ({
      id: table[lead * LEAD_BYTES] as number,
      nanovoltsPerUnit:
        (table[lead * LEAD_BYTES + 1] as number) | ((table[lead * LEAD_BYTES + 2] as number) << 8),
      read: (startSample, target) => readInterleaved(stored, lead, startSample, target),
    }),
  );
  return { rateHz, sampleCount, leads };
}
