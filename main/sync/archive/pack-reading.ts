// The newest approved reading of a task as the objects of an archive: the recording, and the report about it.

import { IsolineError } from '../../../shared/errors.ts';
import type { ClinicContext } from '../../clinic/context.ts';
import type { OutboxEntry } from '../../clinic/outbox/records.ts';
import { missing } from '../parcels/missing.ts';
import { packInto } from '../parcels/pack-into.ts';
import { isStillCurrent } from '../parcels/whose.ts';
import type { ArchiveParcel } from './archive-client.ts';

const TITLES = {
  approved: 'ECG report',
  automatic: 'ECG report, not read by a physician',
  preliminary: '',
} as const;

/** @throws IsolineError where it cannot be made ready */
export async function packReading(
  context: ClinicContext,
  { taskId }: OutboxEntry,
  signal: AbortSignal,
): Promise<ArchiveParcel> {
  const { store, files } = context;
  const task = store.tasks.byId(taskId);
  const recording = task?.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId);
  const report = store.reports.latest(taskId);
  if (task === undefined || recording === undefined) throw missing();
  if (report === undefined || task.state !== 'COMPLETED')
    throw new IsolineError('task_state_conflict', 'The recording is not approved yet.');
  const pdf = await files.get(report.sha256);
  if (pdf === undefined)
    throw new IsolineError('report_damaged', 'The report is damaged. Open it once, and send it again.');
  const { kind } = report.look.approval;
  const study = {
    asked: store.orders.ofTask(taskId).find(({ facts }) => facts.asked !== undefined)?.facts.asked,
    report: {
      pdf,
      madeMs: report.look.createdMs,
      isApproved: kind === 'approved',
      title: TITLES[kind],
    },
  };
  const isCurrent = isStillCurrent(context, taskId, report.revision);
  const { packed, file, close } = await packInto(context, task, recording, { into: 'dicom', study }, signal);
  const objects = packed.objects ?? [];
  return {
    objects,
    load: {
      sizeBytes: packed.sizeBytes,
      frames: 0,
      isFinished: true,
      objects: { count: objects.length, revision: report.revision },
    },
    // Another reading, or another patient, is another set of objects.
    isCurrent,
    read: (offsetBytes, lengthBytes) => file.read(offsetBytes, lengthBytes),
    [Symbol.asyncDispose]: close,
  };
}
