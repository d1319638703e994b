// Where the clinic lives: in the data folder, or, while its database is damaged, in a fresh folder inside of it, so that
// whoever needs an ECG now gets one. Nothing of the damaged folder is changed until a backup is restored.

import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import type { Log } from '../../clinic/ports.ts';
import { FOLDER_MODE } from '../files/file-modes.ts';
import type { OpenStore } from '../store.ts';

export const EMERGENCY_FOLDER = 'emergency';
/** The database is damaged: the next start looks through all of it, and a backup may be put in its place. */
const DAMAGE_MARK = 'damaged.json';
const RESERVE = 'reserve.bin';
/** What a start writes, many times over. */
const LEAST_FREE_BYTES = 16 << 20;

export interface Home {
  readonly dataDir: string;
  readonly store: OpenStore;
  /** The data folder's own database is damaged. */
  readonly isEmergency: boolean;
}

export const hasDamageMark = (dataDir: string): boolean => existsSync(join(dataDir, DAMAGE_MARK));
export const removeDamageMark = (dataDir: string): void =>
  rmSync(join(dataDir, DAMAGE_MARK), { force: true });

/** So that the next start opens the fresh folder. */
export function noteDamage(dataDir: string, nowMs: number): void {
  try {
    writeFileSync(join(dataDir, DAMAGE_MARK), JSON.stringify({ atMs: nowMs }), { mode: 0o600 });
  } catch {
    // A disk that takes nothing says so in other ways.
  }
}

/**
 * Makes room for a start on a full disk: what is kept for ending a recording in order is given up.
 * @returns whether the disk is full
 */
export function makeRoomToStart(dataDir: string): boolean {
  if (!existsSync(dataDir)) return false;
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize;
  };
  if (freeBytes() >= LEAST_FREE_BYTES) return false;
  rmSync(join(dataDir, RESERVE), { force: true });
  return true;
}

/**
 * @param open opens the store of a folder, and looks at it
 * @throws IsolineError where not even a fresh folder can be used, or the data folder cannot for another reason
 */
export function openHome(
  dataDir: string,
  open: (dataDir: string) => OpenStore,
  log: Log,
  nowMs: number,
): Home {
  try {
    const store = open(dataDir);
    // Looked through, and whole: whatever was met has gone, as where a backup was put back by hand.
    removeDamageMark(dataDir);
    return { dataDir, store, isEmergency: false };
  } catch (error) {
    if (!(error instanceof IsolineError) || error.reason !== 'database_damaged') throw error;
    log('clinic.database_damaged', { ...error.detail });
    noteDamage(dataDir, nowMs);
  }
  const emergency = join(dataDir, EMERGENCY_FOLDER);
  mkdirSync(emergency, { recursive: true, mode: FOLDER_MODE });
  return { dataDir: emergency, store: open(emergency), isEmergency: true };
}
