// A folder that results are written to, for programs that read files.

import { Type } from 'typebox';
import type { ConnectionFacts } from './connection-facts.ts';
import { field } from './connection-field.ts';
import { wrong } from './wrong-field.ts';

/** `/srv/ecg`, `D:\ecg`, `\\server\ecg` */
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/]|\\\\)/;

const Config = Type.Object(
  {
    path: field.text(250, {
      option: 'path',
      value: 'P',
      meaning: 'its full path.',
      isRequired: true,
      hasHint: true,
    }),
  },
  { additionalProperties: false },
);

export const FOLDER: ConnectionFacts<typeof Config> = {
  config: Config,
  takes: 'results',
  needsSecret: () => false,
  check({ path }) {
    const kept = path.trim().replace(/(?<=.)[\\/]+$/, '');
    if (!ABSOLUTE.test(path.trim()))
      throw wrong('path', 'Enter the full path of the folder, such as /srv/ecg or D:\\ecg.');
    return { path: kept };
  },
  isSame: (one, other) => one.path === other.path,
  hostOf: ({ path }) => path,
  nameOf: ({ path }) => path.split(/[\\/]/).findLast((part) => part !== '') ?? path,
};
