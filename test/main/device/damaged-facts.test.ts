// Packets that are whole and say what can't be: a device with a fault, or a byte that a checksum does not
// cover.

import { expect, test } from 'vitest';
import { decodeCobs } from '../../../main/device/drivers/isoline-idp/cobs.ts';
import { IdpParser } from '../../../main/device/drivers/isoline-idp/parser.ts';
import { COMMAND, PACKET, wirePacket } from '../../../main/device/drivers/isoline-idp/protocol.ts';
import { TextParser } from '../../../main/device/drivers/text/parser.ts';
import { simulatedProtocol } from '../../../main/device/simulator/protocols.ts';
import { SimulatedDevice } from '../../../main/device/simulator/simulated-device.ts';
import { openSimulator } from '../../../main/device/transports/simulator.ts';

const LINES = 400;
const STEP_MS = 4;

/** Lines of a sketch with a time column, one of them with another time. */
function linesWith(timeAt: (n: number) => number, skip: readonly number[] = []): Uint8Array {
  const lines = Array.from({ length: LINES }, (_, n) =>
    skip.includes(n) ? '' : `${timeAt(n)},${500 + (n % 40)}\n`,
  );
  return Buffer.from(lines.join(''));
}

function read(bytes: Uint8Array): { readonly lost: number; readonly count: number } {
  const parser = new TextParser();
  parser.push(bytes);
  parser.flush();
  return { lost: parser.out.breaks.reduce((sum, { lost }) => sum + lost, 0), count: parser.out.count };
}

test.each([140, 14_400, 1408, 1392])(
  'a digit of the time that was damaged to %d misses no sample',
  (damaged) => {
    expect(read(linesWith((n) => (n === 350 ? damaged : n * STEP_MS)))).toEqual({ lost: 0, count: LINES });
  },
);

test('lines that are missing are missed by the times of those that follow', () => {
  expect(read(linesWith((n) => n * STEP_MS, [200, 201, 203, 300]))).toEqual({ lost: 4, count: LINES - 4 });
});

test('a device of the Isoline protocol that sends other channels than it said gives no samples', () => {
  const device = new SimulatedDevice(simulatedProtocol('isoline-idp'), {
    rhythm: 'sinus',
    noise: 'clean',
    mainsHz: 50,
    seed: 1,
  });
  device.advance(0);
  for (const command of [COMMAND.getHello, COMMAND.start]) device.receive(wirePacket(Uint8Array.of(command)));
  const runs = Buffer.concat(device.advance(1000)).toString('latin1').split('\0');
  const bodies = runs.filter((run) => run !== '').map((run) => bodyOf(Buffer.from(run, 'latin1')));
  const samplesOf = (sent: readonly Uint8Array[]): number => {
    const parser = new IdpParser();
    for (const body of sent) parser.push(wirePacket(body));
    expect(parser.out.format).toBeDefined();
    return parser.out.count;
  };
  expect(samplesOf(bodies)).toBeGreaterThan(400);
  // As many channels, but others.
  const others = bodies.map((body) => {
    if (body[0] !== PACKET.hello) return body;
    const hello = body.slice();
    hello[16] = (hello[16] as number) << 1;
    return hello;
  });
  expect(samplesOf(others)).toBe(0);
});

/** The body of a run on the wire, without its checksum. */
function bodyOf(run: Uint8Array): Uint8Array {
  const body = new Uint8Array(run.length);
  return body.slice(0, decodeCobs(run, 0, run.length, body) - 2);
}

test.each(['heartRateBpm=1e9', 'heartRateBpm=0', 'heartRateBpm=x', 'seed=x', 'rhythm=none'])(
  'a simulator with %s is refused',
  async (facts) => {
    const events = { onBytes: () => undefined, onGone: () => undefined };
    await expect(
      openSimulator(`simulator:olimex?${facts}`, { baud: 115_200, dtr: true, rts: true }, events),
    ).rejects.toMatchObject({
      reason: 'device_not_found',
    });
  },
);
