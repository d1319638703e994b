// A Polar H10 that is not there, in Chromium's own Bluetooth: found, chosen, connected, subscribed and written to through it.
// Chromium has no way to simulate a notification, so that these are given to the characteristic of the page.

import type { CDPSession, Page } from 'playwright-core';

const ADDRESS = '09:09:09:09:09:09';
export const STRAP_NAME = 'Polar H10 12345678';
const PMD = 'fb005c80-02e7-f387-1cad-8acd2d8df0c8';
const CONTROL = 'fb005c81-02e7-f387-1cad-8acd2d8df0c8';
const DATA = 'fb005c82-02e7-f387-1cad-8acd2d8df0c8';
const assigned = (number: string): string => `0000${number}-0000-1000-8000-00805f9b34fb`;
const CCCD = assigned('2902');
const HEART_RATE = '2a37';
const RATE_HZ = 130;
const SAMPLES = 73;
/** By its own clock, which began long ago. */
const START_NS = 599_616_000_000_000_000n;
const EVERY_MS = 50;

/** Arguments that a browser needs for it; on other systems than Linux it has Bluetooth anyway. */
export const BLUETOOTH_ARGUMENTS = ['--enable-blink-features=WebBluetooth'];

interface Hearing {
  strapHears?: Map<string, EventTarget>;
}

export class SimulatedStrap implements AsyncDisposable {
  readonly #page: Page;
  readonly #browser: CDPSession;
  readonly #value: (sample: number) => number;
  /** Requests that it got. */
  readonly requests: number[][] = [];
  readonly #uuids = new Map<string, string>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #startMs = 0;
  /** Samples that were sent, or measured and not sent. */
  sent = 0;
  /** Notifications are lost on the air. */
  isOutOfReach = false;
  #delivered: Promise<unknown> = Promise.resolve();

  private constructor(page: Page, browser: CDPSession, value: (sample: number) => number) {
    this.#page = page;
    this.#browser = browser;
    this.#value = value;
  }

  /** @param value of a sample, in µV */
  static async switchOn(page: Page, value: (sample: number) => number): Promise<SimulatedStrap> {
    const session = await page.context().browser()!.newBrowserCDPSession();
    const strap = new SimulatedStrap(page, session, value);
    strap.#answer();
    await strap.#appear();
    await strap.#chooseFirst();
    await page.addInitScript(() => {
      const hears = new Map<string, EventTarget>();
      (window as Hearing).strapHears = hears;
      const { prototype } = (
        window as unknown as {
          BluetoothRemoteGATTCharacteristic: { prototype: { startNotifications(): Promise<unknown> } };
        }
      ).BluetoothRemoteGATTCharacteristic;
      const start = prototype.startNotifications;
      prototype.startNotifications = function (this: EventTarget & { readonly uuid: string }) {
        hears.set(this.uuid, this);
        return start.call(this);
      };
    });
    return strap;
  }

  /** Chromium forgets its simulated Bluetooth with the page that used it. */
  async appearAgain(): Promise<void> {
    await this.#browser.send('BluetoothEmulation.disable');
    await this.#appear();
  }

  async #appear(): Promise<void> {
    const bluetooth = this.#browser;
    await bluetooth.send('BluetoothEmulation.enable', { state: 'powered-on', leSupported: true });
    await bluetooth.send('BluetoothEmulation.simulatePreconnectedPeripheral', {
      address: ADDRESS,
      name: STRAP_NAME,
      manufacturerData: [],
      knownServiceUuids: [PMD],
    });
    const service = async (serviceUuid: string, uuids: readonly string[]): Promise<void> => {
      const { serviceId } = await bluetooth.send('BluetoothEmulation.addService', {
        address: ADDRESS,
        serviceUuid,
      });
      for (const uuid of uuids) {
        const { characteristicId } = await bluetooth.send('BluetoothEmulation.addCharacteristic', {
          serviceId,
          characteristicUuid: uuid,
          properties: { read: true, write: true, notify: true },
        });
        await bluetooth.send('BluetoothEmulation.addDescriptor', { characteristicId, descriptorUuid: CCCD });
        this.#uuids.set(characteristicId, uuid);
      }
    };
    await service(PMD, [CONTROL, DATA]);
    await service(assigned('180d'), [assigned(HEART_RATE)]);
  }

  #answer(): void {
    const bluetooth = this.#browser;
    bluetooth.on('BluetoothEmulation.gattOperationReceived', ({ address, type }) => {
      void bluetooth.send('BluetoothEmulation.simulateGATTOperationResponse', { address, type, code: 0 });
    });
    bluetooth.on('BluetoothEmulation.characteristicOperationReceived', ({ characteristicId, type, data }) => {
      void bluetooth.send('BluetoothEmulation.simulateCharacteristicOperationResponse', {
        characteristicId,
        type,
        code: 0,
      });
      if (type === 'write' && data !== undefined) this.#obey([...Buffer.from(data, 'base64')]);
    });
  }

  async #chooseFirst(): Promise<void> {
    const session = await this.#page.context().newCDPSession(this.#page);
    await session.send('DeviceAccess.enable');
    const answered = new Set<string>();
    session.on('DeviceAccess.deviceRequestPrompted', ({ id, devices: [first] }) => {
      if (first === undefined || answered.has(id)) return;
      answered.add(id);
      void session.send('DeviceAccess.selectPrompt', { id, deviceId: first.id });
    });
  }

  #obey(request: number[]): void {
    this.requests.push(request);
    this.#notify(CONTROL, Buffer.from([0xf0, request[0] ?? 0, request[1] ?? 0, 0, 0]));
    clearInterval(this.#timer);
    if (request[0] !== 2) return;
    if (this.#startMs === 0) this.#startMs = performance.now();
    this.#timer = setInterval(() => this.#advance(), EVERY_MS);
  }

  #advance(): void {
    const due = ((performance.now() - this.#startMs) * RATE_HZ) / 1000;
    for (; this.sent + SAMPLES <= due; this.sent += SAMPLES) {
      const frame = Buffer.alloc(10 + 3 * SAMPLES);
      const last = this.sent + SAMPLES - 1;
      frame.writeBigUInt64LE(START_NS + BigInt(Math.round((last * 1e9) / RATE_HZ)), 1);
      for (let i = 0; i < SAMPLES; i++) frame.writeIntLE(this.#value(this.sent + i), 10 + 3 * i, 3);
      if (!this.isOutOfReach) this.#notify(DATA, frame);
    }
  }

  /** The strap feels whether it touches the skin. */
  feel(isOnSkin: boolean): void {
    this.#notify(assigned(HEART_RATE), Buffer.from([isOnSkin ? 0x06 : 0x04, 72]));
  }

  #notify(uuid: string, bytes: Buffer): void {
    this.#delivered = this.#delivered
      .then(() =>
        this.#page.evaluate(
          ([characteristic, values]) => {
            const target = (window as Hearing).strapHears?.get(characteristic);
            if (target === undefined) return;
            Object.defineProperty(target, 'value', {
              configurable: true,
              value: new DataView(Uint8Array.from(values).buffer),
            });
            target.dispatchEvent(new Event('characteristicvaluechanged'));
          },
          [uuid, [...bytes]] as const,
        ),
      )
      .catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    // Chromium does not survive it when a page still has the device.
    await this.#page.goto('about:blank');
    await this.#browser.send('BluetoothEmulation.disable');
    await this.#browser.detach();
  }
}
