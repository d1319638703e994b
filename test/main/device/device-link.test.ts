// The link on a transport of the test's: what happens when a device stalls, goes away without a word, or
// comes back elsewhere.

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { findDriver } from '../../../main/device/drivers/drivers.ts';
import { PACKET, PROTOCOL_VERSION, wirePacket } from '../../../main/device/drivers/isoline-idp/protocol.ts';
import { DeviceLink } from '../../../main/device/link/device-link.ts';
import { HostClock } from '../../../main/device/link/host-clock.ts';
import type { LeadBatch } from '../../../main/device/link/lead-maker.ts';
import { simulatedProtocol } from '../../../main/device/simulator/protocols.ts';
import { SimulatedDevice } from '../../../main/device/simulator/simulated-device.ts';
import { openReplay } from '../../../main/device/transports/replay.ts';
import type { OpenTransport, PortInfo, TransportEvents } from '../../../main/device/transports/transport.ts';
import { eventually } from '../../support/running-workstation.ts';
import { readCapture } from '../../support/serial-captures.ts';
import { dataFolder } from '../../support/test-data.ts';

const makeDevice = (driver: string, variant?: string): SimulatedDevice =>
  new SimulatedDevice(simulatedProtocol(driver, variant), {
    rhythm: 'sinus',
    noise: 'clean',
    mainsHz: 50,
    seed: 1,
  });

