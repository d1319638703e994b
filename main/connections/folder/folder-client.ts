// Writes results into a folder: the report as PDF, then its reading as JSON, each whole or not at all. A reading that is written
// again has the same names.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestOutcome } from '../../../shared/bridge/sync-views.ts';
import type { ConnectionTrouble } from '../../../shared/sync-state.ts';
import { type Call, isOfDelivery, type Outcome } from '../../clinic/outbox/call.ts';
import type { PackedParcel, Recipient } from '../sender-loop.ts';
import { writeWhole } from '../write-whole.ts';

/** A reading as two files, made ready. */
export interface FolderParcel extends PackedParcel {
  /** The recording and its revision. */
  readonly name: string;
  readonly pdf: Uint8Array;
  readonly json: Uint8Array;
}

const MOST_MS = 30_000;
const TEST_NAME = 'isoline-test.txt';
const FULL: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT'];

const troubleOf = (error: unknown): ConnectionTrouble =>
  FULL.includes((error as NodeJS.ErrnoException).code) ? 'server' : 'offline';

/** A drive of the network that is away may not answer at all: what it does in the end makes no difference, the names being the same. */
async function inTime<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  const limit = AbortSignal.timeout(MOST_MS);
  const ended = AbortSignal.any(signal === undefined ? [limit] : [limit, signal]);
  const given = Promise.withResolvers<never>();
  const giveUp = (): void => given.reject(new Error('the folder does not answer'));
  ended.addEventListener('abort', giveUp, { once: true });
  try {
    if (ended.aborted) giveUp();
    return await Promise.race([work, given.promise]);
  } finally {
    ended.removeEventListener('abort', giveUp);
  }
}

export class FolderClient implements Recipient<FolderParcel> {
  readonly #path: string;
  trouble: ConnectionTrouble | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async perform(
    call: Exclude<Call, { kind: 'report' }>,
    parcel: FolderParcel | undefined,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    if (!isOfDelivery(call)) throw new TypeError('a folder is not asked that');
    // What is on the disk needs no confirmation.
    if (call.kind === 'confirm') return { kind: 'done', isProcessed: true };
    if (parcel === undefined) throw new TypeError('files are written');
    const { name, pdf, json } = parcel;
    try {
      // Whoever waits for the reading finds its report there already.
      await inTime(writeWhole(this.#path, `${name}.pdf`, pdf), signal);
      await inTime(writeWhole(this.#path, `${name}.json`, json), signal);
    } catch (error) {
      this.trouble = troubleOf(error);
      return { kind: 'notDone' };
    }
    this.trouble = undefined;
    return { kind: 'done', object: { classUid: 'files', instanceUid: name } };
  }

  fetchReport(): Promise<never> {
    throw new TypeError('a folder has no reports for us');
  }

  /** Whether a file can be written there, tried with one that is taken away again. */
  async test(): Promise<TestOutcome> {
    const startMs = performance.now();
    try {
      await inTime(writeWhole(this.#path, TEST_NAME, Buffer.from('Isoline can write here.\n')));
      await inTime(rm(join(this.#path, TEST_NAME)));
      this.trouble = undefined;
      return { isReached: true, tookMs: performance.now() - startMs };
    } catch (error) {
      this.trouble = troubleOf(error);
      return { isReached: false, tookMs: 0, trouble: this.trouble };
    }
  }
}
