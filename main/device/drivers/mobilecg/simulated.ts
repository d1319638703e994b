// A simulated MobilECG II.

import { measuring } from '../../simulator/channels.ts';
import type { SimulatedProtocol } from '../../simulator/simulated-device.ts';
import { MOBILECG } from './driver.ts';
import { mobilecgFormat } from './format.ts';

const RATE_HZ = 488.28125;
const LSB_UV = 4.57764;
const SAMPLES = 80;
const CHANNELS = 8;
const HEAD_BYTES = 14;
const FACTS_BYTES = 17;

class BitSink {
  readonly bytes: number[] = [];
  length = 0;
  write(value: number, bits: number): void {
    for (let i = 0; i < bits; i++, this.length++) {
      if (this.length % 8 === 0) this.bytes.push(0);
      const last = this.bytes.length - 1;
      this.bytes[last] = (this.bytes[last] as number) | (((value >> i) & 1) << (this.length % 8));
    }
  }
}

/** @param columns one array a channel. */
function packMobilecg(columns: readonly Int32Array[], id: number, lsbUv: number, rateHz: number): Uint8Array {
  const samples = columns[0]?.length ?? 0;
  const sink = new BitSink();
  const last = columns.map(() => 0);
  for (let i = 0; i < samples; i++)
    for (const [channel, column] of columns.entries()) {
      const value = column[i] as number;
      const difference = value - (last[channel] as number);
      if (difference >= -128 && difference <= 127) sink.write((difference & 0xff) << 1, 9);
      else sink.write(((value & 0x7ffff) << 1) | 1, 20);
      last[channel] = value;
    }
  const payloadBytes = FACTS_BYTES + sink.bytes.length;
  const bytes = new Uint8Array(HEAD_BYTES + payloadBytes + 2);
  const view = new DataView(bytes.buffer);
  bytes.set([0x44, 0x41, 0x54, 0x41]);
  view.setUint16(4, payloadBytes, true);
  view.setUint32(8, id, true);
  bytes[13] = -bytes.subarray(0, 13).reduce((sum, byte) => sum + byte, 0);
  view.setUint8(HEAD_BYTES, columns.length);
  view.setUint32(HEAD_BYTES + 1, samples, true);
  view.setUint32(HEAD_BYTES + 5, sink.length, true);
  view.setFloat32(HEAD_BYTES + 9, lsbUv / 1000, true);
  view.setFloat32(HEAD_BYTES + 13, rateHz, true);
  bytes.set(sink.bytes, HEAD_BYTES + FACTS_BYTES);
  const sum = bytes.subarray(HEAD_BYTES, HEAD_BYTES + payloadBytes).reduce((total, byte) => total + byte, 0);
  view.setUint16(HEAD_BYTES + payloadBytes, -sum & 0xffff, true);
  return bytes;
}

export function simulatedMobilecg(): SimulatedProtocol {
  const format = mobilecgFormat(CHANNELS, LSB_UV, RATE_HZ);
  return {
    driver: MOBILECG.id,
    variant: 'mobilecg',
    rateHz: RATE_HZ,
    samplesPerPacket: SAMPLES,
    channels: measuring(format.channels, ['V6', 'I', 'II', 'V2', 'V3', 'V4', 'V5', 'V1']),
    highPassHz: 0,
    lowPassHz: format.lowPassHz,
    streamsAtOnce: true,
    encode: (columns, { packet }) => packMobilecg(columns, packet, LSB_UV, RATE_HZ),
  };
}
