// The newest approved reading of a task, for whoever takes results.

import { zonedTime } from '../../../shared/civil-time.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { warningText } from '../../../shared/warnings/warning.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Load } from '../../clinic/outbox/item.ts';
import { statementsOf } from '../../clinic/tasks/statements.ts';
import { warningsOf } from '../../clinic/tasks/task-warnings.ts';
import type { EcgReading } from '../../formats/ecg-reading.ts';
import { readingStatusOf } from '../../ground/reading-status.ts';
import { isStillCurrent } from './whose.ts';

const MINUTE_MS = 60_000;

export interface ApprovedReading {
  readonly reading: EcgReading;
  /** A name for recording and revision: the same for the same reading. */
  readonly name: string;
  readonly revision: number;
  readonly analysisVersion: string;
  /** It is still the newest, and of the same patient. */
  isCurrent(): boolean;
}

/** Minutes east of Greenwich at a place; without one, here. */
function offsetMinutesOf(ms: number, timeZone?: string): number {
  const { isoDay, clock } = zonedTime(ms, timeZone);
  return Math.round((Date.parse(`${isoDay}T${clock}Z`) - ms) / MINUTE_MS);
}

/** The load of something that goes in one piece. */
export const loadOf = ({ length }: Uint8Array, revision: number): Load => ({
  sizeBytes: length,
  frames: 0,
  isFinished: true,
  objects: { count: 1, revision },
});

/** @throws IsolineError where there is none, or it cannot be read */
export async function approvedReading(clinic: Clinic, taskId: number): Promise<ApprovedReading> {
  const { store } = clinic.context;
  const { task, facts: recorded } = clinic.worklist.lookAt(taskId);
  const report = store.reports.latest(taskId);
  const finding = report && store.findings.ofRevision(taskId, report.revision);
  if (task.state !== 'COMPLETED' || report === undefined || finding === undefined)
    throw new IsolineError('task_state_conflict', 'The recording is not approved yet.');
  const isCurrent = isStillCurrent(clinic.context, taskId, report.revision);
  const { pdf, patient } = await clinic.reports.read(taskId);
  const order = store.orders
    .ofTask(taskId)
    .find(({ facts }) => facts.format === 'hl7' || facts.asked !== undefined);
  const { approval, createdMs } = report.look;
  const reports = store.reports.all(taskId);
  // The clock of a file of no known zone is written as it stood there.
  const isZoneKnown = task.fields.recordingStartMs !== undefined || recorded?.isStartZoneKnown !== false;
  const startMs = task.fields.recordingStartMs ?? recorded?.startMs ?? task.createdMs;
  const reading: EcgReading = {
    isSimulated: task.isSimulated,
    patient,
    orderNumber: order?.facts.orderNumber,
    fillerNumber: task.localId,
    asked: order?.facts.asked,
    startMs,
    offsetMinutes: isZoneKnown ? offsetMinutesOf(startMs, task.fields.recordingTimeZone) : undefined,
    approval: {
      isByPhysician: approval.kind === 'approved',
      by: approval.kind === 'approved' ? approval.by : '',
      atMs: createdMs,
      offsetMinutes: offsetMinutesOf(createdMs),
    },
    status: readingStatusOf(
      approval.kind === 'approved',
      reports.some((each) => each.revision < report.revision && each.look.approval.kind === 'approved'),
    ),
    isCorrected: reports.length > 1,
    measurements: finding.summary.measurements,
    statements: statementsOf(finding).map(({ text }) => text),
    warnings: warningsOf(task, recorded, finding).map((each) => warningText(each, 'en')),
    indications: task.fields.indications ?? [],
    pdf,
  };
  const { revision } = report;
  const { analysisVersion } = finding;
  return { reading, name: `${task.localId}.${revision}`, revision, analysisVersion, isCurrent };
}
