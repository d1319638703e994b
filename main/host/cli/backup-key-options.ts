// How a command is given the key of a backup: never as an argument, which other programs of the computer can read.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { IsolineError } from '../../../shared/errors.ts';
import { type KeySource, readKeyFile } from '../../store/backup/backup-key.ts';
import type { Arguments, Option } from './command.ts';

export const KEY_OPTIONS = {
  passphrase: { meaning: 'The backup is encrypted; its passphrase comes on standard input.' },
  'key-file': { value: 'F', meaning: 'The backup is encrypted; this file has its key.' },
} as const satisfies Record<string, Option>;

/** @returns undefined where none is named */
export async function keySourceOf(
  args: Arguments,
  keyFile = args.text('key-file'),
): Promise<KeySource | undefined> {
  if (keyFile !== undefined) {
    const content = await readFile(resolve(keyFile), 'utf8').catch((error: unknown) => {
      throw new IsolineError('file_not_found', `There is no key file "${keyFile}".`, {}, { cause: error });
    });
    return readKeyFile(content);
  }
  if (!args.isOn('passphrase')) return undefined;
  return { kind: 'passphrase', passphrase: (await text(process.stdin)).replace(/\r?\n$/, '') };
}
