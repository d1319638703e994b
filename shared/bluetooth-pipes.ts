// Bluetooth devices are reached by a page, because only there a person can pair them; their protocol is spoken by the
// main process. Between the two runs a pipe: what a characteristic notifies goes in, what is sent goes to one of them.
// A new device is an entry here and a driver.

/** A characteristic of a service, both by their UUID. */
export interface Characteristic {
  readonly service: string;
  readonly uuid: string;
  /** Devices without it are used all the same. */
  readonly isOptional?: true;
  /** It notifies seldom: it is read once, too. */
  readonly isRead?: true;
}

export interface BluetoothPipe {
  /** The driver that speaks with what is behind it. */
  readonly driver: string;
  /** Its kind as a person knows it. */
  readonly name: string;
  /** Devices of the kind advertise names that begin so. */
  readonly namePrefix: string;
  /** What they notify goes into the pipe, with its place in this list. */
  readonly notify: readonly Characteristic[];
  readonly write: Characteristic;
}

/** Bluetooth numbers of 16 bits stand for these. */
const assigned = (number: string): string => `0000${number}-0000-1000-8000-00805f9b34fb`;

/** Polar Measurement Data: its service, its control point, its data (Polar BLE SDK, technical documentation). */
const PMD = {
  service: 'fb005c80-02e7-f387-1cad-8acd2d8df0c8',
  control: 'fb005c81-02e7-f387-1cad-8acd2d8df0c8',
  data: 'fb005c82-02e7-f387-1cad-8acd2d8df0c8',
};

export const BLUETOOTH_PIPES: readonly BluetoothPipe[] = [
  {
    driver: 'polar-h10',
    name: 'Polar H10',
    namePrefix: 'Polar H10',
    notify: [
      { service: PMD.service, uuid: PMD.control },
      { service: PMD.service, uuid: PMD.data },
      { service: assigned('180d'), uuid: assigned('2a37'), isOptional: true },
      { service: assigned('180f'), uuid: assigned('2a19'), isOptional: true, isRead: true },
    ],
    write: { service: PMD.service, uuid: PMD.control },
  },
];

const SCHEME = 'bluetooth:';

export interface BluetoothPath {
  readonly driver: string;
  /** As the device advertises itself: the name holds its number. */
  readonly deviceName: string;
}

export const bluetoothPath = ({ driver, deviceName }: BluetoothPath): string =>
  `${SCHEME}${driver}:${deviceName}`;

/** @returns undefined for any other path */
export function readBluetoothPath(path: string): BluetoothPath | undefined {
  const [, driver, deviceName] = /^bluetooth:([a-z\d-]+):(.+)$/.exec(path) ?? [];
  return driver === undefined || deviceName === undefined ? undefined : { driver, deviceName };
}

/** Which characteristic it came from, and how much follows. */
export const PIPE_HEAD_BYTES = 3;

/** One notification as it goes into a pipe. */
export function pipeFrame(place: number, payload: Uint8Array): Uint8Array {
  const frame = new Uint8Array(PIPE_HEAD_BYTES + payload.length);
  frame[0] = place;
  frame[1] = payload.length & 0xff;
  frame[2] = payload.length >> 8;
  frame.set(payload, PIPE_HEAD_BYTES);
  return frame;
}
