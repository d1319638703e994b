// How much room there is, how long it lasts at the pace of the last weeks, and whether the disk is encrypted.

import type { ClinicContext } from './context.ts';
import type { DiskEncryption } from './ports.ts';

const DAY_MS = 86_400_000;
const LOOK_BACK_DAYS = 30;
/** Less than that says nothing about the weeks to come. */
const LEAST_DAYS = 7;
/** Twelve leads of 1000 samples a second in two bytes each: more than most devices need. */
const HOUR_OF_TWELVE_LEADS_BYTES = 12 * 1000 * 2 * 3600;
const ASKED_AGAIN_MS = 3_600_000;

export interface StorageState {
  /** What recordings may still take: a reserve stays free. */
  readonly freeBytes: number;
  /** Of twelve leads, at least. */
  readonly roomHours: number;
  /** Until the disk is full at the pace of the last 30 days; absent while there is too little to tell. */
  readonly lastsDays: number | undefined;
  readonly encryption: DiskEncryption;
}

export class Storage {
  readonly #context: ClinicContext;
  #encryption: { readonly answer: Promise<DiskEncryption>; readonly askedMs: number } | undefined;

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  async state(): Promise<StorageState> {
    const { files, settings } = this.#context;
    const freeBytes = Math.max(0, (await files.freeBytes()) - settings()['storage.reserve']);
    const bytesPerDay = this.#pace();
    return {
      freeBytes,
      roomHours: Math.floor(freeBytes / HOUR_OF_TWELVE_LEADS_BYTES),
      lastsDays: bytesPerDay === undefined ? undefined : Math.floor(freeBytes / bytesPerDay),
      encryption: await this.#isEncrypted(),
    };
  }

  #pace(): number | undefined {
    const { store, clock } = this.#context;
    const nowMs = clock.nowMs();
    const { firstMs, bytes } = store.recordings.keptSince(nowMs - LOOK_BACK_DAYS * DAY_MS);
    if (firstMs === undefined || bytes === 0) return undefined;
    const days = (nowMs - firstMs) / DAY_MS;
    return days < LEAST_DAYS ? undefined : bytes / days;
  }

  /** It changes rarely, and asking starts a program. */
  #isEncrypted(): Promise<DiskEncryption> {
    const nowMs = this.#context.clock.nowMs();
    if (this.#encryption === undefined || nowMs - this.#encryption.askedMs > ASKED_AGAIN_MS)
      this.#encryption = { answer: this.#context.diskEncryption(), askedMs: nowMs };
    return this.#encryption.answer;
  }
}
