// Whether this data folder is the one that it was: a restored backup or a copy must not send again what the
// other one has sent (reference of durability, 4.6). What tells them apart lies beside the database and is no
// part of a backup.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Clinic } from '../../clinic/clinic.ts';
import { base32Id, transact } from '../../clinic/context.ts';
import { followAudit } from '../audit/follow-audit.ts';
import { writeDurably } from '../files/write-durably.ts';

const FILE = 'instance.json';
const NONCE_LENGTH = 26;
export const INSTALLATION_ID_LENGTH = 8;
const ASK_MS = 5000;

/** How each system is asked which computer it is; a name would change with the network. */
const ASKED: Partial<
  Record<NodeJS.Platform, readonly [command: string, arguments_: readonly string[], id: RegExp]>
> = {
  darwin: ['/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'], /"IOPlatformUUID" = "([^"]+)"/],
  win32: [
    'reg.exe',
    ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid'],
    /MachineGuid\s+REG_SZ\s+(\S+)/,
  ],
};

/** Empty where the system does not say: the folder alone tells copies apart then. */
function machineId(): string {
  try {
    const asked = ASKED[process.platform];
    if (asked === undefined) return readFileSync('/etc/machine-id', 'utf8').trim();
    const [command, arguments_, id] = asked;
    return id.exec(execFileSync(command, [...arguments_], { encoding: 'utf8', timeout: ASK_MS }))?.[1] ?? '';
  } catch {
    // A system without that file, or that tool.
    return '';
  }
}

/** This computer, and this folder on it. */
const placeOf = (dataDir: string): string =>
  createHash('sha256')
    .update(`${machineId()}\n${realpathSync(dataDir)}`)
    .digest('hex');

interface Instance {
  readonly nonce: string;
  readonly place: string;
  /** Rows of the audit by then. */
  readonly seq: number;
}

function readInstance(dataDir: string): Partial<Instance> {
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Partial<Instance>;
  } catch {
    // Missing or damaged: as in a copy.
    return {};
  }
}

function isSame(dataDir: string, nonce: string, seq: number): boolean {
  const known = readInstance(dataDir);
  return known.nonce === nonce && known.place === placeOf(dataDir) && (known.seq ?? 0) <= seq;
}

/**
 * Before anything is sent: data that were copied or restored send nothing by themselves, and what is recorded
 * from now on goes under another name than what the other one records.
 * @returns what keeps noting how far the data are
 */
export async function noticeCopy(
  dataDir: string,
  { context, outbox }: Pick<Clinic, 'context' | 'outbox'>,
): Promise<AsyncDisposable> {
  const { store, randomBytes } = context;
  const known = store.nonce();
  const isKnown = known !== undefined && isSame(dataDir, known, store.audit.lastSeq());
  const nonce = isKnown ? known : base32Id(randomBytes, NONCE_LENGTH);
  if (!isKnown) {
    if (known !== undefined) await outbox.stopInCopy();
    const installationId = known === undefined ? undefined : base32Id(randomBytes, INSTALLATION_ID_LENGTH);
    await transact(store, () => store.setNonce(nonce, installationId));
  }
  const place = placeOf(dataDir);
  return followAudit(context, 'instance.failed', (seq) => {
    const instance: Instance = { nonce, place, seq };
    return writeDurably(join(dataDir, FILE), JSON.stringify(instance));
  });
}
