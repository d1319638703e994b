// What an archive is asked to keep, and what it says that it keeps (PS3.4, annex J.3).

import { encodeBare } from './dicom-encoding.ts';
import { itemsOf, parseBare, textOf } from './read-elements.ts';

const TRANSACTION = 'x00081195';
const KEPT = 'x00081199';
const FAILED = 'x00081198';
const INSTANCE = 'x00081155';

export interface ObjectName {
  readonly classUid: string;
  readonly instanceUid: string;
}

export const commitmentRequest = (transactionUid: string, objects: readonly ObjectName[]): Uint8Array =>
  encodeBare({
    TransactionUID: transactionUid,
    ReferencedSOPSequence: objects.map(({ classUid, instanceUid }) => ({
      ReferencedSOPClassUID: classUid,
      ReferencedSOPInstanceUID: instanceUid,
    })),
  });

export interface Commitment {
  readonly transactionUid: string;
  /** Names of the objects that the archive keeps. */
  readonly kept: readonly string[];
  readonly failed: readonly string[];
}

/** Sequences that a dataset without stated types does not announce as such. */
const SEQUENCES = new Set([KEPT, FAILED]);

/** Undefined where it is no such report. */
export function readCommitment(bytes: Uint8Array, isImplicit: boolean): Commitment | undefined {
  try {
    const dataSet = parseBare(bytes, isImplicit, SEQUENCES);
    const transactionUid = textOf(dataSet, TRANSACTION);
    const namesIn = (tag: string): string[] => itemsOf(dataSet, tag).map((item) => textOf(item, INSTANCE));
    return transactionUid === ''
      ? undefined
      : { transactionUid, kept: namesIn(KEPT), failed: namesIn(FAILED) };
  } catch {
    // The library throws, also strings, at whatever it stumbles over.
    return undefined;
  }
}
