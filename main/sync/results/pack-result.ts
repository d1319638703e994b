// The newest approved reading of a task as a message for a hospital information system.

import { zonedTime } from '../../../shared/civil-time.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { OutboxEntry, ResultsReceiver } from '../../clinic/outbox/records.ts';
import { statementsOf } from '../../clinic/tasks/corrected-findings.ts';
import { hl7Head, hl7Lines, hl7Text, hl7Time } from '../../formats/hl7/hl7-message.ts';
import { writeHl7Result } from '../../formats/hl7/hl7-result.ts';
import { isStillCurrent } from '../parcels/whose.ts';
import type { ResultParcel } from './results-client.ts';

const MINUTE_MS = 60_000;

const ownNames = (settings: Settings) => ({
  application: settings['hl7.application'],
  facility: settings['hl7.facility'],
});

/** Minutes east of Greenwich at a place; without one, here. */
function offsetMinutesOf(ms: number, timeZone?: string): number {
  const { isoDay, clock } = zonedTime(ms, timeZone);
  return Math.round((Date.parse(`${isoDay}T${clock}Z`) - ms) / MINUTE_MS);
}

/** @throws IsolineError where it cannot be made ready */
export async function packResult(
  clinic: Clinic,
  { taskId }: OutboxEntry,
  to: ResultsReceiver,
): Promise<ResultParcel> {
  const { store, clock, settings } = clinic.context;
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
  // The clock of a file of no known zone is written as it stood there.
  const isZoneKnown = task.fields.recordingStartMs !== undefined || recorded?.isStartZoneKnown !== false;
  const startMs = task.fields.recordingStartMs ?? recorded?.startMs ?? task.createdMs;
  const controlId = `${task.localId}.${report.revision}`;
  const isFirst = store.reports.all(taskId).length === 1;
  const message = writeHl7Result({
    controlId,
    from: ownNames(settings()),
    to,
    sentMs: clock.nowMs(),
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
    isCorrected: !isFirst,
    measurements: finding.summary.measurements,
    statements: statementsOf(finding).map(({ text }) => text),
    indications: task.fields.indications ?? [],
    pdf,
  });
  return {
    message,
    controlId,
    load: {
      sizeBytes: message.length,
      frames: 0,
      isFinished: true,
      objects: { count: 1, revision: report.revision },
    },
    isCurrent,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Asks whether somebody is there, and says nothing of anybody. */
export function testMessage(
  settings: Settings,
  to: ResultsReceiver,
  controlId: string,
  nowMs: number,
): Uint8Array {
  const own = ownNames(settings);
  const head = hl7Head({
    3: hl7Text(own.application),
    4: hl7Text(own.facility),
    5: hl7Text(to.application),
    6: hl7Text(to.facility),
    7: hl7Time(nowMs, 0),
    9: 'NMD^N02^NMD_N02',
    10: controlId,
    // For debugging: no system makes a patient of it.
    11: 'D',
    12: '2.5.1',
  });
  return Buffer.from(hl7Lines([head]), 'utf8');
}
