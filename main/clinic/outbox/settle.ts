// What an item is after the outcome of a call (D120, D125 to D129). An outcome that is not known is never
// taken for a failure: it is asked for where that is possible, repeated where a repeat can do no harm, and
// shown to a person where neither is.

import type { Call, Outcome } from './call.ts';
import { isCreating } from './call.ts';
import {
  type ByDelivery,
  type ByStream,
  type ByUpload,
  centralIdOf,
  type GoingItem,
  type Item,
  isAside,
  isGoing,
  isOpen,
  isTaskDoubted,
  mayBeThere,
  type WaitingItem,
} from './item.ts';
import { done, newItem, sent as sentItem, setAside } from './item-states.ts';

const MOST_SESSIONS = 3;
const MOST_ROUNDS = 3;
const REPEAT_MS = 20 * 3_600_000;
/** A draft is looked for once more after each of these (D125). */
const FIND_AFTER_MS = [0, 20_000, 60_000, 180_000];
const FIRST_POLL_MS = 5000;
const POLL_GROWTH = 1.5;
const LONGEST_POLL_MS = 300_000;
const SLOW_POLL_MS = 6 * 3_600_000;
const POLL_JITTER = 0.2;
const WEEK_MS = 7 * 86_400_000;
const MONTH_MS = 30 * 86_400_000;
/** A task is believed to be gone when that was said twice, so far apart at least (reference, 5.4). */
const GONE_MS = 600_000;

export interface SettleContext {
  readonly nowMs: number;
  /** From 0 up to, and without, 1. */
  random(): number;
  /** The same creation twice makes one task there, as at another workstation (D46, D126). */
  readonly isIdempotent: boolean;
}

/** The centre understood, and will not; repeating it changes nothing. */
const isRefusal = ({ kind }: Outcome): boolean =>
  kind === 'refused' || kind === 'absent' || kind === 'conflict';

/** Written before the call is sent: after a restart it says that the call may have been. */
export function intend(item: Item, call: Call, nowMs: number): Item {
  if (!isGoing(item)) return item;
  const intent = isCreating(call) ? (call.kind as GoingItem['intent']) : undefined;
  const isTask = call.kind === 'createTask' || call.kind === 'createDraft';
  return { ...item, state: 'SENDING', ...(isTask && { intendedMs: nowMs }), intent };
}

/**
 * A peer remembers for a day what it was asked for: later than this a repeat would be a second task (D46).
 */
export const isTooLateToRepeat = (item: Item, nowMs: number): boolean =>
  item.way === 'upload' && isTaskDoubted(item) && nowMs - (item.upload?.createdMs ?? 0) >= REPEAT_MS;

/** Nothing is known of a call that was under way when the program ended. */
export function afterRestart(item: Item, context: SettleContext): Item {
  const call = isGoing(item) ? intendedCall(item) : undefined;
  return call === undefined ? item : settle(item, call, { kind: 'unknown', isServer: false }, context);
}

function intendedCall(item: GoingItem): Call | undefined {
  switch (item.intent) {
    case 'createUpload':
    case 'createDraft':
      return { kind: item.intent };
    case 'createTask':
      return { kind: item.intent, uploadId: (item.way === 'upload' ? item.upload?.id : undefined) ?? '' };
    case 'finish':
      return { kind: item.intent, centralId: item.centralId as string };
    default:
      return undefined;
  }
}

type Uploading = GoingItem<ByUpload>;
type Streaming = GoingItem<ByStream>;
type Delivering = GoingItem<ByDelivery>;

/** Begins a new upload, as long as that is worth trying. */
function anotherSession(item: Uploading): Item {
  if (item.sessions >= MOST_SESSIONS) return setAside(item, 'REFUSED', 'uploadRefused');
  return { ...item, upload: undefined };
}

function settleUpload(item: Uploading, outcome: Outcome, { nowMs }: SettleContext): Item {
  if (outcome.kind === 'done' && outcome.id !== undefined) {
    if (item.sessions >= MOST_SESSIONS) return setAside(item, 'REFUSED', 'uploadRefused');
    return {
      ...item,
      upload: { id: outcome.id, createdMs: nowMs, ackedBytes: 0 },
      sessions: item.sessions + 1,
    };
  }
  // An upload that nobody uses goes by itself: the call can be repeated.
  return isRefusal(outcome) ? setAside(item, 'REFUSED', 'refused') : item;
}

