// What archives say that they keep. They say it in a connection of their own, seconds or hours after they were asked: by then
// whoever asked may wait no longer, and finds it the next time.

import type { Pool } from '../../clinic/ports.ts';
import { Door, type DoorOptions, HOSPITAL_BOUNDS } from '../../door/door.ts';
import type { Commitment } from '../../ground/dicom-object.ts';
import type { Listener, Place } from '../../hospital/connection.ts';
import { listen } from '../../hospital/dimse/listener.ts';
import type { CommitmentReport } from '../../hospital/dimse/requests.ts';

/** The most unanswered transactions that are kept. */
const MOST_KEPT = 10_000;

export class Commitments implements AsyncDisposable {
  readonly #ownTitle: () => string;
  readonly #read: Pool['readCommitment'];
  readonly #door: Door;
  readonly #answers = new Map<string, Commitment>();
  /** Transactions that an archive was asked for and has not answered in time, the oldest first. */
  readonly #asked = new Set<string>();
  readonly #waiting = new Map<string, (commitment: Commitment) => void>();
  #listener: Listener | undefined;
  #place = '';

  /** @param onTurnedAway hears of connections for which there was no room */
  constructor(
    ownTitle: () => string,
    read: Pool['readCommitment'],
    onTurnedAway?: DoorOptions['onTurnedAway'],
  ) {
    this.#door = new Door({ name: 'dicom', bounds: HOSPITAL_BOUNDS, onTurnedAway });
    this.#ownTitle = ownTitle;
    this.#read = read;
  }

  /** Listens there; undefined: nobody is expected to say anything. @returns false where the port cannot be had */
  async listenAt(place: Place | undefined): Promise<boolean> {
    const wanted = place === undefined ? '' : `${place.host} ${place.port}`;
    if (wanted === this.#place && (place === undefined || this.#listener !== undefined)) return true;
    await this.#listener?.[Symbol.asyncDispose]();
    this.#listener = undefined;
    this.#place = wanted;
    if (place === undefined) return true;
    try {
      this.#listener = await listen({
        ...place,
        door: this.#door,
        ownTitle: this.#ownTitle,
        onCommitment: (report) => this.take(report),
      });
      return true;
    } catch {
      return false;
    }
  }

  get isListening(): boolean {
    return this.#listener !== undefined;
  }

  /** What an archive says, wherever it says it. @returns whether it was understood */
  async take({ dataset, isImplicit }: CommitmentReport): Promise<boolean> {
    const commitment = await this.#read(dataset, isImplicit).catch(() => undefined);
    if (commitment === undefined) return false;
    const { transactionUid } = commitment;
    const waiting = this.#waiting.get(transactionUid);
    if (waiting !== undefined) {
      this.#asked.delete(transactionUid);
      waiting(commitment);
    }
    // What nobody has asked for is of no use to anybody.
    else if (this.#asked.has(transactionUid)) this.#answers.set(transactionUid, commitment);
    return true;
  }

  /** What was said of a transaction while nobody waited. */
  fetch(transactionUid: string): Commitment | undefined {
    const answer = this.#answers.get(transactionUid);
    if (answer !== undefined) this.#forget(transactionUid);
    return answer;
  }

  #forget(transactionUid: string): void {
    this.#answers.delete(transactionUid);
    this.#asked.delete(transactionUid);
  }

  /** To be called before the archive is asked. Undefined where it says nothing in time. */
  answerOf(
    transactionUid: string,
    patienceMs: number,
    signal?: AbortSignal,
  ): Promise<Commitment | undefined> {
    this.#asked.add(transactionUid);
    const [oldest] = this.#asked;
    if (this.#asked.size > MOST_KEPT && oldest !== undefined) this.#forget(oldest);
    return new Promise((resolve) => {
      const end = (commitment?: Commitment): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#waiting.delete(transactionUid);
        resolve(commitment);
      };
      const giveUp = (): void => end();
      const timer = setTimeout(giveUp, patienceMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.set(transactionUid, end);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener?.[Symbol.asyncDispose]();
    this.#listener = undefined;
  }
}
