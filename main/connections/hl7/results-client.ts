// The client of a hospital information system: one message a reading, and the answer to it (HL7 2.5.1, 2.9.2). A message whose
// answer was lost goes again under the same control id, by which whoever has it already knows it.

import type { TestOutcome } from '../../../shared/bridge/sync-views.ts';
import type { ConnectionTrouble } from '../../../shared/sync-state.ts';
import { type Call, isOfDelivery, type Outcome } from '../../clinic/outbox/call.ts';
import { decodeHl7, Hl7Error, parseHl7 } from '../../formats/hl7/hl7-message.ts';
import { type Address, ConnectionError, SentError } from '../../hospital/connection.ts';
import { sendMllp } from '../../hospital/mllp/mllp.ts';
import type { PackedParcel, Recipient } from '../sender-loop.ts';

/** A reading as a message, made ready. */
export interface ResultParcel extends PackedParcel {
  readonly message: Uint8Array;
  readonly controlId: string;
}

const KIND = 'ORU^R01';

/** What is said of the message of this control id. */
function outcomeOf(answer: Buffer, controlId: string): Outcome {
  const msa = parseHl7(decodeHl7(answer)).first('MSA');
  // An answer to something else says nothing of ours.
  if (msa === undefined || msa.text(2) !== controlId) return { kind: 'unknown', isServer: true };
  switch (msa.text(1)) {
    case 'AA':
    case 'CA':
      return { kind: 'done', object: { classUid: KIND, instanceUid: controlId } };
    case 'AE':
    case 'CE':
      return { kind: 'refused', message: msa.text(3) };
    default:
      return { kind: 'unknown', isServer: true };
  }
}

export class ResultsClient implements Recipient<ResultParcel> {
  readonly #peer: Address;
  /** What hindered the last call; undefined after one that was answered. */
  trouble: ConnectionTrouble | undefined;

  constructor(peer: Address) {
    this.#peer = peer;
  }

  async perform(
    call: Exclude<Call, { kind: 'report' }>,
    parcel: ResultParcel | undefined,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    if (!isOfDelivery(call)) throw new TypeError('a hospital is not asked that');
    // Its answer to the message is all that it says.
    if (call.kind === 'confirm') return { kind: 'done', isProcessed: true };
    if (parcel === undefined) throw new TypeError('a message is sent');
    try {
      const outcome = outcomeOf(await sendMllp(this.#peer, parcel.message, signal), parcel.controlId);
      this.trouble = outcome.kind === 'unknown' ? 'server' : undefined;
      return outcome;
    } catch (error) {
      if (error instanceof Hl7Error) {
        this.trouble = 'odd';
        return { kind: 'unknown', isServer: true };
      }
      if (!(error instanceof ConnectionError)) throw error;
      this.trouble = error.fault;
      return error instanceof SentError ? { kind: 'unknown', isServer: false } : { kind: 'notDone' };
    }
  }

  fetchReport(): Promise<never> {
    throw new TypeError('a hospital has no reports for us');
  }

  /** Whether somebody is there who understands HL7: a message of no patient, which is to be refused or taken as a test. */
  async test(message: Uint8Array, signal?: AbortSignal): Promise<TestOutcome> {
    const startMs = performance.now();
    try {
      parseHl7(decodeHl7(await sendMllp(this.#peer, message, signal)));
      this.trouble = undefined;
      return { isReached: true, tookMs: performance.now() - startMs };
    } catch (error) {
      if (error instanceof ConnectionError) this.trouble = error.fault;
      else if (error instanceof Hl7Error) this.trouble = 'odd';
      else throw error;
      return { isReached: false, tookMs: 0, trouble: this.trouble };
    }
  }
}
