// The client of an archive (PACS): one call, one outcome. An object that it has already is kept once (PS3.4, B.2.3), so that
// a lost answer is no question for anybody: the object goes again.

import { createHash, randomUUID } from 'node:crypto';
import type { TestOutcome } from '../../../shared/bridge/sync-views.ts';
import type { ConnectionTrouble } from '../../../shared/sync-state.ts';
import type { Call, DeliveryCall, Outcome } from '../../clinic/outbox/call.ts';
import { isOfDelivery } from '../../clinic/outbox/call.ts';
import type { PackedObject } from '../../clinic/ports.ts';
import {
  AMBULATORY_ECG,
  ENCAPSULATED_PDF,
  ENHANCED_SR,
  GENERAL_ECG,
  TWELVE_LEAD_ECG,
  uidOf,
} from '../../formats/dicom/dicom-uids.ts';
import type { Commitment, DicomObjectName } from '../../ground/dicom-object.ts';
import { AbortedError, ConnectionError } from '../../hospital/connection.ts';
import { AssociationRefused, type DicomPeer, type Refusal } from '../../hospital/dimse/association.ts';
import {
  COMMITMENT,
  echo,
  offered,
  requestCommitment,
  type Said,
  SUCCESS,
  store,
} from '../../hospital/dimse/requests.ts';
import type { PackedParcel, Recipient } from '../sender-loop.ts';
import type { Commitments } from './commitments.ts';

const READ_BYTES = 256 << 10;
/** Most archives say at once what they keep; the next question finds what comes later. */
const COMMITMENT_MS = 20_000;
const ASK_ANEW_MS = 3_600_000;
const MOST_ASKED = 50;

/** Readings as objects, made ready. */
export interface ArchiveParcel extends PackedParcel {
  readonly objects: readonly PackedObject[];
  read(offsetBytes: number, lengthBytes: number): Promise<Uint8Array>;
}

const REFUSALS: Readonly<Record<Refusal, ConnectionTrouble>> = {
  name: 'nameRefused',
  service: 'serviceRefused',
  rejected: 'serviceRefused',
  busy: 'limited',
};

const troubleOf = (error: AssociationRefused | ConnectionError): ConnectionTrouble =>
  error instanceof ConnectionError ? error.fault : REFUSALS[error.why];

const hexOf = (status: number): string => status.toString(16).toUpperCase().padStart(4, '0');

const HUNG_UP_MS = 3000;
const HUNG_UP_TIMES = 2;

/** Not authorised (PS3.7, annex C). */
const NOT_ALLOWED = 0x0124;

/** Status of a C-STORE (PS3.4, table B.2-1; PS3.7, annex C). */
function outcomeOf({ status, comment }: Said, object: DicomObjectName): Outcome {
  // Coerced elements, or some that it does not know: kept all the same. 0111: it has it already.
  if (status === SUCCESS || (status & 0xf000) === 0xb000 || status === 0x0111)
    return { kind: 'done', object };
  // Out of resources, or a fault of its own: the next time may be better.
  if (status === NOT_ALLOWED || (status & 0xff00) === 0xa700 || status === 0x0110 || status === 0x0213)
    return { kind: 'unknown', isServer: true };
  const words = comment === undefined ? '' : `: ${comment}`;
  return { kind: 'refused', message: `status ${hexOf(status)}${words}` };
}

export interface ArchiveOptions {
  readonly peer: DicomPeer;
  /** Whether it says what it keeps; undefined: nobody has asked yet. */
  readonly isConfirming: () => boolean | undefined;
  readonly commitments: Commitments;
  /** It was asked whether it says what it keeps. */
  onFound(isConfirming: boolean): Promise<void>;
}

export class ArchiveClient implements Recipient<ArchiveParcel> {
  readonly #peer: DicomPeer;
  readonly #isConfirming: ArchiveOptions['isConfirming'];
  readonly #commitments: Commitments;
  readonly #onFound: ArchiveOptions['onFound'];
  /** By the item's number there: transactions that it was asked for, the latest last. */
  readonly #asked = new Map<string, readonly { readonly uid: string; readonly atMs: number }[]>();
  /** It takes what is offered for an ECG, and does not let us store: some know senders by a list of their own. */
  #isStoreRefused = false;
  /** Times in a row that it hung up as soon as something was to be stored. */
  #hungUp = 0;
  /** What hindered the last call; undefined after one that was answered. */
  trouble: ConnectionTrouble | undefined;