function settleChunk(item: Uploading, call: Call & { kind: 'chunk' }, outcome: Outcome): Item {
  const { upload } = item;
  const { kind } = outcome;
  if (upload === undefined) return item;
  if (kind === 'done' || kind === 'unclear')
    return { ...item, upload: { ...upload, ackedBytes: call.offsetBytes + call.lengthBytes } };
  return isRefusal(outcome) ? anotherSession(item) : item;
}

const sent = (item: Item, centralId: string, { nowMs }: SettleContext): WaitingItem =>
  sentItem(item, centralId, nowMs, nowMs + FIRST_POLL_MS);

function settleTask(item: Uploading, outcome: Outcome, context: SettleContext): Item {
  switch (outcome.kind) {
    case 'done':
      return outcome.id === undefined
        ? setAside(item, 'NEEDS_CHECK', 'unclearAnswer')
        : sent(item, outcome.id, context);
    case 'unclear':
      return context.isIdempotent
        ? { ...item, doubt: 'createTask' }
        : setAside(item, 'NEEDS_CHECK', 'unclearAnswer');
    case 'unknown':
      return context.isIdempotent
        ? { ...item, doubt: 'createTask' }
        : setAside(item, 'NEEDS_CHECK', 'lostAnswer');
    case 'refused':
      return item.doubt === 'createTask'
        ? setAside(item, 'NEEDS_CHECK', 'lostAnswer')
        : setAside(item, 'REFUSED', 'refused');
    // The interface has no such answers here (D21): somebody on the way gave it, or the request came there
    // twice.
    case 'absent':
    case 'conflict':
      return setAside(item, 'NEEDS_CHECK', 'unclearAnswer');
    default:
      return item;
  }
}

/** The draft's answer was lost: the next look for it, or, when all were in vain, the draft once more. */
function lookForDraft(item: Streaming, { nowMs }: SettleContext): Item {
  const afterMs = FIND_AFTER_MS[item.stream.finds];
  if (afterMs === undefined) return { ...item, doubt: undefined, stream: { ...item.stream, finds: 0 } };
  return { ...item, doubt: 'createDraft', notBeforeMs: nowMs + afterMs };
}

function settleDraft(item: Streaming, outcome: Outcome, context: SettleContext): Item {
  if (outcome.kind === 'done' && outcome.id !== undefined) return { ...item, centralId: outcome.id };
  if (isRefusal(outcome)) return setAside(item, 'REFUSED', 'refused');
  const isInDoubt = outcome.kind === 'done' || outcome.kind === 'unclear' || outcome.kind === 'unknown';
  return isInDoubt ? lookForDraft(item, context) : item;
}

function settleFind(item: Streaming, outcome: Outcome, context: SettleContext): Item {
  if (outcome.kind === 'done' && outcome.id !== undefined)
    return { ...item, centralId: outcome.id, doubt: undefined };
  if (outcome.kind === 'refused' || outcome.kind === 'conflict')
    return setAside(item, 'NEEDS_CHECK', 'lostAnswer');
  if (outcome.kind !== 'absent') return item;
  return lookForDraft({ ...item, stream: { ...item.stream, finds: item.stream.finds + 1 } }, context);
}

const started = (item: Streaming): Streaming => ({
  ...item,
  doubt: undefined,
  stream: { ...item.stream, isStarted: true },
});

function settleStart(item: Streaming, { kind }: Outcome): Item {
  if (kind === 'done' || kind === 'unclear') return started(item);
  if (kind === 'conflict') return { ...item, doubt: 'start' };
  if (kind === 'absent') return setAside(item, 'NEEDS_CHECK', 'streamLost');
  return kind === 'refused' ? setAside(item, 'REFUSED', 'refused') : item;
}

function settleFrame(item: Streaming, call: Call & { kind: 'frame' }, { kind }: Outcome): Item {
  // A frame that is there already is stored (D125).
  if (kind === 'done' || kind === 'unclear' || kind === 'conflict')
    return {
      ...item,
      stream: { ...item.stream, ackedFrames: Math.max(item.stream.ackedFrames, call.index + 1) },
    };
  if (kind === 'absent') return setAside(item, 'NEEDS_CHECK', 'streamLost');
  return kind === 'refused' ? setAside(item, 'REFUSED', 'refused') : item;
}

/** The centre says that frames are missing: all of them once more, then a person. */
function repeatFrames(item: Streaming): Item {
  if (item.stream.isRepeated) return setAside(item, 'NEEDS_CHECK', 'framesMissing');
  return { ...item, doubt: undefined, stream: { ...item.stream, ackedFrames: 0, isRepeated: true } };
}

