// Devices that speak the Isoline protocol (device protocols reference, 11): found by their own HELLO, never
// by a probe.

import type { Driver, Step } from '../../driver.ts';
import { IdpParser } from './parser.ts';
import { COMMAND, wirePacket } from './protocol.ts';

const command = (code: number): Uint8Array => wirePacket(Uint8Array.of(code));
const ping = wirePacket(Uint8Array.of(COMMAND.ping, 7, 0, 0, 0));

/** Any whole packet is an answer; the parser reads what it says. */
const ask = (code: number): Step => ({
  send: command(code),
  expect: {
    withinMs: 400,
    tries: 3,
    read: (text) => (/\0[^\0]{3,}\0/.test(text) ? {} : undefined),
    silence: 'The device does not answer: plug it in again, and try once more.',
  },
});

export const ISOLINE_IDP: Driver = {
  id: 'isoline-idp',
  name: 'Isoline device protocol',
  adapters: [
    { vendorId: '16c0', weight: 2 },
    { vendorId: '2e8a', weight: 2 },
    { vendorId: '303a', weight: 2 },
    { vendorId: '0483', productId: '5740', weight: 2 },
    { vendorId: '10c4', productId: 'ea60', weight: 1 },
  ],
  bauds: [115_200, 921_600, 460_800, 230_400],
  variants: [
    {
      id: 'idp',
      name: 'Isoline device protocol 1',
      packets: { packetBytes: 265, samplesPerPacket: 10, counterModulo: 2 ** 32, isCounterLong: true },
    },
  ],
  confirmPackets: 1,
  port: { dtr: true, rts: true, settleMs: 300 },
  start: () => [ask(COMMAND.getHello), ask(COMMAND.start)],
  stop: [{ send: command(COMMAND.stop), quietMs: 100 }],
  keepAlive: { send: ping, everyMs: 10_000 },
  maxSilenceMs: 1000,
  createParser: () => new IdpParser(),
};
