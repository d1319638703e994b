// `isoline simulate`: a device that is not there at the other end of a serial line or a pseudo-terminal.

import { IsolineError } from '../../../shared/errors.ts';
import { ELECTRODES } from '../../../shared/signal/electrode.ts';
import { NOISE_LEVELS } from '../../device/simulator/electrodes.ts';
import { HEART_RATE_BPM } from '../../device/simulator/heart.ts';
import { simulatedProtocol } from '../../device/simulator/protocols.ts';
import { RHYTHMS } from '../../device/simulator/rhythms.ts';
import { SimulatedDevice } from '../../device/simulator/simulated-device.ts';
import { openSerial } from '../../device/transports/serial.ts';
import { seededRandom } from '../../signal/synthetic/random.ts';
import { type Command, parseNumber, print, usageError } from './command.ts';
import { untilSignal } from './until-signal.ts';

const TICK_MS = 10;
const BAUD = 115_200;

function oneOf<T extends string>(
  value: string | undefined,
  choices: readonly T[],
  initial: T,
  option: string,
): T {
  if (value === undefined) return initial;
  if ((choices as readonly string[]).includes(value)) return value as T;
  throw usageError(`--${option} takes one of: ${choices.join(', ')}.`, simulateCommand);
}

export const simulateCommand: Command = {
  name: 'simulate',
  usage: '--driver D --port PATH [--rhythm R] [--noise N] [--variant V] [--seconds N]',
  options: {
    driver: { value: 'D', meaning: 'The protocol to simulate; any unique abbreviation.' },
    port: { value: 'PATH', meaning: 'Serial port or pseudo-terminal.' },
    rhythm: { value: 'R', meaning: `One of ${RHYTHMS.join(', ')}. Default: sinus.` },
    'heart-rate': {
      value: 'N',
      meaning: `Beats a minute, ${HEART_RATE_BPM.lowest} to ${HEART_RATE_BPM.highest}.`,
    },
    noise: { value: 'N', meaning: `One of ${NOISE_LEVELS.join(', ')}. Default: clean.` },
    variant: { value: 'V', meaning: 'Board supported by the driver.' },
    'lead-off': {
      value: 'E',
      isRepeatable: true,
      meaning: `An electrode to detach: ${ELECTRODES.join(', ')}.`,
    },
    lose: { value: 'P', meaning: 'Share of packets to lose, 0 to 1.' },
    seed: { value: 'N', meaning: 'The same seed gives the same bytes. Default: 1.' },
    seconds: { value: 'N', meaning: 'Duration in seconds. Default: until interrupted.' },
  },
  positionals: [0, 0],
  async run(args) {
    const protocol = simulatedProtocol(args.required('driver'), args.text('variant'));
    const seed = parseNumber(args, 'seed', { least: 0, most: 2 ** 31, isWhole: true }, simulateCommand) ?? 1;
    const device = new SimulatedDevice(protocol, {
      rhythm: oneOf(args.text('rhythm'), RHYTHMS, 'sinus', 'rhythm'),
      noise: oneOf(args.text('noise'), NOISE_LEVELS, 'clean', 'noise'),
      heartRateBpm: parseNumber(
        args,
        'heart-rate',
        { least: HEART_RATE_BPM.lowest, most: HEART_RATE_BPM.highest },
        simulateCommand,
      ),
      mainsHz: 50,
      seed,
    });
    const seconds = parseNumber(args, 'seconds', { least: 0.1, most: 10_000_000 }, simulateCommand);
    const share = parseNumber(args, 'lose', { least: 0, most: 1 }, simulateCommand) ?? 0;
    for (const name of args.list('lead-off'))
      device.electrodes.setContact(oneOf(name, ELECTRODES, 'RA', 'lead-off'), false);
    const random = seededRandom(seed + 1);
    if (share > 0) device.onWire = (bytes) => (random() < share ? [] : [bytes]);
    await play(device, args.required('port'), seconds);
  },
};

async function play(device: SimulatedDevice, path: string, seconds: number | undefined): Promise<void> {
  const stopped = untilSignal();
  const gone = Promise.withResolvers<void>();
  const transport = await openSerial(
    path,
    { baud: BAUD, dtr: true, rts: true },
    {
      onBytes: (bytes) => device.receive(bytes.slice()),
      onGone: () => gone.reject(new IsolineError('device_lost', `The other end of ${path} is gone.`)),
    },
  );
  const startMs = performance.now();
  const timer = setInterval(() => {
    const pieces = device.advance(performance.now() - startMs);
    if (pieces.length > 0) transport.write(Buffer.concat(pieces)).catch(() => undefined);
  }, TICK_MS);
  print(JSON.stringify({ simulating: device.protocol.driver, variant: device.protocol.variant, port: path }));
  const timeUp = new Promise<void>((resolve) => {
    if (seconds !== undefined) setTimeout(resolve, 1000 * seconds);
  });
  try {
    await Promise.race([stopped, gone.promise, timeUp]);
  } finally {
    clearInterval(timer);
    await transport.close();
  }
}
