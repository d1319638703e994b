// A server that takes results as FHIR, and may have orders.

import { type Static, Type } from 'typebox';
import type { ConnectionFacts } from './connection-facts.ts';
import { field } from './connection-field.ts';
import { checkUrl } from './network-address.ts';
import { wrong } from './wrong-field.ts';

/** Active orders for an ECG, by the codes that hospitals use for it: LOINC, SNOMED CT. */
const USUAL_ORDERS =
  'status=active&intent=order&code=http://loinc.org|11524-6,http://snomed.info/sct|29303009,http://snomed.info/sct|268400002';

const Config = Type.Object(
  {
    url: field.url('its base address, https://…; http only for this computer.'),
    /** Whose numbers the patients' are, as a URI; empty where nobody says. */
    patientSystem: field.text(1024, {
      option: 'patient-system',
      value: 'URI',
      meaning: 'the system of the patient numbers, such as urn:oid:1.2.3. Default: any.',
      isShown: true,
      hasHint: true,
    }),
    /** Empty: it lets everybody in. */
    clientId: field.text(256, {
      option: 'client-id',
      value: 'C',
      meaning: 'the client ID (OAuth), if the server requires one.',
      hasHint: true,
    }),
    tokenUrl: field.text(1024, {
      option: 'token-url',
      value: 'U',
      meaning: 'the URL at which the client gets its tokens.',
      isRequired: true,
      onlyWith: 'clientId',
    }),
    /** The parameters of the search that finds our orders there; empty where nobody asks for any. */
    orders: field.text(1024, {
      option: 'orders',
      value: 'SEARCH',
      meaning:
        'also take orders, found by this search for ServiceRequests, such as status=active&code=11524-6. Default: none.',
      usual: USUAL_ORDERS,
      isSwitched: true,
      isShown: true,
      hasHint: true,
    }),
    certificates: field.certificates(),
  },
  { additionalProperties: false },
);
export type FhirConfig = Static<typeof Config>;

export const FHIR: ConnectionFacts<typeof Config> = {
  config: Config,
  takes: 'results',
  secret: {
    option: 'secret-file',
    meaning: 'a file containing only the secret of the client.',
    onlyWith: 'clientId',
  },
  needsSecret: ({ clientId }) => clientId !== '',
  check(given) {
    const config = {
      ...given,
      url: checkUrl(given.url.trim()).href.replace(/\/+$/, ''),
      patientSystem: given.patientSystem.trim(),
      clientId: given.clientId.trim(),
      tokenUrl: given.tokenUrl.trim(),
      orders: given.orders.trim().replace(/^\?/, ''),
    };
    if (!/^[!"$-~]*$/.test(config.orders))
      throw wrong(
        'orders',
        'Enter the search for orders as parameters without spaces, such as status=active&code=11524-6.',
      );
    if (config.patientSystem !== '' && !/^[a-z][a-z0-9+.-]*:\S+$/i.test(config.patientSystem))
      throw wrong('patientSystem', 'The system of the patient numbers must be a URI, such as urn:oid:1.2.3.');
    if ((config.clientId === '') !== (config.tokenUrl === ''))
      throw wrong('client', 'A client needs three things: its ID, its secret, and the token address.');
    if (config.tokenUrl !== '') checkUrl(config.tokenUrl);
    return config;
  },
  // Which orders are asked for there makes no other server of it.
  isSame: (one, other) =>
    one.url === other.url &&
    one.patientSystem === other.patientSystem &&
    one.clientId === other.clientId &&
    one.tokenUrl === other.tokenUrl,
  // Two searches at one server would make two lists of one.
  isInTheWay: (one, other) => one.url === other.url && one.orders !== '' && other.orders !== '',
  hostOf: ({ url }) => new URL(url).host,
  nameOf: ({ url }) => new URL(url).host,
  orderTroubles: ({ url, orders }) =>
    orders === '' ? undefined : { list: { format: 'fhir', url }, failed: 'fhir', partial: 'fhirPart' },
};
