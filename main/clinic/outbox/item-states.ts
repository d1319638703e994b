// How an item is made, and how it comes into each state with what belongs to that.

import {
  type AsideItem,
  type AsideState,
  type ByWay,
  type Cause,
  centralIdOf,
  type DoneItem,
  type GoingItem,
  type HeldItem,
  type Item,
  processedMsOf,
  type StreamProgress,
  severityOf,
  type Trunk,
  type WaitingItem,
  type Way,
} from './item.ts';

const NEW_STREAM: StreamProgress = { finds: 0, isStarted: false, ackedFrames: 0, isRepeated: false };

function newWay(way: Way): ByWay {
  switch (way) {
    case 'upload':
      return { way, upload: undefined, sessions: 0 };
    case 'stream':
      return { way, stream: NEW_STREAM, wasFinishLost: false };
    case 'delivery':
      return { way, revision: undefined, sentObjects: [], rounds: 0 };
  }
}

function wayOf(item: ByWay): ByWay {
  switch (item.way) {
    case 'upload':
      return { way: item.way, upload: item.upload, sessions: item.sessions };
    case 'stream':
      return { way: item.way, stream: item.stream, wasFinishLost: item.wasFinishLost };
    case 'delivery':
      return { way: item.way, revision: item.revision, sentObjects: item.sentObjects, rounds: item.rounds };
  }
}

/**
 * One that nothing is sent of yet.
 * @param passed calls that the centre has answered well so far: what it failed at before is not this one's
 * fault
 */
export function heldItem(id: number, way: Way, isCritical: boolean, createdMs: number, passed = 0): HeldItem {
  return {
    id,
    isCritical,
    isLive: false,
    createdMs,
    notBeforeMs: createdMs,
    message: undefined,
    intendedMs: undefined,
    vain: 0,
    ownFailures: 0,
    passedAtFailure: passed,
    ...newWay(way),
    state: 'HELD',
  };
}

/** Without what belongs to its state alone. */
export function trunkOf(item: Trunk): Trunk {
  return {
    id: item.id,
    isCritical: item.isCritical,
    isLive: item.isLive,
    createdMs: item.createdMs,
    notBeforeMs: item.notBeforeMs,
    message: item.message,
    intendedMs: item.intendedMs,
    vain: item.vain,
    ownFailures: item.ownFailures,
    passedAtFailure: item.passedAtFailure,
    ...wayOf(item),
  };
}

/** It may go, from the beginning, and this way. */
export function released(item: HeldItem, way: Way, isLive: boolean, nowMs: number): GoingItem {
  return {
    ...trunkOf(item),
    ...newWay(way),
    isLive,
    notBeforeMs: nowMs,
    state: 'READY',
    centralId: undefined,
    intent: undefined,
    doubt: undefined,
  };
}

export const newItem = (...of: Parameters<typeof heldItem>): GoingItem =>
  released(heldItem(...of), of[1], false, of[3]);

/** Sends an item from the beginning again; the unfinished upload at the central service expires there. */
export function fromTheStart(item: Item): Item {
  if (item.way === 'upload') return { ...item, upload: undefined };
  return item.way === 'delivery' ? { ...item, sentObjects: [] } : item;
}

/** All of it is there, under this number; now its report is asked for. */
export function sent(item: Item, centralId: string, nowMs: number, notBeforeMs: number): WaitingItem {
  return {
    ...trunkOf(item),
    notBeforeMs,
    state: 'WAITING_REPORT',
    centralId,
    sentMs: nowMs,
    polls: 0,
    isReportAvailable: false,
    severity: severityOf(item),
    processedMs: undefined,
    absentMs: undefined,
  };
}

export const done = (item: WaitingItem): DoneItem => ({
  ...trunkOf(item),
  state: 'DONE',
  centralId: item.centralId,
  severity: item.severity,
});

export const setAside = (item: Item, state: AsideState, cause: Cause): AsideItem => ({
  ...trunkOf(item),
  state,
  cause,
  centralId: centralIdOf(item),
  severity: severityOf(item),
  processedMs: processedMsOf(item),
});
