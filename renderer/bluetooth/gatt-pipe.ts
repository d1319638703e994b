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

const nameOf = (device: PairedDevice, pipe: BluetoothPipe): string => device.name ?? pipe.name;

export class GattPipe {
  /** How the desk knows it. */
  static pathOf(device: PairedDevice, pipe: BluetoothPipe): string {
    return bluetoothPath({ driver: pipe.driver, deviceName: nameOf(device, pipe) });
  }

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
  /** All that is to be notified is; a connection without that is none. */
  #isHeard = false;
  /** The bridge on which the device is being brought again. */
  #lookingFor: Bridge | undefined;
  readonly #onGone = (): void => void this.#returnToIt();

  constructor(device: PairedDevice, pipe: BluetoothPipe, bridge: Bridge) {
    this.#device = device;
    this.#pipe = pipe;
    this.#deviceName = nameOf(device, pipe);
    this.path = GattPipe.pathOf(device, pipe);
    this.#bridge = bridge;
    this.#endListening = this.#listen(bridge);
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Connects, and returns when its signal is there. @returns the name of the device on the desk */
  async open(): Promise<string> {
    try {
      await this.#connect();
      const id = await this.#beginPipe();
      this.#device.addEventListener('gattserverdisconnected', this.#onGone);
      // It may have gone meanwhile.
      if (!this.#device.gatt.connected) this.#onGone();
      return id;
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
    this.#isHeard = false;
    this.#endListening();
    this.#device.removeEventListener('gattserverdisconnected', this.#onGone);
    this.#device.gatt.disconnect();
  }

  async #beginPipe(): Promise<string> {
    const { id } = await this.#bridge.call('desk.openPipe', {
      driver: this.#pipe.driver,
      deviceName: this.#deviceName,
    });
    await this.#askOnce();
    return id;
  }

  /** What changes seldom is asked for, as soon as somebody takes it. */
  async #askOnce(): Promise<void> {
    for (const [place, { service, uuid, isRead }] of this.#pipe.notify.entries()) {
      if (isRead !== true) continue;
      try {
        const found = await (await this.#device.gatt.getPrimaryService(service)).getCharacteristic(uuid);
        this.#fill(place, await found.readValue());
      } catch {
        // It is told with the next change.
      }
    }
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
    this.#isHeard = false;
    try {
      await this.#device.gatt.connect();
      for (const [place, wanted] of this.#pipe.notify.entries()) {
        try {
          await this.#hear(place, wanted);
        } catch (error) {
          if (wanted.isOptional !== true) throw error;
        }
      }
      this.#isHeard = true;
    } catch (error) {
      // Half of a connection would stay, and send nothing.
      this.#device.gatt.disconnect();
      throw error;
    }
  }

  async #hear(place: number, { service, uuid }: Characteristic): Promise<void> {
    const found = await (await this.#device.gatt.getPrimaryService(service)).getCharacteristic(uuid);
    found.addEventListener('characteristicvaluechanged', () => this.#fill(place, found.value));
    await found.startNotifications();
    if (uuid === this.#pipe.write.uuid) this.#write = found;
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
    this.#isHeard = false;
    // What is looked for already sees by itself that it went again.
    if (!this.#isWanted || this.#lookingFor === this.#bridge) return;
    await this.#bridge.call('desk.closePipe', { port: this.path }).catch(() => undefined);
    await this.#beginAgain();
  }

  async #beginAgain(): Promise<void> {
    const bridge = this.#bridge;
    if (this.#lookingFor === bridge) return;
    this.#lookingFor = bridge;
    try {
      await this.#look(() => this.#isWanted && bridge === this.#bridge);
    } finally {
      if (this.#lookingFor === bridge) this.#lookingFor = undefined;
    }
  }

  async #look(isMeant: () => boolean): Promise<void> {
    const isThere = (): boolean => this.#device.gatt.connected && this.#isHeard;
    while (isMeant()) {
      try {
        if (!isThere()) await this.#connect();
        if (!isMeant()) return;
        await this.#beginPipe();
        if (isThere()) return;
      } catch {
        // Out of reach or switched off, or the workstation is not there yet.
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }
}
