// What a task is called at the centre: everything that is known of it here, stated when it is made, because
// nothing can be changed there later (D130).

import { given } from '../../../shared/given.ts';
import type { StatedTask } from '../../ground/task-fields.ts';
import { SIMULATED_SIGNAL } from '../../signal/simulated-signal.ts';
import type { RecordingFacts, Task } from '../tasks/records.ts';
import { patientOf } from '../tasks/task-patient.ts';
import type { OutboxEntry, SentPatient } from './records.ts';

const MOST_TAGS = 100;
const CONTENT_CHARACTERS = 16;
const MOST_DEVICE_ID = 256;

/** `isoline:<installation>:<local id>`, by which people find a task there whose answer was lost (D122). */
export const markerOf = (installationId: string, localId: string): string =>
  `isoline:${installationId}:${localId}`;

/** Unique to the recording, so that its draft can be asked for (D125). */
export function deviceIdOf({ fields }: Pick<Task, 'fields'>, marker: string): string {
  const suffix = `#${marker}`;
  return `${(fields.deviceId?.trim() ?? 'isoline').slice(0, MOST_DEVICE_ID - suffix.length)}${suffix}`;
}

/** Whom the centre is told that it is of, and which channels it gets. */
export function sentPatientOf(
  { fields, channels }: Pick<Task, 'fields' | 'channels'>,
  facts: RecordingFacts | undefined,
): SentPatient {
  const { id, lastName, firstName, birthDate, gender } = patientOf(fields, facts?.patient ?? {});
  return given({ id, lastName, firstName, birthDate, gender, channels });
}

/**
 * @param facts of the recording, where there is one; while it is being recorded there is none
 * @param startedMs of one that is being recorded
 */
export function centralTaskOf(
  { fields, isSimulated }: Task,
  facts: RecordingFacts | undefined,
  { marker, content, replaces }: Pick<OutboxEntry, 'marker' | 'content' | 'replaces'>,
  { isAutoComplete, startedMs }: { readonly isAutoComplete: boolean; readonly startedMs: number | undefined },
): StatedTask {
  const patient = patientOf(fields, facts?.patient ?? {});
  // A clock of no known zone says no instant: it stands in the file, as it was written.
  const startMs =
    fields.recordingStartMs ?? (facts?.isStartZoneKnown === true ? facts.startMs : undefined) ?? startedMs;
  const ours = [
    marker,
    ...(content === undefined ? [] : [`isoline-sha:${content.slice(0, CONTENT_CHARACTERS)}`]),
    ...(replaces === undefined ? [] : [`isoline:replaces:${replaces}`]),
    ...(isSimulated ? ['isoline:simulated'] : []),
  ];
  // A file has no place for that: whoever judges it there must know all the same.
  const indications = [...(isSimulated ? [SIMULATED_SIGNAL] : []), ...(fields.indications ?? [])].slice(
    0,
    MOST_TAGS,
  );
  const tags = (fields.tags ?? []).filter((tag) => !ours.includes(tag)).slice(0, MOST_TAGS - ours.length);
  return {
    fields: {
      patient,
      ...given({
        investigationId: fields.investigationId,
        indications: indications.length === 0 ? undefined : indications,
        recordingStartMs: startMs,
        recordingTimeZone: fields.recordingTimeZone,
      }),
      tags: [...tags, ...ours],
    },
    isAutoComplete,
  };
}
