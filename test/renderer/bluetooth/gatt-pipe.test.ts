// A strap as a page has it: half a connection is none, it is taken up again once, and a second pairing ends the first.

import { expect, test, vi } from 'vitest';
import { GattPipe } from '../../../renderer/bluetooth/gatt-pipe.ts';
import { BLUETOOTH_PIPES } from '../../../shared/bluetooth-pipes.ts';
import type { Bridge } from '../../../shared/bridge/contract.ts';

const [POLAR] = BLUETOOTH_PIPES;

class FakeCharacteristic extends EventTarget {
  value: DataView | undefined;
  readonly uuid: string;
  readonly #strap: FakeStrap;

  constructor(uuid: string, strap: FakeStrap) {
    super();
    this.uuid = uuid;
    this.#strap = strap;
  }

  async startNotifications(): Promise<void> {
    if (this.#strap.failures-- > 0) throw new DOMException('GATT Error', 'NetworkError');
    this.#strap.heard.push(this.uuid.slice(0, 8));
  }

  async readValue(): Promise<DataView> {
    return new DataView(Uint8Array.of(77).buffer);
  }

  async writeValueWithResponse(): Promise<void> {}
}

class FakeStrap extends EventTarget {
  readonly name = 'Polar H10 1234';
  readonly heard: string[] = [];
  failures = 0;
  connects = 0;
  readonly gatt = {
    connected: false,
    connect: async () => {
      this.connects++;
      this.gatt.connected = true;
      return this.gatt;
    },
    disconnect: () => {
      if (!this.gatt.connected) return;
      this.gatt.connected = false;
      this.dispatchEvent(new Event('gattserverdisconnected'));
    },
    getPrimaryService: async () => ({
      getCharacteristic: async (uuid: string) => new FakeCharacteristic(uuid, this),
    }),
  };
}

function bridgeWithCalls() {
  const calls: string[] = [];
  const isOpen = { value: false };
  const bridge = {
    on: () => () => undefined,
    call: async (name: string, input: { bytes?: Uint8Array }) => {
      calls.push(name);
      if (name === 'desk.openPipe') isOpen.value = true;
      if (name === 'desk.closePipe') isOpen.value = false;
      if (name === 'desk.fillPipe' && !isOpen.value) throw new Error('no pipe');
      if (name === 'desk.fillPipe') calls.push(`filled ${input.bytes?.at(-1)}`);
      return { id: 'path:strap' };
    },
  } as unknown as Bridge;
  return { bridge, calls };
}

const open = async () => {
  const [strap, { bridge, calls }] = [new FakeStrap(), bridgeWithCalls()];
  const pipe = new GattPipe(strap as never, POLAR!, bridge);
  await pipe.open();
  return { strap, pipe, calls, bridge };
};

test('its battery is asked for once somebody takes it', async () => {
  const { calls } = await open();
  await vi.waitFor(() => expect(calls).toContain('filled 77'));
  expect(calls.indexOf('filled 77')).toBeGreaterThan(calls.indexOf('desk.openPipe'));
});

test('a strap whose connection comes back incomplete is connected again until every signal is there', async () => {
  const { strap, calls } = await open();
  const all = strap.heard.length;
  strap.heard.length = 0;
  calls.length = 0;
  // The data are not there at once.
  strap.failures = 1;
  strap.gatt.disconnect();
  await vi.waitFor(() => expect(calls.filter((name) => name === 'desk.openPipe')).toHaveLength(1), 5000);
  expect(strap.heard).toHaveLength(all);
  expect(strap.connects).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(calls.filter((name) => name === 'desk.openPipe')).toHaveLength(1);
});

test('what was let go of looks for nothing any more', async () => {
  const { strap, pipe, calls } = await open();
  calls.length = 0;
  pipe.letGo();
  strap.dispatchEvent(new Event('gattserverdisconnected'));
  await new Promise((resolve) => setTimeout(resolve, 1300));
  expect(calls).toEqual([]);
  expect(strap.connects).toBe(1);
});
