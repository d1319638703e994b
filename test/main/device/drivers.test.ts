import { describe, expect, test } from 'vitest';
import { SIMULATED, simulatedProtocol } from '../../../main/device/simulator/protocols.ts';
import { SimulatedDevice } from '../../../main/device/simulator/simulated-device.ts';
import { seededRandom } from '../../../main/signal/synthetic/random.ts';
import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import { damage, NOTICED_BY_ALL, NOTICED_BY_CHECKSUM } from '../../support/damage.ts';
import { type Parsed, parse, randomly, variantOf } from '../../support/parse-device.ts';

interface Sent {
  readonly bytes: Uint8Array;
  /** Codes of each packet, channel after channel. */
  readonly packets: readonly { readonly codes: readonly Int32Array[]; isIntact: boolean }[];
}

const SECONDS = 8;
const SEEDS = [1, 2, 3];
const CHECKSUMMED = new Set(['isoline-idp', 'mobilecg']);
const UNCOUNTED = new Set(['protocentral', 'ti-ads1x9x', 'byb-spikerbox']);
const KINDS = Object.entries(SIMULATED).flatMap(([driver, variants]) =>
  Object.keys(variants).map((variant) => [driver, variant] as const),
);

/** A device that streams for some seconds, a share of its packets damaged. */
function send(driver: string, variant: string, share: number, seed: number, seconds = SECONDS): Sent {
  const protocol = simulatedProtocol(driver, variant);
  const device = new SimulatedDevice(protocol, { rhythm: 'sinus', noise: 'clean', mainsHz: 50, seed });
  const random = seededRandom(seed + 1000);
  const kinds = CHECKSUMMED.has(driver)
    ? NOTICED_BY_CHECKSUM
    : driver === 'text'
      ? (['drop'] as const)
      : NOTICED_BY_ALL;
  const packets: { codes: readonly Int32Array[]; isIntact: boolean }[] = [];
  device.onPacket = (codes) => void packets.push({ codes, isIntact: true });
  device.onWire = (bytes, index) => {
    if (random() >= share || index < 30) return [bytes];
    const { wire, isIntact } = damage(bytes, kinds[Math.floor(random() * kinds.length)] ?? 'drop', random);
    (packets[index] as { isIntact: boolean }).isIntact = isIntact;
    return [wire];
  };
  device.start();
  const pieces: Uint8Array[] = [];
  for (let ms = 0; ms <= 1000 * seconds; ms += 50) pieces.push(...device.advance(ms));
  return { bytes: Buffer.concat(pieces), packets };
}

/** The packet that a run of delivered samples is, or undefined where they are none that was sent. */
function readPackets({ columns, numbers }: Parsed, packets: Sent['packets'], samplesPerPacket: number) {
  const byCodes = new Map<string, number[]>();
  const keyOf = (codes: readonly Int32Array[]): string => codes.map((column) => column.join()).join(';');
  for (const [i, { codes }] of packets.entries())
    byCodes.set(keyOf(codes), [...(byCodes.get(keyOf(codes)) ?? []), i]);
  const found: { readonly index: readonly number[] | undefined; readonly number: number }[] = [];
  for (let at = 0; at + samplesPerPacket <= numbers.length; at += samplesPerPacket) {
    const codes = columns.map((column) => column.subarray(at, at + samplesPerPacket));
    found.push({ index: byCodes.get(keyOf(codes)), number: numbers[at] as number });
  }
  return found;
}

describe.each(KINDS)('%s, %s', (driver, variant) => {
  const { samplesPerPacket } = simulatedProtocol(driver, variant);
  const parserVariant = driver === 'isoline-idp' ? 'idp' : driver === 'text' ? 'text' : variant;

  test('gives the samples that the device measured, whatever pieces they come in', () => {
    const { bytes, packets } = send(driver, variant, 0, 5, 3);
    for (const pieces of [randomly(seededRandom(3), 90), randomly(seededRandom(4), 3000)]) {
      const parsed = parse(driver, parserVariant, bytes, pieces);
      const sent = parsed.columns.map((_, channel) =>
        packets.flatMap(({ codes }) => [...(codes[channel] as Int32Array)]),
      );
      expect(parsed.columns.map((column) => [...column])).toEqual(sent);
      expect(parsed.gaps).toEqual([]);
    }
  });

  test.each([0.02, 0.2])('with %f of the packets damaged loses none but these', (share) => {
    for (const seed of SEEDS) {
      const { bytes, packets } = send(driver, variant, share, seed);
      const parsed = parse(driver, parserVariant, bytes, randomly(seededRandom(seed), 90));
      if (driver === 'byb-spikerbox') {
        // No counter and no packets to tell apart: as many samples as are whole, give or take those beside
        // the damage.
        const whole = samplesPerPacket * packets.filter(({ isIntact }) => isIntact).length;
        expect(parsed.numbers.length, `samples, seed ${seed}`).toBeGreaterThanOrEqual(0.99 * whole);
        expect(parsed.numbers.length).toBeLessThanOrEqual(1.02 * samplesPerPacket * packets.length);
        continue;
      }
      const found = readPackets(parsed, packets, samplesPerPacket);
      const intact = packets.filter(({ isIntact }) => isIntact).length;
      const wrong = found.filter(({ index }) => index === undefined).length;
      const good = found.length - wrong;
      // Four bits of check, or of structure, let some through (reference, 1.2).
      const isLoose = driver === 'bitalino' || driver === 'openeeg-p3';
      const allowed = driver === 'bitalino' ? 0.1 * packets.length : isLoose ? 0.01 * packets.length : 0;
      expect(good, `good packets, seed ${seed}`).toBeGreaterThanOrEqual(intact - allowed);
      // Two damaged neighbours can make one packet that nothing tells from a whole one, where there is no
      // checksum.
      const chimeras = CHECKSUMMED.has(driver) || driver === 'text' ? 0 : share * 0.005 * packets.length;
      expect(wrong, `wrong packets, seed ${seed}`).toBeLessThanOrEqual(Math.max(allowed, chimeras));
      if (isLoose || UNCOUNTED.has(driver) || (driver === 'text' && variant === 'ad8232')) continue;
      const misplaced = found.filter(
        ({ index, number }) => index !== undefined && !index.includes(number / samplesPerPacket),
      );
      expect(misplaced.slice(0, 3), `places, seed ${seed}`).toEqual([]);
    }
  });

  test('survives the other end of a wire', () => {
    const { driver: found, variant: reader } = variantOf(driver, parserVariant);
    const parser = found.createParser(reader);
    const random = seededRandom(9);
    for (let i = 0; i < 200; i++) {
      parser.push(Uint8Array.from({ length: Math.floor(random() * 500) }, () => Math.floor(random() * 256)));
      parser.out.clear();
    }
    parser.flush();
    expect(parser.out.columns.every((column) => column.length < 100_000)).toBe(true);
  });
});

test('a line of "no contact" is a sample without a value', () => {
  const protocol = simulatedProtocol('text', 'ad8232');
  const device = new SimulatedDevice(protocol, { rhythm: 'sinus', noise: 'clean', mainsHz: 50, seed: 1 });
  const pieces = [...device.advance(1000)];
  device.electrodes.setContact('RA', false);
  pieces.push(...device.advance(1400));
  device.electrodes.setContact('RA', true);
  pieces.push(...device.advance(2000));
  const { columns, events } = parse('text', 'text', Buffer.concat(pieces));
  expect([...columns[0]!].filter((code) => code === INVALID_SAMPLE).length).toBe(100);
  expect(events.filter(({ kind }) => kind === 'leadOff').map(({ sample }) => sample)).toEqual([250, 350]);
});
