// Counts the patients whose signal is on the screen, so that nothing of one is drawn under the name of the
// next.

import { useRef } from 'react';
import type { DeskDevice } from '../../shared/bridge/views.ts';
import { useEntry } from './use-entry.tsx';

export interface PatientFacts {
  /** What the form says: empty, filled in, or confirmed to be who lies there. */
  readonly entered: 'nobody' | 'somebody' | 'confirmed';
  /** The recording that runs, and the one that was begun for whom the form says. */
  readonly runningId: number | undefined;
  readonly begunId: number | undefined;
}

export interface PatientCount {
  readonly facts: PatientFacts;
  /**
   * Whether the recording that runs is of whom the form says, all the time; undefined until that is known.
   */
  readonly isOwn: boolean | undefined;
  /** Grows when the signal before now is another patient's. */
  readonly number: number;
}

export const NO_PATIENT: PatientCount = {
  facts: { entered: 'nobody', runningId: undefined, begunId: undefined },
  isOwn: undefined,
  number: 0,
};

function isOwnRecording({ facts: before, isOwn }: PatientCount, now: PatientFacts): boolean | undefined {
  const known = before.runningId === now.runningId ? isOwn : undefined;
  if (now.entered !== 'confirmed') return false;
  return known ?? (now.begunId === now.runningId ? true : undefined);
}

/**
 * Until somebody is confirmed the signal may be of whoever lay there before, and behind a recording of
 * somebody else it is. While a recording runs the picture is that of its patient, whoever is entered
 * meanwhile.
 */
export function nextPatient(state: PatientCount, facts: PatientFacts): PatientCount {
  const { facts: before, number } = state;
  if (facts.runningId !== undefined) {
    // An emergency begins: who lay there before it is not known.
    const isOfNobody =
      before.runningId === undefined && facts.entered !== 'confirmed' && facts.begunId !== facts.runningId;
    return { facts, isOwn: isOwnRecording(state, facts), number: isOfNobody ? number + 1 : number };
  }
  const isAnother =
    before.runningId === undefined
      ? facts.entered !== before.entered && facts.entered !== 'somebody'
      : state.isOwn !== true;
  return { facts, isOwn: undefined, number: isAnother ? number + 1 : number };
}

/** @returns grows when the signal before now is another patient's */
export function usePatientNumber(device: DeskDevice | undefined): number {
  const { state: entry, isEmpty, open } = useEntry();
  const { last } = entry;
  const state = useRef(NO_PATIENT);
  state.current = nextPatient(state.current, {
    entered: isEmpty ? 'nobody' : open.length === 0 ? 'confirmed' : 'somebody',
    runningId: device?.recording?.taskId,
    begunId: last?.kind === 'begun' ? last.taskId : undefined,
  });
  return state.current.number;
}
