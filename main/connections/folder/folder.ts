// A folder as a kind of connection: each reading is written there as PDF and JSON.

import type { Kind, OpenConnection, Opening } from '../kind.ts';
import { FolderClient } from './folder-client.ts';
import { packFiles } from './pack-files.ts';

function open({ config }: Opening<'folder'>): OpenConnection {
  const client = new FolderClient(config.path);
  return {
    get trouble() {
      return client.trouble;
    },
    test: () => client.test(),
    deliver: (clinic) => ({
      client,
      pack: (entry) => packFiles(clinic, entry),
      [Symbol.asyncDispose]: async () => undefined,
    }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

export const FOLDER: Kind<'folder'> = {
  noun: 'folder',
  troubles: {
    offline: 'it cannot be written to: look whether it exists, and whether this account may write there',
    server: 'its disk is full',
  },
  settings: [],
  start: () => ({ open, [Symbol.asyncDispose]: async () => undefined }),
  describe: () => ['the folder can be written to'],
};
