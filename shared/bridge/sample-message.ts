// Some milliseconds of a device's leads for the screens, as bytes: so they travel without copies of objects, and a page reads them without
// any. All little-endian. Layout after the screens reference, 5.3:
//
//   u32 "ISLB"   u8 version   u8 flags (bit 0 simulated)   u16 leads L   u32 samples n   u32 0
//   f64 number of the first sample   f64 arrival of the newest byte (ms, monotonic)   f64 rate in Hz
//   n × u8 state (bit 0 no value, bit 1 right behind a gap, bit 2 saturated), padded to four bytes
//   L × n f32 millivolts, lead after lead

import { INVALID_SAMPLE } from '../signal/recording.ts';

const MAGIC = 0x424c_5349;
const VERSION = 1;
const HEAD_BYTES = 40;

export const SAMPLE_STATE = { invalid: 1, afterGap: 2, saturated: 4 } as const;

export interface SamplePiece {
  readonly isSimulated: boolean;
  readonly firstSample: number;
  readonly arrivalMs: number;
  readonly rateHz: number;
  readonly states: Uint8Array;
  /** Millivolts, one array a lead. */
  readonly leads: readonly Float32Array[];
}

export interface SampleSource {
  readonly isSimulated: boolean;
  readonly firstSample: number;
  readonly arrivalMs: number;
  readonly rateHz: number;
  readonly lsbUv: number;
  readonly leads: readonly Int32Array[];
  readonly isAfterGap: boolean;
  readonly saturated: number;
}

const padded = (length: number): number => (length + 3) & ~3;

export function encodeSamples({
  isSimulated,
  firstSample,
  arrivalMs,
  rateHz,
  lsbUv,
  leads,
  isAfterGap,
  saturated,
}: SampleSource): Uint8Array {
  const count = leads[0]?.length ?? 0;
  const bytes = new Uint8Array(HEAD_BYTES + padded(count) + 4 * leads.length * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint8(4, VERSION);
  view.setUint8(5, isSimulated ? 1 : 0);
  view.setUint16(6, leads.length, true);
  view.setUint32(8, count, true);
  view.setFloat64(16, firstSample, true);
  view.setFloat64(24, arrivalMs, true);
  view.setFloat64(32, rateHz, true);
  const states = bytes.subarray(HEAD_BYTES, HEAD_BYTES + count);
  if (saturated !== 0) states.fill(SAMPLE_STATE.saturated);
  if (isAfterGap && count > 0) states[0] = (states[0] as number) | SAMPLE_STATE.afterGap;
  const mvPerStep = lsbUv / 1000;
  let at = HEAD_BYTES + padded(count);
  for (const lead of leads)
    for (let i = 0; i < count; i++, at += 4) {
      const step = lead[i] as number;
      if (step === INVALID_SAMPLE) states[i] = (states[i] as number) | SAMPLE_STATE.invalid;
      else view.setFloat32(at, step * mvPerStep, true);
    }
  return bytes;
}

/** Undefined for bytes that are no such message. */
export function decodeSamples(bytes: Uint8Array): SamplePiece | undefined {
  if (bytes.length < HEAD_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [leadCount, count] = [view.getUint16(6, true), view.getUint32(8, true)];
  const dataAt = HEAD_BYTES + padded(count);
  if (view.getUint32(0, true) !== MAGIC || view.getUint8(4) !== VERSION || bytes.length !== dataAt + 4 * leadCount * count)
    return undefined;
  const leads = Array.from({ length: leadCount }, (_, lead) => {
    const mv = new Float32Array(count);
    for (let i = 0; i < count; i++) mv[i] = view.getFloat32(dataAt + 4 * (lead * count + i), true);
    return mv;
  });
  return {
    isSimulated: (view.getUint8(5) & 1) !== 0,
    firstSample: view.getFloat64(16, true),
    arrivalMs: view.getFloat64(24, true),
    rateHz: view.getFloat64(32, true),
    states: bytes.slice(HEAD_BYTES, HEAD_BYTES + count),
    leads,
  };
}
