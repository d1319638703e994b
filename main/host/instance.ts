// Whether this data folder is the one that it was: a restored backup or a copy must not send again what the other one has sent (reference of
// durability, 4.6). What tells them apart lies beside the database and is no part of a backup.

import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clinic } from '../clinic/clinic.ts';
import { base32Id, transact } from '../clinic/context.ts';
import { INSTALLATION_ID_LENGTH } from './data-folder.ts';

const FILE = 'instance.json';
const NONCE_LENGTH = 26;

/** This computer, and this folder on it. */
function placeOf(dataDir: string): string {
  let machine: string;
  try {
    machine = readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    // Systems without that file: the name of the computer tells most copies apart.
    machine = hostname();
  }
  return createHash('sha256')
    .update(`${machine}\n${realpathSync(dataDir)}`)
    .digest('hex');
}

interface Instance {
  readonly nonce: string;
  readonly place: string;
}

function readInstance(dataDir: string): Partial<Instance> {
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Partial<Instance>;
  } catch {
    // Missing or damaged: as in a copy.
    return {};
  }
}

const isSame = (dataDir: string, nonce: string): boolean => {
  const known = readInstance(dataDir);
  return known.nonce === nonce && known.place === placeOf(dataDir);
};

/**
 * Before anything is sent: data that were copied or restored send nothing by themselves, and what is recorded from now on goes under another
 * name than what the other one records.
 */
export async function noticeCopy(dataDir: string, { context, outbox }: Pick<Clinic, 'context' | 'outbox'>): Promise<void> {
  const { store, randomBytes } = context;
  const known = store.nonce();
  if (known !== undefined && isSame(dataDir, known)) return;
  const nonce = base32Id(randomBytes, NONCE_LENGTH);
  if (known !== undefined) await outbox.stopInCopy();
  const installationId = known === undefined ? undefined : base32Id(randomBytes, INSTALLATION_ID_LENGTH);
  await transact(store, () => store.setNonce(nonce, installationId));
  await writeFile(join(dataDir, FILE), JSON.stringify({ nonce, place: placeOf(dataDir) } satisfies Instance), { mode: 0o600 });
}