function settleFinish(
  item: Streaming,
  call: Call & { kind: 'finish' },
  outcome: Outcome,
  context: SettleContext,
): Item {
  switch (outcome.kind) {
    case 'done':
      return sent(item, call.centralId, context);
    // Somebody on the way may have given the answer: believed, the recording would stay open there, and its
    // report would never come.
    case 'unclear':
    case 'unknown':
      return { ...item, doubt: 'finish', wasFinishLost: true };
    case 'conflict':
      return repeatFrames(item);
    case 'absent':
      return item.wasFinishLost ? { ...item, doubt: 'finish' } : setAside(item, 'NEEDS_CHECK', 'streamLost');
    case 'refused':
      return setAside(item, 'REFUSED', 'refused');
    default:
      return item;
  }
}

function settleParams(
  item: Streaming,
  call: Call & { kind: 'params' },
  { kind }: Outcome,
  context: SettleContext,
): Item {
  const isThere = kind === 'done' || kind === 'unclear';
  if (kind === 'refused' || kind === 'conflict') return setAside(item, 'NEEDS_CHECK', 'streamLost');
  if (!isThere && kind !== 'absent') return item;
  if (call.after === 'start') return isThere ? started(item) : setAside(item, 'NEEDS_CHECK', 'streamLost');
  // A finished stream is gone there; one that is still there was not finished.
  return isThere ? { ...item, doubt: undefined } : sent(item, call.centralId, context);
}

function settleObject(
  item: Delivering,
  { index, of }: Call & { kind: 'object' },
  outcome: Outcome,
  context: SettleContext,
): Item {
  if (outcome.kind === 'refused') return setAside(item, 'REFUSED', outcome.cause ?? 'refused');
  if (outcome.kind !== 'done')
    return isRefusal(outcome) || outcome.kind === 'unclear' ? setAside(item, 'REFUSED', 'refused') : item;
  const { object } = outcome;
  if (object === undefined) return setAside(item, 'NEEDS_CHECK', 'unclearAnswer');
  const sentObjects = [...item.sentObjects.slice(0, index), object];
  const taken = { ...item, revision: of.revision, sentObjects };
  if (sentObjects.length < of.count) return taken;
  // The last one is the report, of which there is one for each reading.
  return sentItem(taken, object.instanceUid, context.nowMs, context.nowMs);
}

/** Said not to be kept, all of it goes once more: what is there already is kept once. */
function settleConfirm(item: WaitingItem, outcome: Outcome, context: SettleContext): Item {
  if (outcome.kind === 'done') return outcome.isProcessed === true ? done(item) : nextPoll(item, context);
  if (outcome.kind === 'unclear') return nextPoll(item, context);
  if (!isRefusal(outcome) || item.way !== 'delivery') return item;
  const rounds = item.rounds + 1;
  if (rounds >= MOST_ROUNDS) return setAside({ ...item, rounds }, 'NEEDS_CHECK', 'notKept');
  const again = newItem(item.id, item.way, item.isCritical, item.createdMs, item.passedAtFailure);
  return again.way === 'delivery' ? { ...again, rounds, notBeforeMs: context.nowMs } : item;
}

function nextPoll(item: WaitingItem, { nowMs, random }: SettleContext): Item {
  const ageMs = nowMs - item.sentMs;
  if (ageMs >= MONTH_MS) return setAside(item, 'STOPPED', 'noReport');
  const usualMs =
    ageMs >= WEEK_MS ? SLOW_POLL_MS : Math.min(LONGEST_POLL_MS, FIRST_POLL_MS * POLL_GROWTH ** item.polls);
  const jitter = 1 + POLL_JITTER * (2 * random() - 1);
  return { ...item, polls: item.polls + 1, notBeforeMs: nowMs + Math.round(usualMs * jitter) };
}

function settleStatus(item: WaitingItem, outcome: Outcome, context: SettleContext): Item {
  const { nowMs } = context;
  if (outcome.kind === 'absent') {
    if (item.absentMs !== undefined && nowMs - item.absentMs >= GONE_MS)
      return setAside(item, 'STOPPED', 'goneAtCentre');
    return { ...item, absentMs: item.absentMs ?? nowMs, notBeforeMs: nowMs + GONE_MS };
  }
  if (outcome.kind !== 'done')
    return isRefusal(outcome) || outcome.kind === 'unclear' ? nextPoll(item, context) : item;
  const isWithoutReport = outcome.isProcessed === true && outcome.isReportAvailable !== true;
  const processedMs = isWithoutReport ? (item.processedMs ?? nowMs) : undefined;
  const known = { ...item, absentMs: undefined, severity: outcome.severity, processedMs };
  const isReady = outcome.isProcessed === true && outcome.isReportAvailable === true;
  return isReady ? { ...known, isReportAvailable: true } : nextPoll(known, context);
}

