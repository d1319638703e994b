// One recording on its way to the centre: how far it is, and what comes next. Plain values, so that a
// simulator can run a hundred thousand of its lives; the states are those of D136.

import type { ItemCause, ItemState, SyncWay } from '../../../shared/sync-state.ts';

export type Way = SyncWay;
export type Cause = ItemCause;

export interface UploadProgress {
  readonly id: string;
  readonly createdMs: number;
  /** Acknowledged; the next chunk begins here. */
  readonly ackedBytes: number;
}

export interface StreamProgress {
  /** How often the centre was asked for the draft since its answer was lost. */
  readonly finds: number;
  readonly isStarted: boolean;
  /** All before it are stored there. */
  readonly ackedFrames: number;
  /** The centre missed some at the end, and all were sent once more. */
  readonly isRepeated: boolean;
}

export interface Item {
  readonly id: number;
  readonly way: Way;
  readonly state: ItemState;
  readonly isCritical: boolean;
  /** It began while the recording ran: its frames go one by one, as they are stored. */
  readonly isLive: boolean;
  readonly createdMs: number;
  readonly notBeforeMs: number;
  readonly cause: Cause | undefined;
  /** What the centre said of it, for people. */
  readonly message: string | undefined;
  /** The number of the task there. */
  readonly centralId: string | undefined;
  readonly upload: UploadProgress | undefined;
  /** Uploads that were begun for it. */
  readonly sessions: number;
  readonly stream: StreamProgress;
  /** A creating call that was sent, or was to be, and of which nothing is known yet. */
  readonly intent: 'createUpload' | 'createTask' | 'createDraft' | 'finish' | undefined;
  /** When the creation of its task was last intended: a task there was made about then, or is another one. */
  readonly intendedMs: number | undefined;
  /**
   * Its lost answer is being looked for, or, of a task at a peer where that does no harm, the call is
   * repeated until it is answered.
   */
  readonly doubt: 'createTask' | 'createDraft' | 'start' | 'finish' | undefined;
  /** An answer to `finish` was lost once: that the stream is gone may be its doing. */
  readonly wasFinishLost: boolean;
  /** Calls in a row that came to nothing. */
  readonly vain: number;
  /** Failures of this one alone while others passed, and how many had passed at the last of them. */
  readonly ownFailures: number;
  readonly passedAtFailure: number;
  readonly polls: number;
  readonly sentMs: number | undefined;
  readonly isReportAvailable: boolean;
  /** As the centre judges it, in its own words (D121). */
  readonly severity: string | undefined;
  /** When the centre had processed it, and had no report yet. */
  readonly processedMs: number | undefined;
  /** When the centre said for the first time that it does not know the task. */
  readonly absentMs: number | undefined;
}

/** What of a recording decides the calls; it is read, never changed. */
export interface Load {
  /** Of the file, for the upload way. */
  readonly sizeBytes: number;
  /** Frames that are stored here by now, for the stream way. */
  readonly frames: number;
  /** No more will come. */
  readonly isFinished: boolean;
}

/**
 * @param passed calls that the centre has answered well so far: what it failed at before is not this one's
 * fault
 */
export function newItem(id: number, way: Way, isCritical: boolean, createdMs: number, passed = 0): Item {
  return {
    id,
    way,
    state: 'READY',
    isCritical,
    isLive: false,
    createdMs,
    notBeforeMs: createdMs,
    cause: undefined,
    message: undefined,
    centralId: undefined,
    upload: undefined,
    sessions: 0,
    stream: { finds: 0, isStarted: false, ackedFrames: 0, isRepeated: false },
    intent: undefined,
    intendedMs: undefined,
    doubt: undefined,
    wasFinishLost: false,
    vain: 0,
    ownFailures: 0,
    passedAtFailure: passed,
    polls: 0,
    sentMs: undefined,
    isReportAvailable: false,
    severity: undefined,
    processedMs: undefined,
    absentMs: undefined,
  };
}

/**
 * Which state may follow which (D136). A state that stays is no step. What comes from a copy of the data waits
 * for a person, whatever it was; what is sent as new begins once more from the end.
 */
export const ITEM_STEPS: Readonly<Record<ItemState, readonly ItemState[]>> = {
  HELD: ['READY', 'STOPPED', 'NEEDS_CHECK'],
  READY: ['SENDING', 'REFUSED', 'NEEDS_CHECK', 'STOPPED'],
  SENDING: ['WAITING_REPORT', 'REFUSED', 'NEEDS_CHECK', 'STOPPED'],
  WAITING_REPORT: ['DONE', 'NEEDS_CHECK', 'STOPPED', 'READY'],
  DONE: ['READY'],
  REFUSED: ['READY', 'STOPPED', 'NEEDS_CHECK'],
  NEEDS_CHECK: ['WAITING_REPORT', 'READY', 'STOPPED'],
  STOPPED: ['READY', 'WAITING_REPORT', 'NEEDS_CHECK'],
};

export const mayFollow = (before: ItemState, after: ItemState): boolean =>
  before === after || ITEM_STEPS[before].includes(after);

/** Something is still to be done without a person. */
export const isOpen = ({ state }: Item): boolean =>
  state === 'READY' || state === 'SENDING' || state === 'WAITING_REPORT';
