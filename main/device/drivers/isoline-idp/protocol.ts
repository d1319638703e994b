// The Isoline device protocol, version 1, as constants and its own packets of commands (device protocols
// reference, 11; for makers: docs/device-kit).

import type { LeadCode } from '../../../../shared/signal/lead.ts';
import { encodeCobs } from './cobs.ts';
import { crc16 } from './crc16.ts';

export const PROTOCOL_VERSION = 1;
export const MAGIC = 'ISOL';
export const MAX_WIRE_BYTES = 1030;
export const MAX_SAMPLE_BYTES = 1000;
export const MAX_SAMPLES = 64;

export const PACKET = { hello: 0x01, data: 0x02, event: 0x03, ack: 0x04, log: 0x05, pong: 0x06 } as const;
export const COMMAND = { getHello: 0x81, start: 0x82, stop: 0x83, set: 0x84, ping: 0x85 } as const;

export const HELLO_FLAGS = { leadOff: 1, pace: 2, battery: 4, button: 8, simulated: 0x80 } as const;
export const DATA_FLAGS = { leadOffValid: 1, overrun: 2, button: 4, pace: 8, simulated: 0x80 } as const;
export const EVENT_CODE = { button: 1, pace: 2, leadChange: 3, batteryLow: 4, error: 5 } as const;

/** By code; 0 is no ECG lead. */
const LEAD_NAMES = [
  '',
  'I',
  'II',
  'III',
  'V1',
  'V2',
  'V3',
  'V4',
  'V5',
  'V6',
  'AVR',
  'AVL',
  'AVF',
  'ES',
  'AS',
  'AI',
  'A',
  'D',
];

export function leadOfCode(code: number): LeadCode | undefined {
  const name = LEAD_NAMES[code];
  return name === undefined || name === '' ? undefined : (`MDC_ECG_LEAD_${name}` as LeadCode);
}

export const codeOfLead = (lead: LeadCode): number =>
  Math.max(0, LEAD_NAMES.indexOf(lead.slice('MDC_ECG_LEAD_'.length)));

/** A body with its check, as it goes over the wire. */
export function wirePacket(body: Uint8Array): Uint8Array {
  const whole = new Uint8Array(body.length + 2);
  whole.set(body);
  const crc = crc16(body, body.length);
  whole[body.length] = crc >> 8;
  whole[body.length + 1] = crc & 0xff;
  return encodeCobs(whole);
}
