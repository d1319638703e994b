// Bytes through a driver's parser in pieces of a chosen size, to what a recording would hold of them.

import type { DeviceFormat } from '../../main/device/device-format.ts';
import type { Driver, Variant } from '../../main/device/driver.ts';
import { findDriver } from '../../main/device/drivers/drivers.ts';
import { type SampleGap, SamplePlacer } from '../../main/device/link/sample-placer.ts';
import type { PacketEvent } from '../../main/device/packets/packet-output.ts';
import { INVALID_SAMPLE } from '../../shared/signal/recording.ts';

export interface Parsed {
  readonly columns: readonly Int32Array[];
  /** Number of each sample, lost ones counted. */
  readonly numbers: readonly number[];
  readonly gaps: readonly SampleGap[];
  readonly events: readonly (PacketEvent & { readonly sample: number })[];
  readonly rejectedBytes: number;
  readonly format: DeviceFormat | undefined;
}

/** Lengths of the pieces, one after the other. */
export type Pieces = () => number;
export const whole: Pieces = () => Number.MAX_SAFE_INTEGER;
export const bytewise: Pieces = () => 1;
export const randomly =
  (random: () => number, most = 200): Pieces =>
  () =>
    1 + Math.floor(random() * most);

export function variantOf(driverName: string, variantId?: string): { driver: Driver; variant: Variant } {
  const driver = findDriver(driverName);
  const variant = driver.variants.find(({ id }) => id === variantId) ?? driver.variants[0];
  if (variant === undefined) throw new Error(`${driverName} has no variants`);
  return { driver, variant };
}

export function parse(
  driverName: string,
  variantId: string | undefined,
  bytes: Uint8Array,
  pieces: Pieces = whole,
): Parsed {
  const { driver, variant } = variantOf(driverName, variantId);
  const parser = driver.createParser(variant);
  const placer = new SamplePlacer({ rateHz: variant.format?.rateHz || 250, packets: variant.packets });
  const parts: (readonly Int32Array[])[] = [];
  const numbers: number[] = [];
  const gaps: SampleGap[] = [];
  const events: (PacketEvent & { sample: number })[] = [];
  let format = variant.format;
  const collect = (): void => {
    format = parser.out.format ?? format;
    for (const batch of placer.take(parser.out, undefined)) {
      if (batch.gap !== undefined) gaps.push(batch.gap);
      parts.push(batch.columns);
      for (let i = 0; i < batch.count; i++) numbers.push(batch.firstSample + i);
      events.push(...batch.events);
    }
  };
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + pieces());
    parser.push(bytes.subarray(at, end));
    collect();
    at = end;
  }
  parser.flush();
  collect();
  const channels = Math.max(0, ...parts.map(({ length }) => length));
  const columns = Array.from({ length: channels }, (_, channel) => {
    const column = new Int32Array(parts.reduce((sum, part) => sum + (part[channel]?.length ?? 0), 0));
    let at = 0;
    for (const part of parts) {
      column.set(part[channel] ?? new Int32Array(0), at);
      at += part[channel]?.length ?? 0;
    }
    return column;
  });
  return { columns, numbers, gaps, events, rejectedBytes: parser.rejectedBytes, format };
}

export const columnSums = (columns: readonly Int32Array[]): number[] =>
  columns.map((column) => column.reduce((sum, code) => sum + (code === INVALID_SAMPLE ? 0 : code), 0));
