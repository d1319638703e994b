// A recording made ready in a file of its own, which goes when it was sent.

import { IsolineError } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import { base32Id, type ClinicContext } from '../../clinic/context.ts';
import type { IncomingFile, Packed, PackJob } from '../../clinic/ports.ts';
import { isLongRecording } from '../../clinic/tasks/analysis-lanes.ts';
import type { RecordingRow, Task } from '../../clinic/tasks/records.ts';
import { patientOf } from '../../clinic/tasks/task-patient.ts';
import { missing } from './missing.ts';

const ID_LENGTH = 20;
/** Packed, a recording may be larger than the coded one that is stored. */
const PACKED_SHARE = 4;

export interface PackedInto {
  readonly packed: Packed;
  readonly file: IncomingFile;
  /** Takes it away. */
  close(): Promise<void>;
}

/** @throws IsolineError where it cannot be made ready, or there is no room */
export async function packInto(
  { files, pool, randomBytes, settings }: ClinicContext,
  task: Task,
  recording: RecordingRow,
  how: Pick<PackJob, 'into' | 'study'>,
  signal: AbortSignal,
): Promise<PackedInto> {
  // Sending never takes the room that a recording needs.
  const sizeBytes = recording.files.reduce((sum, file) => sum + file.sizeBytes, 0);
  if ((await files.freeBytes()) - PACKED_SHARE * sizeBytes < settings()['storage.reserve'])
    throw new IsolineError(
      'storage_full',
      'There is not enough disk space to prepare the recording for sending.',
    );
  // The name of an import: what is left of it when the program dies is removed at the next start.
  const id = `import-parcel-${base32Id(randomBytes, ID_LENGTH)}`;
  await files.createIncoming(id);
  let file: IncomingFile | undefined;
  const close = async (): Promise<void> => {
    await file?.close();
    await files.removeIncoming(id);
  };
  try {
    const packed = await pool.pack(
      {
        files: recording.files.map(({ name, sha256 }) => ({ name, path: files.path(sha256) })),
        ...how,
        patient: patientOf(task.fields, recording.facts.patient),
        // Frames go as they were announced when the stream began.
        ...given({
          channels: how.into === 'frames' ? undefined : task.channels,
          startMs: task.fields.recordingStartMs,
        }),
        path: files.incomingPath(id),
      },
      signal,
      // It has waited until now, and goes behind what people and devices wait for.
      { lane: 'import', isLong: isLongRecording(recording.facts) },
    );
    file = await files.openIncoming(id);
    if (file === undefined) throw missing();
    return { packed, file, close };
  } catch (error) {
    await close();
    throw error;
  }
}
