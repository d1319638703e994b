// What a page may still do something with: the recording that was begun for the person who is entered, once it is over.

import type { DeskDevice, TaskSubject } from '../../shared/bridge/views.ts';
import { isNobodys, isSamePerson } from '../../shared/patient-text.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';
import type { LastRecording } from './entry-state.ts';

type EndedRecording = NonNullable<DeskDevice['lastRecording']>;

export interface FinishedRecording {
  readonly taskId: number;
  readonly recordedMs: number;
  /** What is missing between its samples, where something is. */
  readonly lostMs?: EndedRecording['lostMs'];
  readonly longestMs?: EndedRecording['longestMs'];
  /** Why the program ended it, or could store nothing more. */
  readonly notice?: EndedRecording['notice'];
  readonly trouble?: EndedRecording['trouble'];
}

/** @param last of the person who is entered @param ended what the device recorded last, for whomever */
export function finishedOf(
  last: LastRecording | undefined,
  ended: DeskDevice['lastRecording'],
): FinishedRecording | undefined {
  if (last?.kind === 'saved') return last;
  return last !== undefined && ended?.firstTaskId === last.taskId ? ended : undefined;
}

/**
 * Whether a recording still belongs to the person entered on the page: somebody may have assigned it elsewhere.
 * @param entered nothing in it while nobody is entered @param now undefined while it is not known
 */
export function isStillOf(entered: PatientFacts, now: TaskSubject | undefined): boolean {
  if (now === undefined) return true;
  if (isNobodys(entered) || now.isPatientMissing) return isNobodys(entered) === now.isPatientMissing;
  return isSamePerson(entered, now.patient);
}
