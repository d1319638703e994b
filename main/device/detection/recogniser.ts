// Listens to an unknown device with all parsers at once, and says whose packets these are (device protocols
// reference, 1.4).

import type { DeviceFormat } from '../device-format.ts';
import type { Driver, Variant } from '../driver.ts';
import type { PacketParser } from '../packets/packet-parser.ts';

/** A driver is believed when its packets come at a rate that it declares, give or take. */
const RATE_TOLERANCE = 0.2;
const RATE_WINDOW_MS = 1000;
/** Packets with samples, without the device having told what it is. */
const ENOUGH_DATA = 3;

export interface Recognised {
  readonly driver: Driver;
  readonly variant: Variant;
  /** Others of the driver that the same packets fit. */
  readonly alternatives: readonly Variant[];
  readonly format: DeviceFormat | undefined;
}

interface Ear {
  readonly driver: Driver;
  readonly variant: Variant;
  readonly parser: PacketParser;
  format: DeviceFormat | undefined;
  firstMs: number;
  firstPackets: number;
  lastMs: number;
}

export class Recogniser {
  readonly #ears: Ear[];
  bytes = 0;
  /** The device said that it can't be used: one sentence with the remedy. */
  fault: string | undefined;

  constructor(drivers: readonly Driver[]) {
    this.#ears = drivers.flatMap((driver) =>
      driver.variants.map((variant) => {
        const parser = driver.createParser(variant);
        parser.joinMidway();
        return {
          driver,
          variant,
          parser,
          format: variant.format,
          firstMs: Number.NaN,
          firstPackets: 0,
          lastMs: 0,
        };
      }),
    );
  }

  push(bytes: Uint8Array, arrivalMs: number): void {
    this.bytes += bytes.length;
    for (const ear of this.#ears) {
      const { parser } = ear;
      parser.push(bytes);
      ear.format = parser.out.format ?? ear.format;
      for (const event of parser.out.events) if (event.kind === 'fault') this.fault = event.text;
      parser.out.clear();
      if (parser.packetsInRow === 0) ear.firstMs = Number.NaN;
      else if (Number.isNaN(ear.firstMs)) {
        ear.firstMs = arrivalMs;
        ear.firstPackets = parser.packetsInRow;
      }
      ear.lastMs = arrivalMs;
    }
  }

  /** Any parser that has found a packet at all: the speed is right, then. */
  get hasPackets(): boolean {
    return this.#ears.some(({ parser }) => parser.packets > 0);
  }

  /** Undefined as long as nobody is sure. */
  get recognised(): Recognised | undefined {
    const sure = this.#ears.filter((ear) => isSure(ear));
    const [first] = sure;
    if (first === undefined) return undefined;
    const ofDriver = sure.filter(({ driver, parser }) => driver === first.driver && parser.isLikely);
    const chosen = ofDriver[0] ?? first;
    return {
      driver: chosen.driver,
      variant: chosen.variant,
      alternatives: sure
        .filter((ear) => ear.driver === chosen.driver && ear !== chosen)
        .map(({ variant }) => variant),
      format: chosen.format,
    };
  }
}

function isSure({ driver, variant, parser, format, firstMs, firstPackets, lastMs }: Ear): boolean {
  const tellsItself = variant.format === undefined && format !== undefined;
  if (driver.confirmPackets === 1) return tellsItself || parser.packetsInRow >= ENOUGH_DATA;
  if (parser.packetsInRow < driver.confirmPackets) return false;
  if (format === undefined || format.rateHz === 0) return true;
  const elapsedMs = lastMs - firstMs;
  if (!(elapsedMs >= RATE_WINDOW_MS)) return false;
  const packetsPerSecond = (1000 * (parser.packetsInRow - firstPackets)) / elapsedMs;
  const expected = format.rateHz / variant.packets.samplesPerPacket;
  // Boards that poll come slower than they say.
  const slower = format.isRateMeasured === true ? 2 : 1;
  return (
    packetsPerSecond > expected * (1 - slower * RATE_TOLERANCE) &&
    packetsPerSecond < expected * (1 + RATE_TOLERANCE)
  );
}