/** A port that a test holds in its hand. */
class HandPort {
  device: SimulatedDevice;
  readonly paths: string[] = [];
  isStalled = false;
  isThere = true;
  /** What opening waits for. */
  held: Promise<void> | undefined;
  isOpen = false;
  #events: TransportEvents | undefined;
  #waiting: Uint8Array[] = [];
  readonly #startMs = performance.now();
  readonly #timer = setInterval(() => {
    this.#waiting.push(...this.device.advance(performance.now() - this.#startMs));
    if (this.isStalled) return;
    const bytes = Buffer.concat(this.#waiting.splice(0));
    if (this.isThere && bytes.length > 0) this.#events?.onBytes(bytes, performance.now());
  }, 10);

  constructor(driver: string, variant?: string) {
    this.device = makeDevice(driver, variant);
  }

  readonly open: OpenTransport = async (path, _options, events) => {
    if (!this.isThere) throw new Error('not there');
    this.paths.push(path);
    await this.held;
    this.#events = events;
    this.isOpen = true;
    return {
      write: async (bytes) => this.device.receive(bytes),
      setBaud: async () => undefined,
      discard: async () => undefined,
      close: async () => {
        this.isOpen = false;
        this.#events = undefined;
      },
    };
  };

  /** As the system tells it, where it does. */
  tellGone(): void {
    this.isThere = false;
    this.#events?.onGone();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

const open: { readonly link: DeviceLink; readonly port: HandPort }[] = [];
afterEach(async () => {
  for (const { link, port } of open.splice(0)) {
    await link.disconnect();
    port.close();
  }
});

async function connect(
  driver: string,
  find: () => PortInfo | undefined = () => ({ path: 'hand' }),
  prepare: (port: HandPort) => void = () => undefined,
) {
  const port = new HandPort(driver);
  prepare(port);
  const batches: LeadBatch[] = [];
  const states: string[] = [];
  const link: DeviceLink = new DeviceLink({
    port: { path: 'hand', vendorId: '0403', productId: '6015', serialNumber: 'A1' },
    open: port.open,
    clock: new HostClock(),
    find: () => (port.isThere ? find() : undefined),
    events: { onChange: () => void states.push(link.state), onBatch: (batch) => void batches.push(batch) },
  });
  open.push({ link, port });
  await link.connect({ driver: findDriver(driver) });
  return { link, port, batches, states };
}

const gapsOf = (batches: readonly LeadBatch[]) =>
  batches.flatMap(({ gap }) => (gap === undefined ? [] : [gap]));
const becomes = (link: DeviceLink, state: string, withinMs: number) =>
  eventually(async () => (link.state === state ? true : undefined), state, withinMs);

test.each(['isoline-idp', 'openbci-cyton', 'protocentral'])(
  '%s that stalls for two seconds is shown as lost, and goes on without a gap',
  async (driver) => {
    const { link, port, batches } = await connect(driver);
    await wait(1500);
    port.isStalled = true;
    await becomes(link, 'lost', 5000);
    await wait(500);
    port.isStalled = false;
    await becomes(link, 'ready', 1000);
    await wait(1500);
    expect(gapsOf(batches)).toEqual([]);
    expect(port.paths).toEqual(['hand']);
  },
);

test('a device that falls silent without an event is seen within two seconds, and given up by its port after three more', async () => {
  const { link, port } = await connect('isoline-idp');
  await wait(500);
  port.isThere = false;
  const startMs = performance.now();
  await becomes(link, 'lost', 3000);
  expect(performance.now() - startMs).toBeLessThan(2300);
  await wait(3500);
  port.isThere = true;
  await becomes(link, 'ready', 3000);
  expect(port.paths).toHaveLength(2);
});

test('a connection that is called off while its port is being opened leaves nothing open', async () => {
  const { link, port, batches } = await connect('protocentral');
  await link.disconnect();
  const before = batches.length;
  const opening = Promise.withResolvers<void>();
  port.held = opening.promise;
  const connecting = link.connect({ driver: findDriver('protocentral') });
  await wait(20);
  const disconnecting = link.disconnect();
  const again = link.connect({ driver: findDriver('protocentral') }).then(() => 'connected');
  opening.resolve();
  await Promise.all([connecting, disconnecting]);
  expect(await again).toBe('connected');
  expect(link.state).toBe('ready');
  expect(batches.length).toBeGreaterThan(before);
  await link.disconnect();
  expect([link.state, port.isOpen]).toEqual(['disconnected', false]);
  const after = batches.length;
  await wait(200);
  expect(batches.length).toBe(after);
});

test('nothing can be recorded while a device is being stopped', async () => {
  const { link } = await connect('isoline-idp');
  const disconnecting = link.disconnect();
  await Promise.resolve();
  link.recordingStarted();
  await disconnecting;
  expect(link.state).toBe('disconnected');
  link.recordingStopped();
});

test('a device that is plugged in elsewhere is found by what it is, not by its path', async () => {
  const { link, port, batches } = await connect('isoline-idp', () => ({ path: 'elsewhere' }));
  await wait(500);
  port.tellGone();
  expect(link.state).toBe('lost');
  await wait(1000);
  port.isThere = true;
  await becomes(link, 'ready', 2000);
  expect(port.paths.at(-1)).toBe('elsewhere');
  const [gap] = gapsOf(batches);
  // It counted on: the gap is its own.
  expect(gap).toMatchObject({ kind: 'counter' });
  expect(gap!.end - gap!.start).toBeGreaterThan(900);
});

test('what radio packets a Cyton loses for longer than its counter turns is told by time', async () => {
  const { port, batches } = await connect('openbci-cyton');
  await wait(2000);
  let isJammed = true;
  port.device.onWire = (bytes) => (isJammed ? [] : [bytes]);
  await wait(1300);
  isJammed = false;
  await wait(2500);
  const gaps = gapsOf(batches);
  expect(gaps).toHaveLength(1);
  const lost = gaps[0]!.end - gaps[0]!.start;
  // 1.3 s at 250 Hz are more than the 256 of a turn; without the clock 69 would have been told.
  expect(lost).toBeGreaterThan(300);
  expect(lost).toBeLessThan(350);
});

/** HELLO of a version that nobody knows yet. */
function newerHello(): Uint8Array {
  const body = new Uint8Array(48).fill(1);
  body.set([PACKET.hello, PROTOCOL_VERSION + 1, 0x49, 0x53, 0x4f, 0x4c]);
  return wirePacket(body);
}
const doublyWrapped = Uint8Array.from({ length: 33 }, (_, i) =>
  i === 0 ? 0xa0 : i === 1 ? 0x41 : i === 32 ? 0xc0 : 7,
);

test.each([
  ['isoline-idp', newerHello()],
  ['openbci-cyton', doublyWrapped],
])('%s that cannot be used as it is is refused with what to do', async (driver, packet) => {
  const prepare = (port: HandPort): void => {
    port.device.onWire = () => [packet];
  };
  await expect(connect(driver, undefined, prepare)).rejects.toMatchObject({
    reason: 'device_unusable',
    message: expect.stringContaining('update'),
  });
  const { link, port } = open.at(-1)!;
  expect([link.state, link.trouble?.reason, port.isOpen]).toEqual(['disconnected', 'device_unusable', false]);
});

test('another device at the plug of one that is recorded is not mixed in; when the recording is stopped it is taken', async () => {
  const { link, port, batches } = await connect('isoline-idp');
  link.recordingStarted();
  await wait(300);
  port.tellGone();
  await wait(300);
  const before = batches.length;
  port.device = makeDevice('isoline-idp', 'idp-12');
  port.isThere = true;
  await becomes(link, 'recording', 4000);
  await wait(500);
  expect(link.trouble?.reason).toBe('device_changed');
  expect(batches.slice(before).every(({ count, leads }) => count === 0 || leads.length === 8)).toBe(true);
  link.recordingStopped();
  await wait(500);
  expect(link.trouble).toBeUndefined();
  expect(batches.at(-1)?.leads).toHaveLength(12);
});

test('a Daisy that is put on a Cyton while it is recorded is told, and waits for the end of the recording', async () => {
  const { link, port, batches } = await connect('openbci-cyton');
  link.recordingStarted();
  port.tellGone();
  port.device = makeDevice('openbci-cyton', 'daisy');
  port.isThere = true;
  const before = batches.length;
  await eventually(
    async () => (link.trouble?.reason === 'device_changed' ? true : undefined),
    'changed',
    6000,
  );
  expect(link.state).toBe('lost');
  expect(batches.slice(before).every(({ count }) => count === 0)).toBe(true);
  link.recordingStopped();
  await becomes(link, 'ready', 8000);
  expect(link.choice?.variant.id).toBe('daisy');
  expect(link.trouble).toBeUndefined();
}, 20_000);

test('a capture is replayed without a word to its device, and does not come back after its end', async () => {
  const path = `replay:${join(dataFolder, 'serial/cyton.bin')}?bytesPerSecond=100000`;
  const batches: LeadBatch[] = [];
  const link = new DeviceLink({
    port: { path },
    open: openReplay,
    clock: new HostClock(),
    find: () => undefined,
    events: { onChange: () => undefined, onBatch: (batch) => void batches.push(batch) },
  });
  await link.connect({ driver: findDriver('openbci-cyton') }, 'bipolar-n');
  await becomes(link, 'lost', 3000);
  await link.disconnect();
  const { expected } = readCapture('cyton');
  expect(batches.reduce((count, batch) => count + batch.count, 0)).toBe(expected.samplesPerChannel);
  expect(gapsOf(batches).filter(({ kind }) => kind !== 'disconnect')).toEqual([]);
  await expect(
    openReplay(
      'replay:/nowhere',
      { baud: 9600, dtr: true, rts: true },
      { onBytes: () => undefined, onGone: () => undefined },
    ),
  ).rejects.toThrow('The capture /nowhere does not exist');
});

test('a device that is back is kept awake again, and says again which electrodes are off', async () => {
  const driver = findDriver('isoline-idp');
  const ping = Uint8Array.of(0xaa);
  const { link, port } = await connect('isoline-idp');
  await link.disconnect();
  await link.connect({ driver: { ...driver, keepAlive: { send: ping, everyMs: 50 } } });
  port.device.electrodes.setContact('LA', false);
  await eventually(async () => (link.electrodesOff === 2 ? true : undefined), 'off', 3000);
  let pings = 0;
  const receive = port.device.receive.bind(port.device);
  port.device.receive = (bytes) => {
    if (bytes[0] === ping[0]) pings++;
    else receive(bytes);
  };
  port.tellGone();
  await wait(300);
  const whileAway = pings;
  port.device.electrodes.setContact('LA', true);
  port.isThere = true;
  await becomes(link, 'ready', 3000);
  await eventually(
    async () => (link.electrodesOff === 0 && pings > whileAway + 2 ? true : undefined),
    'back',
    3000,
  );
});
