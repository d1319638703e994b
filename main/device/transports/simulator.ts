// The simulator as a transport: a device that is not there, inside this program. Its bytes come in the pieces
// in which adapters bring them.

import { IsolineError } from '../../../shared/errors.ts';
import { NOISE_LEVELS, type NoiseLevel } from '../simulator/electrodes.ts';
import { HEART_RATE_BPM } from '../simulator/heart.ts';
import { simulatedProtocol } from '../simulator/protocols.ts';
import { RHYTHMS, type Rhythm } from '../simulator/rhythms.ts';
import { SimulatedDevice } from '../simulator/simulated-device.ts';
import type { OpenTransport, Transport, TransportEvents } from './transport.ts';

const SIMULATOR_SCHEME = 'simulator:';
const TICK_MS = 15;

export const isSimulatorPath = (path: string): boolean => path.startsWith(SIMULATOR_SCHEME);

/** Devices that are switched on: unplugging one and plugging it in again does not restart it. */
const devices = new Map<string, { readonly device: SimulatedDevice; readonly sinceMs: number }>();

function makeDevice(path: string): SimulatedDevice {
  const [driver = '', query = ''] = path.slice(SIMULATOR_SCHEME.length).split('?');
  const facts = new URLSearchParams(query);
  const rhythm = (facts.get('rhythm') ?? 'sinus') as Rhythm;
  const noise = (facts.get('noise') ?? 'clean') as NoiseLevel;
  if (!RHYTHMS.includes(rhythm) || !NOISE_LEVELS.includes(noise))
    throw new IsolineError(
      'device_not_found',
      `The simulator has no such rhythm or noise. Choose one of ${RHYTHMS.join(', ')}.`,
    );
  const heartRateBpm = facts.has('heartRateBpm') ? Number(facts.get('heartRateBpm')) : undefined;
  if (
    heartRateBpm !== undefined &&
    !(heartRateBpm >= HEART_RATE_BPM.lowest && heartRateBpm <= HEART_RATE_BPM.highest)
  )
    throw new IsolineError(
      'device_not_found',
      `The simulator's heart beats ${HEART_RATE_BPM.lowest} to ${HEART_RATE_BPM.highest} times a minute.`,
    );
  const seed = Number(facts.get('seed') ?? 1);
  if (!Number.isSafeInteger(seed))
    throw new IsolineError('device_not_found', 'The simulator seed must be a whole number.');
  return new SimulatedDevice(simulatedProtocol(driver, facts.get('variant') ?? undefined), {
    rhythm,
    noise,
    heartRateBpm,
    mainsHz: 50,
    seed,
  });
}

class SimulatorTransport implements Transport {
  readonly #device: SimulatedDevice;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(device: SimulatedDevice, sinceMs: number, events: TransportEvents) {
    this.#device = device;
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      const pieces = device.advance(nowMs - sinceMs);
      if (pieces.length > 0) events.onBytes(Buffer.concat(pieces), nowMs);
    }, TICK_MS);
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#device.receive(bytes);
  }
  async setBaud(): Promise<void> {}
  async discard(): Promise<void> {}
  async close(): Promise<void> {
    clearInterval(this.#timer);
  }
}

export const openSimulator: OpenTransport = async (path, _options, events) => {
  let known = devices.get(path);
  if (known === undefined) {
    known = { device: makeDevice(path), sinceMs: performance.now() };
    devices.set(path, known);
  } else known.device.advance(performance.now() - known.sinceMs);
  return new SimulatorTransport(known.device, known.sinceMs, events);
};

/** Switches the device off. */
export const forgetSimulator = (path: string): void => void devices.delete(path);
