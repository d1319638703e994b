// Hospital information systems as a kind of connection: each reading is sent as one message.

import { base32Id } from '../../clinic/context.ts';
import type { Kind, KindWorld, OpenConnection, Opening } from '../kind.ts';
import { addressOf } from '../port-address.ts';
import { packResult, testMessage } from './pack-result.ts';
import { ResultsClient } from './results-client.ts';

const TEST_ID_LENGTH = 12;

function open({ context }: KindWorld, { config }: Opening<'hl7'>): OpenConnection {
  const client = new ResultsClient(addressOf(config));
  return {
    get trouble() {
      return client.trouble;
    },
    test(signal) {
      const { settings, clock, randomBytes } = context;
      const id = base32Id(randomBytes, TEST_ID_LENGTH);
      return client.test(testMessage(settings(), config, id, clock.nowMs()), signal);
    },
    deliver: (clinic) => ({
      client,
      pack: (entry) => packResult(clinic, entry, config),
      [Symbol.asyncDispose]: async () => undefined,
    }),
    [Symbol.asyncDispose]: async () => {
      // Each call has a connection of its own, and ends it.
    },
  };
}

export const HL7: Kind<'hl7'> = {
  noun: 'hospital system',
  settings: [],
  start: (world) => ({
    open: (opening) => open(world, opening),
    [Symbol.asyncDispose]: async () => undefined,
  }),
  describe: ({ tookMs }) => [`reached in ${Math.round(tookMs)} ms; it answers HL7 messages`],
};
