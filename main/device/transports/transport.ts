// What a device is reached through: opened, bytes in, bytes out, closed with a cause. The link knows no more
// of a port than this.

import type { IsolineError } from '../../../shared/errors.ts';

export interface TransportEvents {
  /** @param arrivalMs by the monotonic clock. The bytes are the transport's: what is kept must be copied. */
  onBytes(bytes: Uint8Array, arrivalMs: number): void;
  /** The other end is gone; not after `close`. */
  onGone(): void;
  /** What a person should know, while the signal goes on. */
  onNotice?(notice: IsolineError): void;
}

export interface Transport {
  /** Nobody listens at the other end: what comes, comes without being asked for. */
  readonly isDeaf?: boolean;
  /** @throws IsolineError `device_lost` when nothing takes the bytes. */
  write(bytes: Uint8Array): Promise<void>;
  setBaud(baud: number): Promise<void>;
  /** Throws away what waits in the system. */
  discard(): Promise<void>;
  close(): Promise<void>;
}

/** Speeds that serial ports have. */
export const BAUD = { least: 1201, most: 4_000_000 };

export interface PortOptions {
  readonly baud: number;
  readonly dtr: boolean;
  readonly rts: boolean;
}

/**
 * @throws IsolineError `device_not_found`, `device_no_permission`, `device_in_use`, `device_not_serial`; `network_stream_not_found`, `stream_of_two_computers`,
 * `stream_address_invalid`, `bluetooth_not_paired` of what is not plugged in
 */
export type OpenTransport = (
  path: string,
  options: PortOptions,
  events: TransportEvents,
) => Promise<Transport>;

/** A port as the system lists it. */
export interface PortInfo {
  readonly path: string;
  /** Four hexadecimal digits, lower case. */
  readonly vendorId?: string;
  readonly productId?: string;
  readonly serialNumber?: string;
  readonly manufacturer?: string;
  /** Name of the product, where the system tells. */
  readonly product?: string;
  /** Socket that it is plugged into. */
  readonly location?: string;
}

/**
 * What a device stays when it is plugged in elsewhere; the path is no part of it where there is anything
 * better.
 */
export function identityOf({ vendorId, productId, serialNumber, location, path }: PortInfo): string {
  if (vendorId === undefined || productId === undefined) return `path:${path}`;
  return `usb:${vendorId}:${productId}:${serialNumber ?? `at ${location ?? path}`}`;
}
