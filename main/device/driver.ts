// What a driver of a device is: facts as data, a parser from bytes to samples, commands as tables. No driver
// touches a port, a clock or a timer; the link does. Source of all figures: device protocols reference.

import type { DeviceFormat } from './device-format.ts';
import type { PacketParser } from './packets/packet-parser.ts';

/** How the samples of a packet are placed in time when some are missing. */
export interface PacketFacts {
  readonly packetBytes: number;
  readonly samplesPerPacket: number;
  /** After so many packets the counter begins again; absent where there is none. */
  readonly counterModulo?: number;
  /** The counter counts samples and is exact over every pause that the device has power. */
  readonly isCounterLong?: boolean;
}

/** Whether what was lost is told, not only guessed by arrivals. */
export const tellsLosses = ({ counterModulo }: PacketFacts): boolean => counterModulo !== undefined;

/** One kind of packets that a driver reads: a board, a firmware, a number of channels. */
export interface Variant {
  readonly id: string;
  readonly name: string;
  readonly packets: PacketFacts;
  /** Absent where the device tells itself. */
  readonly format?: DeviceFormat;
  /** The same packets can mean another variant: a person confirms. */
  readonly isAmbiguous?: boolean;
}

/** What an answer of a device means. */
export interface Answer {
  readonly variant?: string;
  /** One sentence with the remedy: the device is there and can't be used. */
  readonly fault?: string;
}

/** One step of a handshake, done by the link. */
export interface Step {
  readonly send?: Uint8Array;
  /** What arrives within this time after sending is dropped. */
  readonly quietMs?: number;
  readonly expect?: {
    readonly withinMs: number;
    readonly tries: number;
    /**
     * @param text what arrived since sending, one character a byte; undefined while the answer is not whole.
     */
    read(text: string): Answer | undefined;
    /** One sentence with the remedy. */
    readonly silence: string;
  };
}

/** How a port must be set so that the device behind it sends. */
export interface PortSettings {
  readonly dtr: boolean;
  readonly rts: boolean;
  /** After opening, until the device is ready to be spoken to. */
  readonly settleMs: number;
}

/**
 * USB identity and how likely it is this driver's device (reference, 1.4): 3 almost certain, 2 likely, 1
 * possible.
 */
export interface AdapterMatch {
  /** Four hexadecimal digits, lower case. */
  readonly vendorId: string;
  readonly productId?: string;
  readonly weight: 1 | 2 | 3;
}

export interface Probe {
  /** `vvvv:pppp` or `vvvv:*`: what is sent to anything else might switch off its electrodes. */
  readonly adapters: readonly string[];
  readonly bauds: readonly number[];
  readonly step: Step;
}

export interface Driver {
  readonly id: string;
  readonly name: string;
  readonly adapters: readonly AdapterMatch[];
  /** Names under which Bluetooth devices of the kind appear. */
  readonly bluetoothName?: RegExp;
  /** The first one is the usual one. */
  readonly bauds: readonly number[];
  readonly variants: readonly Variant[];
  /** Packets in a row before detection believes it (reference, 1.4). */
  readonly confirmPackets: number;
  readonly port: PortSettings;
  readonly probe?: Probe;
  start(variant: Variant): readonly Step[];
  readonly stop: readonly Step[];
  /** Sent while it streams, so often. */
  readonly keepAlive?: { readonly send: Uint8Array; readonly everyMs: number };
  /** Longest silence of a streaming device that is there. */
  readonly maxSilenceMs: number;
  createParser(variant: Variant): PacketParser;
}

export const asciiBytes = (text: string): Uint8Array =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0));
