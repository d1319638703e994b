// A Bluetooth device that a person has paired here, with a pipe to the workstation (`shared/bluetooth-pipes.ts`). Where the
// connection breaks it is made again, for as long as the workstation wants the device.

import {
  type BluetoothPipe,
  bluetoothPath,
  type Characteristic,
  pipeFrame,
} from '../../shared/bluetooth-pipes.ts';
import type { Bridge } from '../../shared/bridge/contract.ts';
import type { GattCharacteristic, PairedDevice } from './web-bluetooth.ts';

const AGAIN_MS = 1000;

export class GattPipe {
  readonly path: string;
  readonly #device: PairedDevice;
  readonly #pipe: BluetoothPipe;
  readonly #deviceName: string;
  #bridge: Bridge;
  #endListening: () => void;
  #write: GattCharacteristic | undefined;
  /** Notifications wait for the one before: their order is that of the signal. */
  #sent: Promise<unknown> = Promise.resolve();
  #written: Promise<unknown> = Promise.resolve();
  #isWanted = true;

  constructor(device: PairedDevice, pipe: BluetoothPipe, bridge: Bridge) {
    this.#device = device;
    this.#pipe = pipe;
    this.#deviceName = device.name ?? pipe.name;
    this.path = bluetoothPath({ driver: pipe.driver, deviceName: this.#deviceName });
    this.#bridge = bridge;
    this.#endListening = this.#listen(bridge);
    device.addEventListener('gattserverdisconnected', () => void this.#returnToIt());
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Connects, and returns when its signal is there. @returns the name of the device on the desk */
  async open(): Promise<string> {
    try {
      await this.#connect();
      return await this.#beginPipe();
    } catch (error) {
      this.letGo();
      throw error;
    }
  }

  /** The page has another bridge, to a workstation that knows nothing of the device yet. */
  moveTo(bridge: Bridge): void {
    if (!this.#isWanted || bridge === this.#bridge) return;
    this.#endListening();
    this.#bridge = bridge;
    this.#endListening = this.#listen(bridge);
    void this.#beginAgain();
  }

  letGo(): void {
    this.#isWanted = false;
    this.#endListening();
    this.#device.gatt.disconnect();
  }

  async #beginPipe(): Promise<string> {
    const { id } = await this.#bridge.call('desk.openPipe', {
      driver: this.#pipe.driver,
      deviceName: this.#deviceName,
    });
    return id;
  }

  #listen(bridge: Bridge): () => void {
    return bridge.on('desk.pipe', ({ port, bytes }) => {
      if (port !== this.path) return;
      // Nothing more goes to it: nobody wants it any longer.
      if (bytes.length === 0) void this.#written.finally(() => this.letGo());
      else
        this.#written = this.#written
          .then(() => this.#write?.writeValueWithResponse(bytes))
          .catch(() => undefined);
    });
  }

  async #connect(): Promise<void> {
    await this.#device.gatt.connect();
    for (const [place, wanted] of this.#pipe.notify.entries()) {
      try {
        await this.#hear(place, wanted);
      } catch (error) {
        if (wanted.isOptional !== true) throw error;
      }
    }
  }

  async #hear(place: number, { service, uuid }: Characteristic): Promise<void> {
    const found = await (await this.#device.gatt.getPrimaryService(service)).getCharacteristic(uuid);
    found.addEventListener('characteristicvaluechanged', () => this.#fill(place, found.value));
    await found.startNotifications();
    if (uuid === this.#pipe.write.uuid) this.#write = found;
    // What changes seldom is asked for once.
    if (this.#pipe.notify[place]?.isRead === true) this.#fill(place, await found.readValue());
  }

  #fill(place: number, value: DataView | undefined): void {
    if (value === undefined || !this.#isWanted) return;
    const payload = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const bytes = pipeFrame(place, payload);
    this.#sent = this.#sent
      .then(() => this.#bridge.call('desk.fillPipe', { port: this.path, bytes }))
      .catch(() => undefined);
  }

  async #returnToIt(): Promise<void> {
    this.#write = undefined;
    await this.#bridge.call('desk.closePipe', { port: this.path }).catch(() => undefined);
    await this.#beginAgain();
  }

  async #beginAgain(): Promise<void> {
    const bridge = this.#bridge;
    while (this.#isWanted && bridge === this.#bridge) {
      try {
        if (!this.#device.gatt.connected) await this.#connect();
        await this.#beginPipe();
        return;
      } catch {
        // Out of reach or switched off, or the workstation is not there yet.
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }
}
