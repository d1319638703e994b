// What people, devices and other programs state of a task.

import type { PatientFacts } from '../../shared/signal/recording.ts';

export interface TaskFields {
  /** As it was stated; the recording may say more. */
  readonly patient: PatientFacts;
  readonly investigationId?: string;
  readonly deviceId?: string;
  readonly indications?: readonly string[];
  readonly tags?: readonly string[];
  readonly recordingStartMs?: number;
  /** IANA. */
  readonly recordingTimeZone?: string;
}

/** A task that is to be made. */
export interface StatedTask {
  readonly fields: TaskFields;
  /** Without a physician. */
  readonly isAutoComplete: boolean;
}
