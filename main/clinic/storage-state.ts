// How much room there is, how long it lasts at the pace of the last weeks, and whether the disk is encrypted.

import type { StorageState } from '../../shared/bridge/views.ts';
import type { ClinicContext } from './context.ts';
import type { DiskEncryption } from './ports.ts';

const DAY_MS = 86_400_000;
const LOOK_BACK_DAYS = 30;
/** Fewer days say nothing about the weeks to come. */
const LEAST_DAYS = 7;
/** Twelve leads of 1000 samples a second in two bytes each. */
const HOUR_OF_TWELVE_LEADS_BYTES = 12 * 1000 * 2 * 3600;
const ASKED_AGAIN_MS = 3_600_000;

export class Storage {
  readonly #context: ClinicContext;
  #encryption: { readonly answer: Promise<DiskEncryption>; readonly askedMs: number } | undefined;

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  async state(): Promise<StorageState> {
    const { files, settings } = this.#context;
    const freeBytes = Math.max(0, (await files.freeBytes()) - settings()['storage.reserve']);
    const bytesPerDay = await this.#pace();
    return {
      freeBytes,
      roomHours: Math.floor(freeBytes / HOUR_OF_TWELVE_LEADS_BYTES),
      ...(bytesPerDay !== undefined && { lastsDays: Math.floor(freeBytes / bytesPerDay) }),
      encryption: await this.#isEncrypted(),
    };
  }

  /** How many bytes a day recordings, results and reports take; for a short ECG, the latter are larger than the signal. */
  async #pace(): Promise<number | undefined> {
    const { store, files, clock } = this.#context;
    const nowMs = clock.nowMs();
    const kept = store.recordings.keptSince(nowMs - LOOK_BACK_DAYS * DAY_MS);
    if (kept.firstMs === undefined) return undefined;
    const days = (nowMs - kept.firstMs) / DAY_MS;
    if (days < LEAST_DAYS) return undefined;
    // No row holds the size of a result: the newest stand for all.
    const sizes = await Promise.all(kept.newestResults.map((sha256) => files.sizeBytes(sha256)));
    const ofResult = sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length);
    return (kept.bytes + kept.results * ofResult) / days;
  }

  /** It changes rarely, and asking starts a program. */
  #isEncrypted(): Promise<DiskEncryption> {
    const nowMs = this.#context.clock.nowMs();
    if (this.#encryption === undefined || nowMs - this.#encryption.askedMs > ASKED_AGAIN_MS)
      this.#encryption = { answer: this.#context.diskEncryption(), askedMs: nowMs };
    return this.#encryption.answer;
  }
}
