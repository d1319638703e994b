// The part of Web Bluetooth that is used here (W3C Community Group report, Web Bluetooth); the library of TypeScript
// does not have it, and not every browser does.

export interface GattCharacteristic extends EventTarget {
  readonly value: DataView | undefined;
  startNotifications(): Promise<unknown>;
  readValue(): Promise<DataView>;
  writeValueWithResponse(bytes: Uint8Array): Promise<void>;
}

interface GattServer {
  readonly connected: boolean;
  connect(): Promise<GattServer>;
  disconnect(): void;
  getPrimaryService(
    service: string,
  ): Promise<{ getCharacteristic(uuid: string): Promise<GattCharacteristic> }>;
}

export interface PairedDevice extends EventTarget {
  readonly name?: string;
  readonly gatt: GattServer;
}

interface WebBluetooth {
  getAvailability(): Promise<boolean>;
  requestDevice(options: {
    readonly filters: readonly { readonly namePrefix: string }[];
    readonly optionalServices: readonly string[];
  }): Promise<PairedDevice>;
}

/** Undefined where the browser has none, or the page did not come over a safe connection. */
export const webBluetooth = (): WebBluetooth | undefined =>
  (navigator as { readonly bluetooth?: WebBluetooth }).bluetooth;