  constructor({ peer, isConfirming, commitments, onFound }: ArchiveOptions) {
    this.#peer = peer;
    this.#isConfirming = isConfirming;
    this.#commitments = commitments;
    this.#onFound = onFound;
  }

  async perform(
    call: Exclude<Call, { kind: 'report' }>,
    parcel: ArchiveParcel | undefined,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    if (!isOfDelivery(call)) throw new TypeError('an archive is not asked that');
    try {
      const outcome = await this.#perform(call, parcel, signal);
      this.trouble =
        outcome.kind !== 'unknown' ? undefined : this.#isStoreRefused ? 'storeRefused' : 'server';
      return outcome;
    } catch (error) {
      return this.#failure(error, call);
    }
  }

  #perform(
    call: DeliveryCall,
    parcel: ArchiveParcel | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    if (call.kind === 'confirm') return this.#confirm(call, signal);
    const object = parcel?.objects[call.index];
    if (parcel === undefined || object === undefined) throw new TypeError('an object is sent');
    return this.#send(parcel, object, signal);
  }

  async #send(
    parcel: ArchiveParcel,
    { classUid, instanceUid, offsetBytes, lengthBytes }: PackedObject,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    const dataset = (async function* () {
      for (let at = 0; at < lengthBytes; at += READ_BYTES)
        yield await parcel.read(offsetBytes + at, Math.min(READ_BYTES, lengthBytes - at));
    })();
    const object = { classUid, instanceUid };
    // Numbers and findings stand in the report, too: an archive that takes no objects of them goes without.
    const leftOut: Outcome = { kind: 'done', object: { ...object, isLeftOut: true } };
    const isOptional = classUid === ENHANCED_SR;
    const startMs = performance.now();
    try {
      const said = await store(this.#peer, { ...object, dataset }, signal);
      if (isOptional && said.status === NOT_ALLOWED) return leftOut;
      this.#isStoreRefused = said.status === NOT_ALLOWED;
      this.#hungUp = 0;
      const outcome = outcomeOf(said, object);
      return isOptional && outcome.kind === 'refused' ? leftOut : outcome;
    } catch (error) {
      const isRefused =
        error instanceof AssociationRefused && (error.why === 'service' || error.why === 'rejected');
      if (isOptional && isRefused) return leftOut;
      this.#isStoreRefused = await this.#isRefusal(error, performance.now() - startMs, signal);
      if (this.#isStoreRefused) return { kind: 'unknown', isServer: true };
      throw error;
    }
  }

  /** Some say nothing and hang up: again and again as soon as something comes to be stored, while they answer otherwise. */
  async #isRefusal(error: unknown, afterMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    const isHungUp =
      error instanceof AbortedError || (error instanceof ConnectionError && error.fault === 'broken');
    if (!isHungUp || afterMs > HUNG_UP_MS) {
      this.#hungUp = 0;
      return false;
    }
    if (++this.#hungUp < HUNG_UP_TIMES) return false;
    return await echo(this.#peer, signal).then(
      ({ status }) => status === SUCCESS,
      () => false,
    );
  }

  async #confirm(
    { centralId, objects: sent }: DeliveryCall & { kind: 'confirm' },
    signal?: AbortSignal,
  ): Promise<Outcome> {
    const objects = sent.filter(({ isLeftOut }) => isLeftOut !== true);
    if (this.#isConfirming() === undefined)
      await this.#onFound((await offered(this.#peer, [COMMITMENT], signal)).length > 0);
    // Whoever does not say what it keeps has said of each object that it took it.
    if (this.#isConfirming() !== true) return { kind: 'done', isProcessed: true };
    // The archive answers at a port of ours, at which nobody listens now.
    if (!this.#commitments.isListening) return { kind: 'unclear' };
    const asked = this.#asked.get(centralId) ?? [];
    const late = asked.map(({ uid }) => this.#commitments.fetch(uid)).find((each) => each !== undefined);
    if (late !== undefined) return this.#judge(centralId, objects, late);
    // An archive may take its time, so we do not ask it again each time we check.
    const nowMs = performance.now();
    if (asked.some(({ atMs }) => nowMs - atMs < ASK_ANEW_MS)) return { kind: 'done', isProcessed: false };
    const uid = uidOf(createHash('sha256').update(randomUUID()));
    const { commitmentRequest } = await import('../../formats/dicom/commitment.ts');
    const answer = this.#commitments.answerOf(uid, COMMITMENT_MS, signal);
    const said = await requestCommitment(
      this.#peer,
      (isImplicit) => commitmentRequest(uid, objects, isImplicit),
      (report) => this.#commitments.take(report),
      answer,
      signal,
    );
    // It does not want to say; it is asked again, less and less often.
    if (said.status !== SUCCESS) return { kind: 'unclear' };
    this.#asked.set(centralId, [...asked, { uid, atMs: nowMs }].slice(-MOST_ASKED));
    const commitment = await answer;
    return commitment === undefined
      ? { kind: 'done', isProcessed: false }
      : this.#judge(centralId, objects, commitment);
  }

  #judge(centralId: string, objects: readonly DicomObjectName[], { kept }: Commitment): Outcome {
    this.#asked.delete(centralId);
    const isAllKept = objects.every(({ instanceUid }) => kept.includes(instanceUid));
    return isAllKept ? { kind: 'done', isProcessed: true } : { kind: 'refused', message: '' };
  }

  async #failure(error: unknown, call: DeliveryCall): Promise<Outcome> {
    if (!(error instanceof AssociationRefused) && !(error instanceof ConnectionError)) throw error;
    this.trouble = troubleOf(error);
    const isService = error instanceof AssociationRefused && error.why === 'service';
    if (call.kind === 'confirm') {
      // It keeps nobody from storing: that is this question's alone.
      if (!isService) {
        if (this.trouble !== 'offline') this.trouble = 'unconfirmed';
        return { kind: 'unclear' };
      }
      // It does not say any more what it keeps.
      this.trouble = undefined;
      await this.#onFound(false);
      return { kind: 'done', isProcessed: true };
    }
    // It talks to us, and does not take this kind of object: that is this reading's, and stays so.
    if (isService) return { kind: 'refused', message: '' };
    const isSent =
      error instanceof ConnectionError &&
      (error.fault === 'broken' || error.fault === 'silent' || error.fault === 'odd');
    return isSent ? { kind: 'unknown', isServer: false } : { kind: 'notDone' };
  }

  fetchReport(): Promise<never> {
    throw new TypeError('an archive has no reports for us');
  }

  /** Whether it is there, and what it takes. */
  async test(signal?: AbortSignal): Promise<TestOutcome> {
    const startMs = performance.now();
    const none = { isReached: false, tookMs: 0 };
    try {
      await echo(this.#peer, signal);
      const services = await offered(
        this.#peer,
        [TWELVE_LEAD_ECG, GENERAL_ECG, AMBULATORY_ECG, ENCAPSULATED_PDF, ENHANCED_SR, COMMITMENT],
        signal,
      );
      const takesAny = services.some((service) => service !== COMMITMENT);
      // It may let us by now: the next that is sent tells.
      const wasRefused = this.#isStoreRefused;
      this.#isStoreRefused = false;
      this.#hungUp = 0;
      this.trouble = wasRefused || !takesAny ? 'storeRefused' : undefined;
      if (this.trouble !== undefined) return { ...none, trouble: this.trouble };
      return {
        isReached: true,
        tookMs: performance.now() - startMs,
        proven: { isConfirming: services.includes(COMMITMENT) },
        offers: {
          ecg: services.includes(TWELVE_LEAD_ECG),
          longEcg: services.includes(GENERAL_ECG) && services.includes(AMBULATORY_ECG),
          report: services.includes(ENCAPSULATED_PDF),
          findings: services.includes(ENHANCED_SR),
          confirmation: services.includes(COMMITMENT),
        },
      };
    } catch (error) {
      if (!(error instanceof AssociationRefused) && !(error instanceof ConnectionError)) throw error;
      this.trouble = troubleOf(error);
      return { ...none, trouble: this.trouble };
    }
  }
}
