// Opens what lies in a data folder for whoever works on it: the clinic thread, or a short command beside it.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import type { IsolineError } from '../../shared/errors.ts';
import { resolveSettings } from '../../shared/settings.ts';
import { base32Id, type ClinicContext } from '../clinic/context.ts';
import { SECRET_COST } from '../clinic/people/secrets.ts';
import type { BackupMaker, Log, Pool, RandomBytes } from '../clinic/ports.ts';
import { openBackupSecret, openTokenVault } from '../connections/token-vault.ts';
import { hashFile } from '../pool/hash-file.ts';
import { PRODUCT_VERSION } from '../product/product.ts';
import { anchorFault } from '../store/audit/audit-anchor.ts';
import { openFiles } from '../store/files/files.ts';
import { writeDurably } from '../store/files/write-durably.ts';
import { diskEncryption } from '../store/folder/disk-encryption.ts';
import { hasDamageMark } from '../store/folder/home-folder.ts';
import { INSTALLATION_ID_LENGTH } from '../store/folder/instance.ts';
import { openLog } from '../store/folder/log.ts';
import { type OpenStore, openStore, readSettings } from '../store/store.ts';
import { FilesOpenedWith } from './opened-files.ts';
import { supportFacts } from './support-facts.ts';

export const secureRandom: RandomBytes = (length) => Uint8Array.from(randomBytes(length));

export function openDataStore(
  dataDir: string,
  role: 'writer' | 'command',
  onDamage?: (error: IsolineError) => void,
): OpenStore {
  if (isMainThread) process.umask(0o077);
  return openStore({
    path: join(dataDir, 'isoline.sqlite'),
    role,
    nowMs: Date.now(),
    makeInstallationId: () => base32Id(secureRandom, INSTALLATION_ID_LENGTH),
    isSuspect: hasDamageMark(dataDir),
    ...(onDamage !== undefined && { onDamage }),
  });
}

/** The settings of a folder whose store isn't open yet, and may be of an older version. */
export function storedSettings(dataDir: string): ReadonlyMap<string, string> {
  return readSettings(join(dataDir, 'isoline.sqlite'));
}

const noWorkers = <Port extends object>(): Port =>
  new Proxy({} as Port, {
    get() {
      throw new Error('a short command starts no workers');
    },
  });

/**
 * The context of a command that reads, or changes something in one short transaction, beside a running
 * workstation.
 */
export async function commandContext(dataDir: string, store: OpenStore): Promise<ClinicContext> {
  const log: Log = openLog(dataDir);
  const files = await openFiles(dataDir, hashFile);
  return {
    store,
    files,
    pool: noWorkers<Pool>(),
    orderFolder: { look: async () => ({ files: 0 }) },
    connectionSecrets: openTokenVault({ dataDir, writeDurably }),
    backupSecret: openBackupSecret({ dataDir, writeDurably }),
    backupMaker: noWorkers<BackupMaker>(),
    updating: undefined,
    support: supportFacts(dataDir),
    openedFiles: new FilesOpenedWith(),
    diskEncryption: () => diskEncryption(dataDir),
    auditAnchorFault: () => anchorFault(dataDir, store.audit),
    isEmergency: false,
    clock: { nowMs: Date.now, monotonicMs: () => performance.now() },
    randomBytes: secureRandom,
    secretCost: SECRET_COST,
    log,
    productVersion: PRODUCT_VERSION,
    publish: () => undefined,
    settings: () => resolveSettings(store.settings.all()),
    settingsChanged: () => undefined,
    restart: () => undefined,
  };
}
