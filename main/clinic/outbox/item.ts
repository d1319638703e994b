// One recording on its way to the centre: how far it is, and what comes next. Plain values, so that a
// simulator can run a hundred thousand of its lives; the states are those of D136.

import type { ItemCause, ItemState, SyncWay } from '../../../shared/sync-state.ts';
import type { DicomObjectName } from '../../ground/dicom-object.ts';

export type Way = SyncWay;
export type Cause = ItemCause;

export interface UploadProgress {
  readonly id: string;
  readonly createdMs: number;
  /** Acknowledged; the next chunk begins here. */
  readonly ackedBytes: number;
}

/** As one file, in chunks. */
export interface ByUpload {
  readonly way: 'upload';
  readonly upload: UploadProgress | undefined;
  /** Uploads that were begun for it. */
  readonly sessions: number;
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

/** Frame by frame. */
export interface ByStream {
  readonly way: 'stream';
  readonly stream: StreamProgress;
  /** An answer to `finish` was lost once: that the stream is gone may be its doing. */
  readonly wasFinishLost: boolean;
}

/** What an item is in every state, beside the way that it goes. */
export interface Common {
  readonly id: number;
  readonly isCritical: boolean;
  /** It began while the recording ran: its frames go one by one, as they are stored. */
  readonly isLive: boolean;
  readonly createdMs: number;
  readonly notBeforeMs: number;
  /** What the centre said of it, for people. */
  readonly message: string | undefined;
  /** When the creation of its task was last intended: a task there was made about then, or is another one. */
  readonly intendedMs: number | undefined;
  /** Calls in a row that came to nothing. */
  readonly vain: number;
  /** Failures of this one alone while others passed, and how many had passed at the last of them. */
  readonly ownFailures: number;
  readonly passedAtFailure: number;
}

/**
 * Object by object, to whoever keeps each once, however often it comes: an archive. What is sent is an approved
 * reading, so that the next one goes as well.
 */
export interface ByDelivery {
  readonly way: 'delivery';
  /** The reading of which objects were sent; undefined before the first. */
  readonly revision: number | undefined;
  /** What of that reading the archive has taken, in the order in which it went. */
  readonly sentObjects: readonly DicomObjectName[];
  /** How often all of it was sent, and was not kept. */
  readonly rounds: number;
}

/** Nothing goes yet: it waits for the end of its recording, or for its approval. */
export interface Held {
  readonly state: 'HELD';
}

export interface Going {
  readonly state: 'READY' | 'SENDING';
  /** The number of the task there; of a stream it is known before all of it is there. */
  readonly centralId: string | undefined;
  /** A creating call that was sent, or was to be, and of which nothing is known yet. */
  readonly intent: 'createUpload' | 'createTask' | 'createDraft' | 'finish' | undefined;
  /**
   * Its lost answer is being looked for, or, of a task at a peer where that does no harm, the call is
   * repeated until it is answered.
   */
  readonly doubt: 'createTask' | 'createDraft' | 'start' | 'finish' | undefined;
}

/** All of it is there. */
export interface Waiting {
  readonly state: 'WAITING_REPORT';
  readonly centralId: string;
  readonly sentMs: number;
  readonly polls: number;
  readonly isReportAvailable: boolean;
  /** As the centre judges it, in its own words (D121). */
  readonly severity: string | undefined;
  /** When the centre had processed it, and had no report yet. */
  readonly processedMs: number | undefined;
  /** When the centre said for the first time that it does not know the task. */
  readonly absentMs: number | undefined;
}

export interface Done {
  readonly state: 'DONE';
  readonly centralId: string;
  readonly severity: string | undefined;
}

/** It waits for a person, or has come to an end without a report. */
export interface Aside {
  readonly state: AsideState;
  readonly cause: Cause;
  readonly centralId: string | undefined;
  readonly severity: string | undefined;
  readonly processedMs: number | undefined;
}
export type AsideState = 'REFUSED' | 'NEEDS_CHECK' | 'STOPPED';

export type ByWay = ByUpload | ByStream | ByDelivery;
export type Trunk = Common & ByWay;
export type HeldItem = Trunk & Held;
export type GoingItem<W extends ByWay = ByWay> = Common & W & Going;
export type WaitingItem = Trunk & Waiting;
export type DoneItem = Trunk & Done;
export type AsideItem = Trunk & Aside;
/** What belongs to its state, which is the tag. */
export type StateOfItem = Held | Going | Waiting | Done | Aside;
export type Item = Trunk & StateOfItem;

/** What of a recording decides the calls; it is read, never changed. */
export interface Load {
  /** The size of the file, for the upload way. */
  readonly sizeBytes: number;
  /** Frames that are stored here by now, for the stream way. */
  readonly frames: number;
  /** Objects of a reading, for a delivery. */
  readonly objects?: { readonly count: number; readonly revision: number };
  /** No more will come. */
  readonly isFinished: boolean;
}

export const centralIdOf = (item: Item): string | undefined =>
  item.state === 'HELD' ? undefined : item.centralId;
export const severityOf = (item: Item): string | undefined =>
  'severity' in item ? item.severity : undefined;
export const processedMsOf = (item: Item): number | undefined =>
  'processedMs' in item ? item.processedMs : undefined;
export const causeOf = (item: Item): Cause | undefined => ('cause' in item ? item.cause : undefined);

export const isGoing = (item: Item): item is GoingItem => item.state === 'READY' || item.state === 'SENDING';
export const isAside = (item: Item): item is AsideItem =>
  item.state === 'REFUSED' || item.state === 'NEEDS_CHECK' || item.state === 'STOPPED';

/** How long a centre may take to create a task, even if whoever asked for it is gone by then. */
export const LONGEST_CREATION_MS = 180_000;

/**
 * When somebody can first know that the task is not there. Until then the centre may still be creating it, and
 * whoever finds nothing and sends it again creates a second one.
 * @returns undefined where it can be known at any time
 */
export function knowableFromMs(item: Item, nowMs: number): number | undefined {
  const { intendedMs } = item;
  if (item.state !== 'NEEDS_CHECK' || item.way !== 'upload' || intendedMs === undefined) return undefined;
  const fromMs = intendedMs + LONGEST_CREATION_MS;
  // If the clock was set back since, it does not tell how long ago that was.
  return nowMs >= intendedMs && nowMs < fromMs ? fromMs : undefined;
}

/** Whether its task was made there is not known, and it is asked for again. */
export const isTaskDoubted = (item: Item): boolean => isGoing(item) && item.doubt === 'createTask';

/** An answer to a call that made, or may have made, its task there is not known. */
export const mayBeThere = (item: GoingItem): boolean =>
  [item.intent, item.doubt].some((step) => step === 'createTask' || step === 'finish');

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
export const isOpen = (item: Item): item is GoingItem | WaitingItem =>
  isGoing(item) || item.state === 'WAITING_REPORT';
