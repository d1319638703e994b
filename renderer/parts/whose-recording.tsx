// Which recording a dialog or a line is about: of whom, when, how long. What acts on it says the same to the workstation,
// which acts only where that is still so.

import type { ReactNode } from 'react';
import type { TaskRow, TaskSubject } from '../../shared/bridge/views.ts';
import { duration, recordedTime } from './format-time.ts';
import { patientFacts, taskNameOf } from './patient-line.tsx';

/** As the workstation compares it. */
export const subjectOf = ({ patient, isPatientMissing }: TaskRow): TaskSubject => ({
  patient,
  isPatientMissing: isPatientMissing === true,
});

/** `HOFFMANN, Anneliese · 14 Mar 1951 · 75 y · female · 28 Nov 2026 14:02 · 10 s` */
export function WhoseRecording({ row }: { row: TaskRow }): ReactNode {
  const { recordingStartMs, createdMs, isStartZoneKnown, timeZone, durationMs } = row;
  const atMs = recordingStartMs ?? createdMs;
  const facts = row.isPatientMissing === true ? '' : patientFacts(row.patient, { atMs });
  const time = recordedTime(atMs, recordingStartMs === undefined || isStartZoneKnown === true, timeZone);
  const parts = [facts, time, ...(durationMs === undefined ? [] : [duration(durationMs)])];
  return (
    <>
      <b>{taskNameOf(row)}</b> <span>{parts.filter((part) => part !== '').join(' · ')}</span>
    </>
  );
}
