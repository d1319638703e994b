// What archives say that they keep. They say it in a connection of their own, seconds or hours after they were asked: by then
// whoever asked may wait no longer, and finds it the next time.

import type { Commitment, Pool } from '../../clinic/ports.ts';
import { type DicomListener, listen } from '../../hospital/dimse/listener.ts';

/** Of answers that nobody has fetched. */
const MOST_KEPT = 1000;

export interface CommitmentPlace {
  readonly port: number;
  readonly host: string;
}

export class Commitments implements AsyncDisposable {
  readonly #ownTitle: () => string;
  readonly #read: Pool['readCommitment'];
  readonly #answers = new Map<string, Commitment>();
  readonly #waiting = new Map<string, (commitment: Commitment) => void>();
  #listener: DicomListener | undefined;
  #place = '';

  constructor(ownTitle: () => string, read: Pool['readCommitment']) {
    this.#ownTitle = ownTitle;
    this.#read = read;
  }

  /** Listens there; undefined: nobody is expected to say anything. @returns false where the port cannot be had */
  async listenAt(place: CommitmentPlace | undefined): Promise<boolean> {
    const wanted = place === undefined ? '' : `${place.host} ${place.port}`;
    if (wanted === this.#place && (place === undefined || this.#listener !== undefined)) return true;
    await this.#listener?.[Symbol.asyncDispose]();
    this.#listener = undefined;
    this.#place = wanted;
    if (place === undefined) return true;
    try {
      this.#listener = await listen({
        ...place,
        ownTitle: this.#ownTitle,
        onCommitment: async ({ dataset, isImplicit }) => {
          return this.#take(await this.#read(dataset, isImplicit).catch(() => undefined));
        },
      });
      return true;
    } catch {
      return false;
    }
  }

  get isListening(): boolean {
    return this.#listener !== undefined;
  }

  #take(commitment: Commitment | undefined): boolean {
    if (commitment === undefined) return false;
    const { transactionUid } = commitment;
    const waiting = this.#waiting.get(transactionUid);
    if (waiting !== undefined) waiting(commitment);
    else {
      this.#answers.set(transactionUid, commitment);
      const [oldest] = this.#answers.keys();
      if (this.#answers.size > MOST_KEPT && oldest !== undefined) this.#answers.delete(oldest);
    }
    return true;
  }

  /** What was said of a transaction while nobody waited. */
  fetch(transactionUid: string): Commitment | undefined {
    const answer = this.#answers.get(transactionUid);
    this.#answers.delete(transactionUid);
    return answer;
  }

  /** To be called before the archive is asked. Undefined where it says nothing in time. */
  answerOf(
    transactionUid: string,
    patienceMs: number,
    signal?: AbortSignal,
  ): Promise<Commitment | undefined> {
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
