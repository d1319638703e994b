// FHIR servers as a kind of connection: each reading is sent as one transaction, and the server may have orders.

import type { FhirConfig } from '../../../shared/connections/fhir.ts';
import { type FhirAddress, FhirConnection } from '../../hospital/fhir/fhir-connection.ts';
import type { Kind, OpenConnection, Opening } from '../kind.ts';
import { FhirClient } from './fhir-client.ts';
import { FhirOrders } from './fhir-orders.ts';
import { packFhir } from './pack-fhir.ts';

const addressOf = ({ url, certificates, clientId, tokenUrl }: FhirConfig, secret: string): FhirAddress => ({
  url,
  ...(certificates !== undefined && { certificates: [certificates] }),
  ...(clientId !== '' && { client: { id: clientId, secret, tokenUrl } }),
});

function open({ config, secret }: Opening<'fhir'>): OpenConnection {
  const address = addressOf(config, secret);
  const client = new FhirClient(address);
  const orders =
    config.orders === ''
      ? undefined
      : new FhirOrders({ ...config, search: config.orders, connect: () => new FhirConnection(address) });
  return {
    get trouble() {
      return client.trouble;
    },
    test: (signal) => client.test(signal),
    deliver: (clinic) => ({
      client,
      pack: (entry) => packFhir(clinic, entry, config.patientSystem, config.url),
      [Symbol.asyncDispose]: async () => undefined,
    }),
    orders,
    async [Symbol.asyncDispose]() {
      await orders?.[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

export const FHIR: Kind<'fhir'> = {
  noun: 'FHIR server',
  settings: [],
  start: () => ({ open, [Symbol.asyncDispose]: async () => undefined }),
  describe: ({ tookMs }) => [`reached in ${Math.round(tookMs)} ms; it is a FHIR server, version 4`],
};
