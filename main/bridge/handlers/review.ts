// A recording as somebody reads it.

import type { DAY_QUERIES } from '../../../shared/bridge/contract/day.ts';
import type { REVIEW_COMMANDS, REVIEW_QUERIES } from '../../../shared/bridge/contract/review.ts';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { given } from '../../../shared/given.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import { type PatientEcg, recordedMs } from '../../clinic/tasks/patient-ecgs.ts';
import type { Answers } from './caller.ts';
import { taskRow } from './task-row.ts';

function patientEcg(ecg: PatientEcg): CallOutput<'review.patientEcgs'>['ecgs'][number] {
  const { finding, statements, approval, differs } = ecg;
  const { heartRateBpm, prMs, qrsMs, qtcFridericiaMs, qrsAxisDeg } = finding.summary.measurements;
  return {
    row: taskRow(ecg),
    atMs: recordedMs(ecg),
    values: given({ heartRateBpm, prMs, qrsMs, qtcFridericiaMs, qrsAxisDeg }),
    differs: [...differs],
    ...given({
      statement: statements[0],
      approvedBy: approval?.kind === 'approved' ? approval.by : undefined,
    }),
  };
}

export function reviewQueries({
  review,
  reading,
  patientEcgs,
}: Clinic): Answers<keyof typeof REVIEW_QUERIES> {
  return {
    'review.signal': async ({ taskId, ...range }, { session }) => {
      const part = await review.signal(taskId, range);
      await reading.note(session, 'review.read', taskId);
      return part;
    },
    'review.marks': async ({ taskId }) => review.marks(taskId),
    'review.patientEcgs': async ({ taskId }) => ({ ecgs: patientEcgs.of(taskId).map(patientEcg) }),
    'review.strip': async ({ taskId }) => review.strip(taskId),
    'review.next': async ({ behind }) => review.next(behind),
    'review.reading': async ({ taskId }, { actor }) => review.reading(taskId, actor),
  };
}

export function dayQueries({ review, reading }: Clinic): Answers<keyof typeof DAY_QUERIES> {
  return {
    'day.get': async ({ taskId }, { session }) => {
      const day = await review.day(taskId);
      await reading.note(session, 'review.read', taskId);
      return day;
    },
    'day.corrections': async ({ taskId }, { actor }) => review.corrections(taskId, actor),
    'day.pictures': async ({ taskId, ...wanted }) => review.beatPictures(taskId, wanted),
    'day.rows': async ({ taskId, ...wanted }) => review.rows(taskId, wanted),
  };
}

export function reviewCommands({ corrections }: Clinic): Answers<keyof typeof REVIEW_COMMANDS> {
  return {
    'review.correct': async ({ taskId, change }, caller) => ({
      version: await corrections.correct(taskId, change, caller),
    }),
    'review.undo': async ({ taskId, version }, caller) => ({
      version: await corrections.undo(taskId, version, caller),
    }),
    'review.redo': async ({ taskId, version }, caller) => ({
      version: await corrections.redo(taskId, version, caller),
    }),
    'review.discard': async ({ taskId, version }, caller) => ({
      version: await corrections.discard(taskId, version, caller),
    }),
    'review.takeOver': async ({ taskId }, caller) => {
      await corrections.takeOver(taskId, caller);
      return {};
    },
  };
}
