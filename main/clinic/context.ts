// What every domain operation works with, and the one way in which state is changed: a transaction that holds
// the change and the audit row that tells of it.

import { setTimeout as wait } from 'node:timers/promises';
import type { EventName, EventPayload } from '../../shared/bridge/contract.ts';
import { IsolineError } from '../../shared/errors.ts';
import type { Settings } from '../../shared/settings.ts';
import { isStorageError } from '../ground/storage-fault.ts';
import type { AuditEntry } from './audit.ts';
import type { SecretCost } from './people/secrets.ts';
import type {
  AnchorFault,
  BackupMaker,
  Clock,
  DiskEncryption,
  Files,
  Log,
  OpenedFiles,
  OrderFolder,
  Pool,
  RandomBytes,
  SecretText,
  SupportFacts,
  TokenVault,
  Updating,
} from './ports.ts';
import type { Store } from './store.ts';

export type Publish = <K extends EventName>(name: K, payload: EventPayload<K>) => void;

export interface ClinicContext {
  readonly store: Store;
  readonly files: Files;
  readonly pool: Pool;
  readonly orderFolder: OrderFolder;
  readonly connectionSecrets: TokenVault;
  /** The passphrase of the backups. */
  readonly backupSecret: SecretText;
  readonly backupMaker: BackupMaker;
  /** Undefined where this host replaces nothing, as when the program runs from its sources. */
  readonly updating: Updating | undefined;
  readonly support: SupportFacts;
  readonly openedFiles: OpenedFiles;
  /** How the audit trail does not fit what is noted of it outside the database; undefined where it does. */
  readonly auditAnchorFault: () => Promise<AnchorFault | undefined>;
  /** Whether the disk with the data folder is encrypted. */
  readonly diskEncryption: () => Promise<DiskEncryption>;
  /** The database of the data folder is damaged, and this is a fresh folder in which is recorded meanwhile. */
  readonly isEmergency: boolean;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** For hashing PINs and passwords. */
  readonly secretCost: SecretCost;
  readonly log: Log;
  /** Printed on reports. */
  readonly productVersion: string;
  readonly publish: Publish;
  /** The settings in force; they may change while the program runs. */
  settings(): Settings;
  /** One was changed here. */
  settingsChanged(): void;
  /** Closes the data folder in order and opens it again. */
  restart(): void;
}

export type Note = Omit<AuditEntry, 'timeMs'>;

/**
 * Another process may hold the database for a moment; the thread stays free meanwhile (durability reference,
 * 2.1; D105).
 */
const BUSY_PATIENCE_MS = 5000;
const BUSY_PAUSE_MS = 20;

/**
 * A transaction that is running. What takes one may be called inside of it alone, because nobody has one elsewhere. The memory of the
 * program is changed, and others are told, once it is committed: of what is rolled back nothing is left.
 */
export interface Tx {
  /** @param then must not fail */
  after(then: () => void): void;
}

class RunningTransaction implements Tx {
  readonly #after: (() => void)[] = [];

  after(then: () => void): void {
    this.#after.push(then);
  }

  /** It was committed. */
  end(): void {
    for (const then of this.#after) then();
  }
}

/**
 * One transaction, tried at once and again while another process holds the database.
 * @param work is plain and synchronous, and may run more than once: it reads what it decides on itself.
 * @throws IsolineError `storage_busy` after five seconds, `storage_full`
 */
export async function transact<T>(store: Store, work: (tx: Tx) => T): Promise<T> {
  for (const startMs = performance.now(); ; ) {
    const tx = new RunningTransaction();
    let result: { readonly of: T } | undefined;
    try {
      result = { of: store.transaction(() => work(tx)) };
    } catch (error) {
      const isBusy = error instanceof IsolineError && error.reason === 'storage_busy';
      if (!isBusy || performance.now() - startMs >= BUSY_PATIENCE_MS) throw error;
    }
    if (result !== undefined) {
      tx.end();
      return result.of;
    }
    await wait(BUSY_PAUSE_MS);
  }
}

/**
 * Changes state: everything `work` does and the audit rows it returns, or nothing.
 * @param work as in `transact`; it returns its result and the audit notes of what it did.
 */
export const change = <T>(context: ClinicContext, work: Work<T>): Promise<T> =>
  transact(context.store, (tx) => changed(context, tx, work));

/** What a change does, and the audit notes of it. */
export type Work<T> = (tx: Tx) => { result: T; notes: readonly Note[] };

function changed<T>({ store, clock }: ClinicContext, tx: Tx, work: Work<T>): T {
  const { result, notes } = work(tx);
  const timeMs = clock.nowMs();
  for (const note of notes) store.audit.append({ ...note, timeMs });
  return result;
}

/** Changes that come so soon behind each other are written as one. */
const LINGER_MS = 2;

interface Waiting {
  /** Whoever waits hears of it once all is committed. */
  run(tx: Tx): void;
  fail(error: unknown): void;
}

/**
 * Changes that come at the same time, in one transaction: a disk syncs once for all of them. Each is whole or not at all by
 * itself; what the disk refuses is refused to all.
 */
export class Together {
  readonly #context: ClinicContext;
  #waiting: Waiting[] = [];

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  /** As `change`. */
  change<T>(work: Work<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({
      run: (tx) => {
        const own = new RunningTransaction();
        try {
          const result = this.#context.store.transaction(() => changed(this.#context, own, work));
          tx.after(() => {
            own.end();
            resolve(result);
          });
        } catch (error) {
          if (isStorageError(error)) throw error;
          tx.after(() => reject(error));
        }
      },
      fail: reject,
    });
    if (this.#waiting.length === 1) setTimeout(() => void this.#commit(), LINGER_MS);
    return promise;
  }

  async #commit(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      await transact(this.#context.store, (tx) => {
        for (const { run } of batch) run(tx);
      });
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }
}

const LOCAL_ID_LENGTH = 12;
const BASE_32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Random text of letters and digits that can't be mistaken for each other when read aloud (D122). */
export function base32Id(randomBytes: RandomBytes, length: number): string {
  return Array.from(randomBytes(length), (byte) => BASE_32[byte & 31]).join('');
}

/** A name for a task that is the same in every copy of the data (D122). */
export const newLocalId = (randomBytes: RandomBytes): string => base32Id(randomBytes, LOCAL_ID_LENGTH);
