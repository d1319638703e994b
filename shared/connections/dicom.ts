// An archive (PACS): where it is, and what it is called.

import { type Static, Type } from 'typebox';
import type { ConnectionFacts } from './connection-facts.ts';
import { field } from './connection-field.ts';
import { checkPort, isSamePort, portText } from './network-address.ts';
import { wrong } from './wrong-field.ts';

/** The form of an AE title (PS3.5, 6.2): up to 16 printed characters, and none that separates values. */
const TITLE = /^(?! )[\x20-\x5b\x5d-\x7e]{1,16}(?<! )$/;
const USUAL_PORT = 104;

const Config = Type.Object(
  {
    host: field.host(),
    port: field.port(USUAL_PORT),
    title: field.text(16, {
      option: 'title',
      value: 'T',
      meaning: 'its AE title. Ours is the setting dicom.title.',
      isRequired: true,
      isShown: true,
    }),
    isTls: field.tls(),
    certificates: field.certificates(),
  },
  { additionalProperties: false },
);
export type DicomConfig = Static<typeof Config>;

export const DICOM: ConnectionFacts<typeof Config> = {
  config: Config,
  takes: 'results',
  needsSecret: () => false,
  check(config) {
    const title = config.title.trim();
    if (!TITLE.test(title))
      throw wrong('title', 'The AE title of the archive must have 1 to 16 letters, digits or symbols.');
    return { ...checkPort(config), title };
  },
  isSame: (one, other) => isSamePort(one, other) && one.title === other.title,
  hostOf: portText,
  nameOf: ({ title }) => title,
};
