// What an archive is asked to keep, and what it says that it keeps (PS3.4, annex J.3).

import type { Commitment, DicomObjectName } from '../../ground/dicom-object.ts';
import { encodeBare } from './dicom-encoding.ts';
import { toImplicit } from './implicit.ts';
import { itemsOf, parseBare, textOf } from './read-elements.ts';

const TRANSACTION = 'x00081195';
const KEPT = 'x00081199';
const FAILED = 'x00081198';
const INSTANCE = 'x00081155';

export function commitmentRequest(
  transactionUid: string,
  objects: readonly DicomObjectName[],
  isImplicit = false,
): Uint8Array {
  const explicit = encodeBare({
    TransactionUID: transactionUid,
    ReferencedSOPSequence: objects.map(({ classUid, instanceUid }) => ({
      ReferencedSOPClassUID: classUid,
      ReferencedSOPInstanceUID: instanceUid,
    })),
  });
  return isImplicit ? toImplicit(explicit) : explicit;
}

/** Sequences that a dataset without stated types does not announce as such. */
const SEQUENCES = new Set([KEPT, FAILED]);

/** Undefined where it is no such report. */
export function readCommitment(bytes: Uint8Array, isImplicit: boolean): Commitment | undefined {
  try {
    const dataSet = parseBare(bytes, isImplicit, SEQUENCES);
    const transactionUid = textOf(dataSet, TRANSACTION);
    const kept = itemsOf(dataSet, KEPT).map((item) => textOf(item, INSTANCE));
    return transactionUid === '' ? undefined : { transactionUid, kept };
  } catch {
    // The library throws, also strings, at whatever it stumbles over.
    return undefined;
  }
}
