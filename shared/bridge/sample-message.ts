// Some milliseconds of a device's leads for the screens, as bytes: so they travel without copies of objects,
// and a page reads them without any. All little-endian. Layout after the screens reference, 5.3:
//
//   u32 "ISLB"   u8 version   u8 flags (bit 0 simulated, bit 1 right behind a gap)   u16 leads L   u32 samples n
//   u32 mask of leads at a limit of the converter
//   f64 number of the first sample   f64 arrival of the newest byte (ms, monotonic)   f64 rate in Hz
//   L × n f32 millivolts, lead after lead; NaN where a lead has no value

import { INVALID_SAMPLE } from '../signal/recording.ts';

const MAGIC = 0x424c_5349;
const VERSION = 2;
const HEAD_BYTES = 40;

const FLAG = { isSimulated: 1, isAfterGap: 2 } as const;

export interface SamplePiece {
  readonly isSimulated: boolean;
  readonly firstSample: number;
  readonly arrivalMs: number;
  readonly rateHz: number;
  readonly isAfterGap: boolean;
  /** Bits of leads of which something in here is at a limit of the converter. */
  readonly saturated: number;
  /** Millivolts, one array a lead; NaN where there is no value. */
  readonly leads: readonly Float32Array[];
}

export interface SampleSource extends Omit<SamplePiece, 'leads'> {
  readonly lsbUv: number;
  /** Steps, one array a lead. */
  readonly leads: readonly Int32Array[];
}

export function encodeSamples(source: SampleSource): Uint8Array {
  const { leads, lsbUv } = source;
  const count = leads[0]?.length ?? 0;
  const bytes = new Uint8Array(HEAD_BYTES + 4 * leads.length * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint8(4, VERSION);
  view.setUint8(5, (source.isSimulated ? FLAG.isSimulated : 0) | (source.isAfterGap ? FLAG.isAfterGap : 0));
  view.setUint16(6, leads.length, true);
  view.setUint32(8, count, true);
  view.setUint32(12, source.saturated, true);
  view.setFloat64(16, source.firstSample, true);
  view.setFloat64(24, source.arrivalMs, true);
  view.setFloat64(32, source.rateHz, true);
  const mvPerStep = lsbUv / 1000;
  let at = HEAD_BYTES;
  for (const lead of leads)
    for (let i = 0; i < count; i++, at += 4) {
      const step = lead[i] as number;
      view.setFloat32(at, step === INVALID_SAMPLE ? Number.NaN : step * mvPerStep, true);
    }
  return bytes;
}

/** Undefined for bytes that are no such message. */
export function decodeSamples(bytes: Uint8Array): SamplePiece | undefined {
  if (bytes.length < HEAD_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [leadCount, count] = [view.getUint16(6, true), view.getUint32(8, true)];
  if (
    view.getUint32(0, true) !== MAGIC ||
    view.getUint8(4) !== VERSION ||
    bytes.length !== HEAD_BYTES + 4 * leadCount * count
  )
    return undefined;
  // Copied once, to where numbers may stand; every machine that this runs on is little-endian.
  const numbers = new Float32Array(bytes.slice(HEAD_BYTES).buffer);
  const flags = view.getUint8(5);
  return {
    isSimulated: (flags & FLAG.isSimulated) !== 0,
    isAfterGap: (flags & FLAG.isAfterGap) !== 0,
    saturated: view.getUint32(12, true),
    firstSample: view.getFloat64(16, true),
    arrivalMs: view.getFloat64(24, true),
    rateHz: view.getFloat64(32, true),
    leads: Array.from({ length: leadCount }, (_, lead) => numbers.subarray(lead * count, (lead + 1) * count)),
  };
}