function settleReport(item: WaitingItem, outcome: Outcome, context: SettleContext): Item {
  if (outcome.kind === 'done') return done(item);
  // The centre said a moment ago that the report is there, so we ask for the status again first.
  if (isRefusal(outcome) || outcome.kind === 'unclear')
    return nextPoll({ ...item, isReportAvailable: false }, context);
  return item;
}

/**
 * @param before as it was when the call was sent, with its intent
 * @returns the item to be stored in one transaction with what the answer brought
 */
export function settle(before: Item, call: Call, outcome: Outcome, context: SettleContext): Item {
  if (!isOpen(before) || !isAbout(before, call)) return before;
  const said = outcome.kind === 'refused' ? { message: outcome.message } : {};
  if (!isGoing(before)) return settleWaiting({ ...before, ...said }, call, outcome, context);
  const item: GoingItem = { ...before, state: 'SENDING', intent: undefined, ...said };
  switch (item.way) {
    case 'upload':
      return settleUploading(item, call, outcome, context);
    case 'stream':
      return settleStreaming(item, call, outcome, context);
    case 'delivery':
      return call.kind === 'object' ? settleObject(item, call, outcome, context) : item;
  }
}

type Settling<I extends Item> = (item: I, call: Call, outcome: Outcome, context: SettleContext) => Item;

const settleUploading: Settling<Uploading> = (item, call, outcome, context) => {
  switch (call.kind) {
    case 'createUpload':
      return settleUpload(item, outcome, context);
    case 'chunk':
      return settleChunk(item, call, outcome);
    case 'createTask':
      return settleTask(item, outcome, context);
    default:
      return item;
  }
};

const settleStreaming: Settling<Streaming> = (item, call, outcome, context) => {
  switch (call.kind) {
    case 'createDraft':
      return settleDraft(item, outcome, context);
    case 'findDraft':
      return settleFind(item, outcome, context);
    case 'start':
      return settleStart(item, outcome);
    case 'frame':
      return settleFrame(item, call, outcome);
    case 'finish':
      return settleFinish(item, call, outcome, context);
    case 'params':
      return settleParams(item, call, outcome, context);
    default:
      return item;
  }
};

const settleWaiting: Settling<WaitingItem> = (item, call, outcome, context) => {
  if (call.kind === 'status') return settleStatus(item, outcome, context);
  if (call.kind === 'confirm') return settleConfirm(item, outcome, context);
  return call.kind === 'report' ? settleReport(item, outcome, context) : item;
};

/** An answer that comes late may be about a try that somebody has given up. */
export function isAbout(item: Item, call: Call): boolean {
  if ('uploadId' in call) return item.way === 'upload' && call.uploadId === item.upload?.id;
  return !('centralId' in call) || call.centralId === centralIdOf(item);
}

/** What a person found out about an item that waits for that, or wants of one that was refused. */
export type Answer =
  /** It is there, under this number. */
  | { readonly kind: 'there'; readonly centralId: string }
  /** It is not there: the consent to send it again. */
  | { readonly kind: 'again' }
  | { readonly kind: 'stop' };

/** @returns undefined where the answer fits no question */
export function answered(item: Item, answer: Answer, context: SettleContext): Item | undefined {
  switch (answer.kind) {
    case 'there':
      return item.state === 'NEEDS_CHECK' ? sent(item, answer.centralId, context) : undefined;
    case 'again':
      if (!isAside(item)) return undefined;
      // It is there: only its report is asked for once more.
      if (item.cause === 'noReport' && item.centralId !== undefined)
        return sent(item, item.centralId, context);
      return {
        ...newItem(item.id, item.way, item.isCritical, item.createdMs, item.passedAtFailure),
        isLive: item.isLive,
        // What is left there of a stream is looked for first: a second one beside it would be finished by the
        // centre itself one day (D83).
        doubt: item.way === 'stream' ? 'createDraft' : undefined,
        notBeforeMs: context.nowMs,
      };
    case 'stop': {
      // What may be there already cannot be taken back by stopping here.
      const isGone = isGoing(item)
        ? mayBeThere(item)
        : item.state === 'WAITING_REPORT' || item.state === 'DONE';
      return isGone ? undefined : setAside(item, 'STOPPED', 'byPerson');
    }
  }
}
