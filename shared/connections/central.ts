// A central service: its address, and what the clinic is called there.

import { type Static, Type } from 'typebox';
import { ORGANIZATION_PATH } from '../token-scopes.ts';
import type { ConnectionFacts } from './connection-facts.ts';
import { field } from './connection-field.ts';
import { checkUrl } from './network-address.ts';
import { wrong } from './wrong-field.ts';

const Config = Type.Object(
  {
    url: field.url('the address, https://…; http only for this computer.'),
    organizationThere: field.text(64, {
      option: 'org',
      value: 'PATH',
      meaning: 'the path of the organization there.',
      isRequired: true,
      isShown: true,
      hasHint: true,
    }),
    certificates: field.certificates(),
  },
  { additionalProperties: false },
);
export type CentralConfig = Static<typeof Config>;

export const CENTRAL: ConnectionFacts<typeof Config> = {
  config: Config,
  takes: 'recordings',
  secret: { option: 'token-file', meaning: 'a file containing only the token.' },
  needsSecret: () => true,
  check(config) {
    const organizationThere = config.organizationThere.trim();
    if (!ORGANIZATION_PATH.test(organizationThere))
      throw wrong('organizationThere', `"${organizationThere}" is no organization path.`);
    const url = config.url.trim();
    checkUrl(url);
    return { ...config, url, organizationThere };
  },
  isSame: (one, other) =>
    new URL(one.url).href === new URL(other.url).href && one.organizationThere === other.organizationThere,
  hostOf: ({ url }) => new URL(url).host,
  nameOf: ({ url }) => new URL(url).host,
};
