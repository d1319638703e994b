// What the recorder asks of the clinic; no page may.

import { Type } from 'typebox';
import { WarningSchema } from '../../analysis-result.ts';
import { RecordingEntry } from '../../entry/recording-entry.ts';
import { LEAD_CODES } from '../../signal/lead.ts';
import { RecordedDevice, StreamScale } from '../../signal/stream-file.ts';
import { bytes, closed, deskId, none, taskId, text } from '../fields.ts';
import { DeviceName, InterruptedRecording, KnownDevice } from '../views.ts';
import type { Call } from './operation.ts';

const recordingEvents = Type.Array(
  Type.Object({ sample: Type.Integer(), kind: text(32), value: Type.Number() }, closed),
  {
    maxItems: 10_000,
  },
);
/** The data folder in which a task is; another one may have given the same number. */
const folder = text(64);
const warnings = Type.Array(WarningSchema, { maxItems: 100 });

export const RECORDER_CALLS = {
  'recorder.begin': {
    input: Type.Object(
      {
        taskId: Type.Optional(taskId),
        entry: Type.Optional(RecordingEntry),
        /** The task of the same recording that came before: the patient is the same. */
        continues: Type.Optional(taskId),
        /** The data folder in which that task is: in another one the number is somebody else's. */
        folder: Type.Optional(folder),
        /** The page at which somebody asked for it; absent for the program itself. */
        session: Type.Optional(text(64)),
        sampleRateHz: Type.Number({ minimum: 1, maximum: 100_000 }),
        leadCodes: Type.Array(Type.Enum([...LEAD_CODES]), {
          minItems: 1,
          maxItems: LEAD_CODES.length,
          uniqueItems: true,
        }),
        scale: StreamScale,
        device: RecordedDevice,
        startedMs: Type.Integer(),
      },
      closed,
    ),
    output: Type.Object({ taskId, folder }, closed),
  },
  /** Answered when the frame is on the disk. */
  'recorder.append': {
    input: Type.Object(
      {
        taskId,
        folder,
        timestampUs: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        bytes,
        events: recordingEvents,
      },
      closed,
    ),
    /** The central service asks to stop, and is to be obeyed. */
    output: Type.Object({ isToStop: Type.Optional(Type.Boolean()) }, closed),
  },
  'recorder.finish': {
    input: Type.Object(
      {
        taskId,
        folder,
        device: Type.Optional(RecordedDevice),
        events: recordingEvents,
        warnings,
        /** Who ended it; absent where it ended by itself. */
        actor: Type.Optional(text(64)),
      },
      closed,
    ),
    output: none,
  },
  /** Who is at a page, for the audit. */
  'recorder.actor': {
    input: Type.Object({ session: text(64) }, closed),
    output: Type.Object({ actor: text(64) }, closed),
  },
  'recorder.discard': {
    input: Type.Object({ taskId, folder, isTaskOurs: Type.Boolean() }, closed),
    output: none,
  },
  /** Somebody opened files with the program. What cannot be an ECG is passed by. */
  'recorder.openFiles': {
    input: Type.Object({ args: Type.Array(text(4096), { maxItems: 1000 }), folder: text(4096) }, closed),
    output: none,
  },
  /** The screen of the computer was locked: whoever is signed in at it, and not at a seat, is signed out. */
  'recorder.lockAll': { input: none, output: none },
  /** Whether somebody is signed in at a page, where people have to. */
  'recorder.requireSignedIn': {
    input: Type.Object({ session: text(64), needsAccount: Type.Optional(Type.Literal(true)) }, closed),
    output: none,
  },
  'recorder.open': {
    input: none,
    output: Type.Object({ recordings: Type.Array(InterruptedRecording) }, closed),
  },
  'recorder.space': { input: none, output: Type.Object({ freeBytes: Type.Number() }, closed) },
  'recorder.known': {
    input: Type.Object({ identity: deskId }, closed),
    output: Type.Object({ device: Type.Optional(KnownDevice) }, closed),
  },
  'recorder.remember': { input: KnownDevice, output: none },
  'recorder.deviceNames': {
    input: none,
    output: Type.Object({ names: Type.Array(DeviceName) }, closed),
  },
  /** By whoever is at a page; an empty name takes the own one away. */
  'recorder.nameDevice': {
    input: Type.Object({ ...DeviceName.properties, session: text(64) }, closed),
    output: none,
  },
} as const satisfies Record<string, Call>;
