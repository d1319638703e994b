// Feeds a driver with what no device sends: noise, and the bytes of a device cut up, changed, doubled.
// Nothing may throw, and what is kept stays small.

import { SIMULATED, simulatedProtocol } from '../../main/device/simulator/protocols.ts';
import { SimulatedDevice } from '../../main/device/simulator/simulated-device.ts';
import { seededRandom } from '../../main/signal/synthetic/random.ts';
import { variantOf } from '../support/parse-device.ts';

const SEED_SECONDS = 4;
const MOST_PIECE_BYTES = 4096;

export interface DriverFindings {
  readonly bytes: number;
  readonly packets: number;
  readonly rejectedBytes: number;
  /** How much the columns hold after all of it. */
  readonly keptBytes: number;
  readonly heapGrowthMb: number;
}

/** Every simulated board, with the variant that reads it. */
export const DRIVER_KINDS: readonly (readonly [
  driver: string,
  board: string,
  variant: string | undefined,
])[] = Object.entries(SIMULATED).flatMap(([driver, boards]) =>
  Object.keys(boards).map((board) => {
    const { driver: found } = variantOf(driver);
    return [driver, board, found.variants.find(({ id }) => id === board)?.id] as const;
  }),
);

/** The bytes of a simulated device. */
export function deviceBytes(driver: string, board: string, seconds = SEED_SECONDS): Uint8Array {
  const device = new SimulatedDevice(simulatedProtocol(driver, board), {
    rhythm: 'sinus',
    noise: 'normal',
    mainsHz: 50,
    seed: 1,
  });
  device.start();
  return Buffer.concat(device.advance(1000 * seconds));
}

function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  const from = Math.floor(random() * bytes.length);
  const piece = bytes.slice(from, from + 1 + Math.floor(random() * MOST_PIECE_BYTES));
  const changes = Math.floor(random() * 8);
  for (let i = 0; i < changes; i++) piece[Math.floor(random() * piece.length)] = Math.floor(random() * 256);
  return piece;
}

export function fuzzDriver(
  driver: string,
  board: string,
  variant: string | undefined,
  totalBytes: number,
  seed: number,
): DriverFindings {
  const random = seededRandom(seed);
  const { driver: found, variant: reader } = variantOf(driver, variant);
  const parser = found.createParser(reader);
  const good = deviceBytes(driver, board);
  const before = process.memoryUsage().heapUsed;
  let done = 0;
  while (done < totalBytes) {
    const isNoise = random() < 0.3;
    const piece = isNoise
      ? Uint8Array.from({ length: 1 + Math.floor(random() * 1000) }, () => random() * 256)
      : mutate(good, random);
    parser.push(piece);
    parser.out.clear();
    if (random() < 0.001) parser.flush();
    done += piece.length;
  }
  parser.flush();
  parser.out.clear();
  return {
    bytes: done,
    packets: parser.packets,
    rejectedBytes: parser.rejectedBytes,
    keptBytes: parser.out.columns.reduce((sum, column) => sum + column.byteLength, 0),
    heapGrowthMb: (process.memoryUsage().heapUsed - before) / 2 ** 20,
  };
}
