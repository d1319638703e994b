// Tasks as the screens show them.

import type { TaskDetail, TaskRow } from '../../../shared/bridge/views.ts';
import { NOT_IN_OLD_VERSIONS } from '../../../shared/findings/codes.ts';
import { given } from '../../../shared/given.ts';
import { countUsed } from '../../../shared/signal/channel-choice.ts';
import type { ListedTask } from '../../clinic/tasks/records.ts';
import { isPatientMissing, patientOf } from '../../clinic/tasks/task-patient.ts';
import { warningsOf } from '../../clinic/tasks/task-warnings.ts';
import type { LookedAtTask } from '../../clinic/tasks/worklist.ts';

const when = <T>(condition: boolean, value: T): T | undefined => (condition ? value : undefined);

export function taskRow({
  task,
  facts,
  criticalSinceMs,
  criticalRevision,
  queuedAhead,
  lane,
  deviceName,
  approvedBy,
  central,
}: ListedTask): TaskRow {
  const { fields } = task;
  const startMs = fields.recordingStartMs ?? facts?.startMs;
  const isStartZoneKnown = fields.recordingStartMs !== undefined || facts?.isStartZoneKnown === true;
  return {
    taskId: task.id,
    state: task.state,
    createdMs: task.createdMs,
    patient: patientOf(fields, facts?.patient ?? {}),
    ...given({
      recordingStartMs: startMs,
      isStartZoneKnown: when(startMs !== undefined, isStartZoneKnown),
      timeZone: fields.recordingTimeZone,
      durationMs: facts?.durationMs,
      leadCount: task.channels === undefined ? facts?.leadCount : countUsed(task.channels),
      severity: task.severity,
      firstFinding: task.firstFinding,
      criticalSinceMs,
      criticalRevision,
      isCriticalSeen: when(
        criticalRevision !== undefined && task.criticalSeen?.revision === criticalRevision,
        true,
      ),
      isSimulated: when(task.isSimulated, true),
      isPatientMissing: when(isPatientMissing(task), true),
      failureReason: task.failureReason,
      queuedAhead,
      lane,
      deviceName: deviceName ?? fields.deviceId ?? facts?.deviceId,
      approvedBy,
    }),
    ...(central !== undefined && {
      central: {
        state: central.state,
        hasReport: central.hasReport,
        ...given({ severity: central.severity }),
      },
    }),
  };
}

export function taskDetail(looked: LookedAtTask): TaskDetail {
  const { task, facts, finding, statements } = looked;
  const summary = finding?.summary;
  return {
    ...taskRow(looked),
    ...given({
      deviceId: task.fields.deviceId ?? facts?.deviceId,
      format: facts?.format,
      measurements: summary?.measurements,
      revision: finding?.revision,
      rejection: task.rejection,
      legalHold: looked.legalHold,
    }),
    statements: [...statements],
    notAssessed: summary === undefined ? [] : [...(summary.notAssessed ?? NOT_IN_OLD_VERSIONS)],
    quality: [...(summary?.quality ?? [])],
    warnings: [...warningsOf(task, facts, finding)],
    indications: [...(task.fields.indications ?? [])],
    tags: [...(task.fields.tags ?? [])],
  };
}
