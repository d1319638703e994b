// The newest approved reading of a task as the objects of an archive: the recording, its reading in numbers and findings,
// and the report about it.

import type { Clinic } from '../../clinic/clinic.ts';
import type { OutboxEntry } from '../../clinic/outbox/records.ts';
import type { PackedStudy } from '../../clinic/ports.ts';
import { remarksOf } from '../../formats/ecg-reading.ts';
import { type ApprovedReading, approvedReading } from '../packing/approved-reading.ts';
import { missing } from '../packing/missing.ts';
import { packInto } from '../packing/pack-into.ts';
import type { ArchiveParcel } from './archive-client.ts';

/** The longest value of type LO. */
const MOST_LONG = 64;

function studyOf({ reading, analysisVersion }: ApprovedReading, organization: string): PackedStudy {
  const { asked, pdf, measurements, indications, approval } = reading;
  const { isByPhysician, by, atMs: madeMs } = approval;
  const title = isByPhysician ? 'ECG report' : 'ECG report, not read by a physician';
  return {
    asked,
    report: { pdf, madeMs, isApproved: isByPhysician, title },
    read: {
      measurements,
      remarks: remarksOf(reading),
      indications,
      by,
      organization,
      madeMs,
      analysisVersion,
    },
  };
}

/** @throws IsolineError where it cannot be made ready */
export async function packReading(
  clinic: Clinic,
  { taskId }: OutboxEntry,
  signal: AbortSignal,
): Promise<ArchiveParcel> {
  const { context } = clinic;
  const { store } = context;
  const task = store.tasks.byId(taskId);
  const recording = task?.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId);
  if (task === undefined || recording === undefined) throw missing();
  const approved = await approvedReading(clinic, taskId);
  const { revision, isCurrent } = approved;
  const [clinicName = ''] = context.settings()['report.clinic'].split(/[\r\n]/, 1);
  const organization = clinicName.trim() || (store.organizations.byId(task.organizationId)?.path ?? '');
  const study = studyOf(approved, organization.slice(0, MOST_LONG));
  const { packed, file, close } = await packInto(context, task, recording, { into: 'dicom', study }, signal);
  const objects = packed.objects ?? [];
  return {
    objects,
    load: {
      sizeBytes: packed.sizeBytes,
      frames: 0,
      isFinished: true,
      objects: { count: objects.length, revision },
    },
    // Another reading, or another patient, is another set of objects.
    isCurrent,
    read: (offsetBytes, lengthBytes) => file.read(offsetBytes, lengthBytes),
    [Symbol.asyncDispose]: close,
  };
}
