// Tasks, from a file or a device to the report.

import { Type } from 'typebox';
import { PatientSchema, WarningSchema } from '../../analysis-result.ts';
import { AnalysisProgressSchema } from '../../analysis-stage.ts';
import { DEVICE_COMMANDS } from '../../device-state.ts';
import { RecordingEntry } from '../../entry/recording-entry.ts';
import { EXPORT_FORMATS } from '../../export-formats.ts';
import { bytes, closed, none, reason, secret, taskId } from '../fields.ts';
import { ImportedRecord, TaskDetail, TaskEventView, TaskQuery, TaskRow, TaskSubject } from '../views.ts';
import type { Operation } from './operation.ts';

const fileName = Type.String({ minLength: 1, maxLength: 1024 });
/** @throws `patient_changed` where it is another's by now */
const of = Type.Optional(TaskSubject);
const importId = Type.String({ minLength: 1, maxLength: 64 });

export const TASK_QUERIES = {
  'task.list': {
    input: TaskQuery,
    output: Type.Object(
      {
        rows: Type.Array(TaskRow),
        total: Type.Integer(),
        /** Nothing has the words that were looked for: these have words like them. */
        isSimilar: Type.Optional(Type.Literal(true)),
      },
      closed,
    ),
    right: 'signedIn',
  },
  'task.get': { input: Type.Object({ taskId }, closed), output: TaskDetail, right: 'signedIn' },
  /** What was done with a task, and what its analysis is at. */
  'task.history': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object(
      { events: Type.Array(TaskEventView), progress: Type.Optional(AnalysisProgressSchema) },
      closed,
    ),
    right: 'signedIn',
  },
  /** The reports of a task that were given out, the newest first. */
  'report.revisions': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object(
      {
        revisions: Type.Array(
          Type.Object(
            {
              revision: Type.Integer(),
              /** Absent for one that the program made alone. */
              by: Type.Optional(Type.String()),
              atMs: Type.Number(),
              reason: Type.Optional(Type.String()),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    right: 'signedIn',
  },
  /** Reads the newest revision where none is named. */
  'report.read': {
    input: Type.Object({ taskId, revision: Type.Optional(Type.Integer({ minimum: 1 })) }, closed),
    output: Type.Object(
      { pdf: bytes, approval: Type.Enum(['preliminary', 'automatic', 'approved']), patient: PatientSchema },
      closed,
    ),
    right: 'signedIn',
  },
} as const satisfies Record<string, Operation>;

export const TASK_COMMANDS = {
  'import.open': {
    input: Type.Object(
      {
        files: Type.Array(Type.Object({ name: fileName, sizeBytes: Type.Integer({ minimum: 0 }) }, closed), {
          minItems: 1,
          maxItems: 10_000,
        }),
      },
      closed,
    ),
    output: Type.Object({ importId }, closed),
    right: 'import',
  },
  'import.write': {
    input: Type.Object(
      { importId, fileIndex: Type.Integer({ minimum: 0 }), offsetBytes: Type.Integer({ minimum: 0 }), bytes },
      closed,
    ),
    output: none,
    right: 'signedIn',
  },
  'import.finish': {
    input: Type.Object({ importId, autoComplete: Type.Boolean() }, closed),
    output: Type.Object(
      {
        records: Type.Array(ImportedRecord),
        ignored: Type.Array(Type.String()),
        /** Still open, for files that a person is asked about. */
        importId: Type.Optional(importId),
      },
      closed,
    ),
    right: 'import',
  },
  'import.cancel': { input: Type.Object({ importId }, closed), output: none, right: 'signedIn' },
  'device.command': {
    input: Type.Object({ taskId, command: Type.Enum([...DEVICE_COMMANDS]) }, closed),
    output: none,
    right: 'record',
  },
  /** Ends a stream whose device does not come back, with what it sent. */
  'stream.finish': { input: Type.Object({ taskId }, closed), output: none, right: 'record' },
  'device.setDuration': {
    input: Type.Object(
      { taskId, durationMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: 35 * 86_400_000 })) },
      closed,
    ),
    output: none,
    right: 'record',
  },
  'task.assign': {
    input: Type.Object({ taskId, entry: RecordingEntry, reason, of }, closed),
    output: none,
    right: 'editPatient',
  },
  /** A report was saved from a screen: that is noted. */
  'report.saved': { input: Type.Object({ taskId }, closed), output: none, right: 'signedIn' },
  /** The recording as a file for another program: that is noted. @throws `format_unsuitable` */
  'recording.export': {
    input: Type.Object({ taskId, format: Type.Enum([...EXPORT_FORMATS]) }, closed),
    /** With what the format could not keep as it was. */
    output: Type.Object({ name: fileName, bytes, warnings: Type.Array(WarningSchema) }, closed),
    right: 'signedIn',
  },
  'task.delete': { input: Type.Object({ taskId, reason, of }, closed), output: none, right: 'signedIn' },
  'task.approve': {
    input: Type.Object(
      {
        taskId,
        /** What the person saw. */
        revision: Type.Integer(),
        version: Type.Integer({ minimum: 0 }),
        /** The reason for a change to what was approved already. */
        reason: Type.Optional(reason),
        /** Absent where one that was typed lately still counts (`session.get`). @throws `secret_needed` where it does not */
        secret: Type.Optional(secret),
        of,
      },
      closed,
    ),
    output: none,
    right: 'approve',
    needsAccount: true,
  },
  'task.reject': {
    input: Type.Object({ taskId, reason, secret, of }, closed),
    output: none,
    right: 'approve',
    needsAccount: true,
  },
  /** Somebody has seen that it is critical. */
  'task.acknowledge': {
    input: Type.Object({ taskId, revision: Type.Integer({ minimum: 1 }) }, closed),
    output: none,
    right: 'review',
  },
  'task.retry': { input: Type.Object({ taskId }, closed), output: none, right: 'retry' },
} as const satisfies Record<string, Operation>;
