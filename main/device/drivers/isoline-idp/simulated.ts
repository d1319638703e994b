// A simulated device of the Isoline protocol: the twelve leads, or as many as asked for.

import type { LeadCode } from '../../../../shared/signal/lead.ts';
import { setInt24Le, setInt32Le } from '../../packets/write-integers.ts';
import { leadWiring } from '../../simulator/channels.ts';
import type { Reply, SimulatedProtocol } from '../../simulator/simulated-device.ts';
import { decodeCobs } from './cobs.ts';
import { ISOLINE_IDP } from './driver.ts';
import { COMMAND, codeOfLead, DATA_FLAGS, HELLO_FLAGS, PACKET, wirePacket } from './protocol.ts';

const LSB_PV = 100_000;
const LIMIT = 8_388_607;
const NAME = 'Isoline simulator';
const SERIAL = 1;
const HEAD_BYTES = 39;
const DATA_HEAD_BYTES = 20;
const BATTERY_PERCENT = 90;
/** 10 ms of samples, as far as a packet holds them. */
const PACKET_MS = 10;
const MAX_SAMPLE_BYTES = 1000;

export interface IdpOptions {
  readonly rateHz?: number;
  readonly leads?: readonly LeadCode[];
}

const EIGHT_LEADS = ['I', 'II', 'V1', 'V2', 'V3', 'V4', 'V5', 'V6'].map(
  (name): LeadCode => `MDC_ECG_LEAD_${name}` as LeadCode,
);

function hello(rateHz: number, leads: readonly LeadCode[]): Uint8Array {
  const name = new TextEncoder().encode(NAME);
  const body = new Uint8Array(HEAD_BYTES + leads.length + 1 + name.length);
  const view = new DataView(body.buffer);
  body.set([PACKET.hello, 1, 0x49, 0x53, 0x4f, 0x4c]);
  view.setUint32(6, SERIAL, true);
  view.setUint16(10, 0x0100, true);
  view.setUint32(12, Math.round(rateHz * 1000), true);
  view.setUint16(16, 2 ** leads.length - 1, true);
  body.set([leads.length, 3], 18);
  view.setInt32(20, -LIMIT, true);
  view.setInt32(24, LIMIT, true);
  view.setUint32(28, LSB_PV, true);
  view.setUint16(32, 50, true);
  view.setUint16(34, 150, true);
  body[38] = HELLO_FLAGS.leadOff | HELLO_FLAGS.battery | HELLO_FLAGS.button | HELLO_FLAGS.simulated;
  body.set(leads.map(codeOfLead), HEAD_BYTES);
  body[HEAD_BYTES + leads.length] = name.length;
  body.set(name, HEAD_BYTES + leads.length + 1);
  return wirePacket(body);
}

export function simulatedIdp({ rateHz = 1000, leads = EIGHT_LEADS }: IdpOptions = {}): SimulatedProtocol {
  const samplesPerPacket = Math.max(
    1,
    Math.min(Math.floor(MAX_SAMPLE_BYTES / 3 / leads.length), Math.round((PACKET_MS * rateHz) / 1000)),
  );
  const helloWire = hello(rateHz, leads);
  const answer = (bytes: Uint8Array): Reply => ({ afterMs: 2, bytes });
  const acknowledge = (command: number): Reply => answer(wirePacket(Uint8Array.of(PACKET.ack, command, 0)));
  return {
    driver: ISOLINE_IDP.id,
    variant: 'idp',
    rateHz,
    samplesPerPacket,
    channels: leads.map((lead) => ({
      wiring: leadWiring(lead),
      lsbUv: LSB_PV / 1e6,
      zero: 0,
      minimum: -LIMIT,
      maximum: LIMIT,
    })),
    highPassHz: 0.05,
    lowPassHz: 150,
    streamsAtOnce: false,
    idle: { everyMs: 1000, bytes: helloWire },
    encode(columns, { packet, firstSample, electrodesOff, isButtonPressed }) {
      const body = new Uint8Array(DATA_HEAD_BYTES + samplesPerPacket * columns.length * 3);
      const view = new DataView(body.buffer);
      body[0] = PACKET.data;
      body[1] = DATA_FLAGS.leadOffValid | DATA_FLAGS.simulated | (isButtonPressed ? DATA_FLAGS.button : 0);
      view.setUint16(2, packet & 0xffff, true);
      view.setUint32(4, firstSample >>> 0, true);
      setInt32Le(body, 8, (Math.round((firstSample * 1e6) / rateHz) % 2 ** 32) | 0);
      view.setUint16(12, 2 ** leads.length - 1, true);
      body.set([samplesPerPacket, 3], 14);
      view.setUint16(16, electrodesOff, true);
      body[19] = BATTERY_PERCENT;
      let at = DATA_HEAD_BYTES;
      for (let i = 0; i < samplesPerPacket; i++)
        for (const column of columns) {
          setInt24Le(body, at, column[i] as number);
          at += 3;
        }
      return wirePacket(body);
    },
    receive(bytes, control) {
      const replies: Reply[] = [];
      for (let at = 0; at < bytes.length; ) {
        const found = bytes.indexOf(0, at);
        const end = found < 0 ? bytes.length : found;
        const body = new Uint8Array(1030);
        const length = end > at ? decodeCobs(bytes, at, end, body) : -1;
        const [command] = body;
        if (length < 3) {
          at = end + 1;
          continue;
        }
        if (command === COMMAND.getHello) replies.push(answer(helloWire));
        else if (command === COMMAND.start) {
          control.start();
          replies.push(answer(helloWire), acknowledge(COMMAND.start));
        } else if (command === COMMAND.stop) {
          control.stop();
          replies.push(acknowledge(COMMAND.stop));
        } else if (command === COMMAND.ping)
          replies.push(answer(wirePacket(Uint8Array.of(PACKET.pong, ...body.subarray(1, 5), 0, 0, 0, 0))));
        at = end + 1;
      }
      return replies;
    },
  };
}
