// A hospital information system that takes results by HL7: where it is, and how messages name it.

import { type Static, Type } from 'typebox';
import type { ConnectionFacts } from './connection-facts.ts';
import { field } from './connection-field.ts';
import { checkPort, isSamePort, portText } from './network-address.ts';

const USUAL_PORT = 2575;

const Config = Type.Object(
  {
    host: field.host(),
    port: field.port(USUAL_PORT),
    application: field.text(64, {
      option: 'application',
      value: 'A',
      meaning: 'the receiving application (MSH-5).',
      isShown: true,
    }),
    facility: field.text(64, {
      option: 'facility',
      value: 'F',
      meaning: 'the receiving facility (MSH-6).',
      isShown: true,
    }),
    isTls: field.tls(),
    certificates: field.certificates(),
  },
  { additionalProperties: false },
);
export type Hl7Config = Static<typeof Config>;

export const HL7: ConnectionFacts<typeof Config> = {
  config: Config,
  takes: 'results',
  needsSecret: () => false,
  check: (config) => ({
    ...checkPort(config),
    application: config.application.trim(),
    facility: config.facility.trim(),
  }),
  isSame: (one, other) =>
    isSamePort(one, other) && one.application === other.application && one.facility === other.facility,
  hostOf: portText,
  nameOf: ({ application, host }) => application || host,
};
