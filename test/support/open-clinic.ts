// The domain of a data folder on a clock of the test's, over the real store and real files, with workers that
// do as they are told.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Clinic, openClinic } from '../../main/clinic/clinic.ts';
import type { ClinicContext } from '../../main/clinic/context.ts';
import type { Pool } from '../../main/clinic/ports.ts';
import { openBackupSecret, openTokenVault } from '../../main/connections/token-vault.ts';
import { FilesOpenedWith } from '../../main/host/opened-files.ts';
import { hashFile } from '../../main/pool/hash-file.ts';
import { workerUrl } from '../../main/product/product.ts';
import { backupMaker } from '../../main/store/backup/backup-maker.ts';
import { openFiles } from '../../main/store/files/files.ts';
import { writeDurably } from '../../main/store/files/write-durably.ts';
import { type OpenStore, openStore } from '../../main/store/store.ts';
import { resolveSettings } from '../../shared/settings.ts';
import { CHEAP_SECRETS } from './cheap-secrets.ts';
import { inTransaction } from './in-transaction.ts';

export interface TestClinic {
  readonly store: OpenStore;
  readonly clinic: Clinic;
  readonly organizationId: number;
  close(): Promise<void>;
}

export async function openTestClinic(
  folder: string,
  pool: Pool,
  nowMs: () => number,
  settings: readonly (readonly [string, string])[] = [],
  parts: Partial<
    Pick<ClinicContext, 'backupMaker' | 'updating' | 'productVersion' | 'support' | 'secretCost' | 'publish'>
  > & { readonly monotonicMs?: () => number } = {},
): Promise<TestClinic> {
  const { monotonicMs = nowMs, ...others } = parts;
  const store = openStore({
    path: join(folder, 'isoline.sqlite'),
    role: 'writer',
    nowMs: nowMs(),
    makeInstallationId: () => 'abcdefgh',
  });
  const clinic = await openClinic({
    store,
    files: await openFiles(folder, hashFile),
    pool,
    orderFolder: { look: async () => ({ files: 0 }) },
    connectionSecrets: openTokenVault({ dataDir: folder, writeDurably }),
    backupSecret: openBackupSecret({ dataDir: folder, writeDurably }),
    backupMaker: backupMaker(workerUrl('store/backup/backup-thread'), folder, 'test'),
    updating: undefined,
    support: { system: 'test', lastLog: async () => [] },
    openedFiles: new FilesOpenedWith(),
    diskEncryption: async () => 'unknown',
    restart: () => undefined,
    auditAnchorFault: async () => undefined,
    isEmergency: false,
    clock: { nowMs, monotonicMs },
    randomBytes: (length) => Uint8Array.from(randomBytes(length)),
    secretCost: CHEAP_SECRETS,
    log: () => undefined,
    productVersion: '0.1.0',
    publish: () => undefined,
    settingsChanged: () => undefined,
    settings: () =>
      resolveSettings(
        new Map([['storage.reserve', '0'], ['uploads.maxOpen', '3'], ...settings]),
        store.settings.all(),
      ),
    ...others,
  });
  return {
    store,
    clinic,
    organizationId: store.organizations.byPath('clinic')?.id ?? 0,
    async close() {
      await clinic.close();
      store.close();
    },
  };
}

/** @returns the task of a recording that was imported, with a file that nobody can read */
export async function addImported({ clinic, store, organizationId }: TestClinic): Promise<number> {
  const sha256 = await clinic.context.files.put(new TextEncoder().encode('an ECG'));
  const files = [{ name: 'a.edf', sha256, sizeBytes: 6 }];
  const facts = { format: 'EDF', leadCount: 12, durationMs: 10_000, patient: {}, warnings: [] };
  return inTransaction(
    store,
    (tx) =>
      clinic.tasks.addRecorded(tx, {
        organizationId,
        fields: { patient: { lastName: 'Hoffmann' } },
        isAutoComplete: false,
        origin: 'import',
        files,
        facts,
        actor: 'test',
      }).taskId,
  );
}
