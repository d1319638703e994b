// What a disk or the database refuses, as the reasons that clients and people understand. Each fault is named where
// it arises, by what the system calls it; what is not in this list is not the disk's fault.

import { IsolineError, type Reason } from '../../shared/errors.ts';

interface StorageFault {
  /** The codes of errno and of SQLite, with their extended forms. */
  readonly codes: RegExp;
  readonly reason: Reason;
  readonly message: string;
}

const FAULTS: readonly StorageFault[] = [
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    reason: 'storage_busy',
    message: 'The store is busy. Try again in a moment.',
  },
  {
    codes: /^(SQLITE_CORRUPT|SQLITE_NOTADB)/,
    reason: 'database_damaged',
    message: 'The database is damaged. Restore the latest backup, or ask for help.',
  },
  {
    codes: /^(SQLITE_FULL|ENOSPC|EDQUOT|EFBIG)$/,
    reason: 'storage_full',
    message: 'The disk is full: nothing was stored. Make room and try again.',
  },
  {
    codes: /^(SQLITE_READONLY|SQLITE_PERM|SQLITE_CANTOPEN|EROFS$|EACCES$|EPERM$)/,
    reason: 'storage_read_only',
    message:
      'The disk with the data folder cannot be written to. Nothing was stored; check the disk and its permissions.',
  },
  {
    codes: /^(SQLITE_IOERR|EIO$)/,
    reason: 'storage_failing',
    message:
      'The disk reports errors. Nothing was stored; make a backup to another disk and replace this one.',
  },
  {
    codes: /^(EMFILE|ENFILE)$/,
    reason: 'too_many_open_files',
    message: 'This computer has too many files open. Close other programs and try again.',
  },
];

/** Reasons for which the same may succeed later: the disk's state, and not what was asked. */
export const STORAGE_REASONS: readonly Reason[] = [
  'storage_full',
  'storage_read_only',
  'storage_failing',
  'storage_busy',
  'too_many_open_files',
  // Nothing is said of what was asked for: the next start goes on in a fresh folder.
  'database_damaged',
];

export const isStorageError = (error: unknown): error is IsolineError =>
  error instanceof IsolineError && STORAGE_REASONS.includes(error.reason);

/** The error as one of ours where it is a fault of the storage (D105); everything else as it is. */
export function toStorageError(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (error instanceof IsolineError || typeof code !== 'string') return error;
  const fault = FAULTS.find(({ codes }) => codes.test(code));
  if (fault === undefined) return error;
  return new IsolineError(fault.reason, fault.message, { code }, { cause: error });
}

/** Does something with the disk. @throws IsolineError where the disk refuses it, any other error as it is */
export function onDisk<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStorageError(error);
  }
}
