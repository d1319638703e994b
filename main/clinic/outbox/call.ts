// What is asked of the centre for one recording, and what may come of it. Reasons for what is done with each
// outcome: D120 to D129.

import type { DicomObjectName } from '../../ground/dicom-object.ts';

/** One request. Those that create something are written down before they are sent (D124). */
export type Call =
  | { readonly kind: 'createUpload' }
  | {
      readonly kind: 'chunk';
      readonly uploadId: string;
      readonly offsetBytes: number;
      readonly lengthBytes: number;
    }
  /**
   * Goes out right behind a read on the same connection, so that a dead one is noticed before it matters
   * (D126).
   */
  | { readonly kind: 'createTask'; readonly uploadId: string }
  | { readonly kind: 'findDraft' }
  | { readonly kind: 'createDraft' }
  | { readonly kind: 'start'; readonly centralId: string }
  | { readonly kind: 'frame'; readonly centralId: string; readonly index: number }
  | { readonly kind: 'finish'; readonly centralId: string }
  /** Whether the stream is there: asked where an answer of `start` or `finish` was lost. */
  | { readonly kind: 'params'; readonly centralId: string; readonly after: 'start' | 'finish' }
  /** An object of a reading; the same one sent twice is kept once. */
  | {
      readonly kind: 'object';
      readonly index: number;
      readonly of: { readonly count: number; readonly revision: number };
    }
  /** Whether what was delivered is kept there. */
  | { readonly kind: 'confirm'; readonly centralId: string; readonly objects: readonly DicomObjectName[] }
  | { readonly kind: 'status'; readonly centralId: string }
  | { readonly kind: 'report'; readonly centralId: string };

export type CallKind = Call['kind'];
/** What an archive or a hospital information system is asked. */
export type DeliveryCall = Extract<Call, { kind: 'object' | 'confirm' }>;
/** What a central service is asked. */
export type CentreCall = Exclude<Call, DeliveryCall>;

export const isOfDelivery = (call: Call): call is DeliveryCall =>
  call.kind === 'object' || call.kind === 'confirm';

/** What the answer says, as far as it matters; `message` is for people and decides nothing (D121). */
export type Outcome =
  /** Any 2xx whose body says what has to be known. */
  | {
      readonly kind: 'done';
      readonly id?: string;
      /** The object that was sent. */
      readonly object?: DicomObjectName;
      readonly isProcessed?: boolean;
      readonly isReportAvailable?: boolean;
      readonly severity?: string;
      /** When the centre made the task. */
      readonly createdMs?: number;
    }
  /** A 2xx whose body does not. */
  | { readonly kind: 'unclear' }
  /** Nothing of the request was written to a socket. */
  | { readonly kind: 'notDone' }
  /** It was sent; what became of it is not known. `isServer`: the centre answered 5xx. */
  | { readonly kind: 'unknown'; readonly isServer: boolean }
  /** `isTooLarge`: smaller pieces may pass. */
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly isTooLarge?: boolean;
      /** Where we ourselves know why it must not go there. */
      readonly cause?: 'otherPatient' | 'severalPatients';
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'limited'; readonly waitMs: number | undefined }
  | { readonly kind: 'tokenRefused' }
  | { readonly kind: 'moved' };

/**
 * A second one would be a second examination, an idle upload, an empty draft. The intent of all but an upload is written before
 * they are sent.
 */
export const isCreating = ({ kind }: Call): boolean =>
  kind === 'createUpload' || kind === 'createTask' || kind === 'createDraft' || kind === 'finish';
