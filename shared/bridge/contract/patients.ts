// Patient records.

import { Type } from 'typebox';
import { PatientSchema } from '../../analysis-result.ts';
import { DATE_ORDERS } from '../../entry/typed-date.ts';
import { closed, none, reason, taskId, text } from '../fields.ts';
import { KnownPatient, TaskRow, TaskSubject } from '../views.ts';
import type { Operation } from './operation.ts';

export const PATIENT_QUERIES = {
  /** Whom somebody may mean who types this; nobody where nothing is typed. */
  'patient.search': {
    input: Type.Object({ text: text(200), dateOrder: Type.Enum([...DATE_ORDERS]) }, closed),
    output: Type.Object({ patients: Type.Array(KnownPatient), total: Type.Integer() }, closed),
    right: 'signedIn',
  },
  /** Who may be the same person under another name or number. */
  'patient.similar': {
    input: Type.Object({ patient: PatientSchema }, closed),
    output: Type.Object({ patients: Type.Array(KnownPatient) }, closed),
    right: 'signedIn',
  },
  /** Everything that is kept of the patient of a task, the newest first; also what failed or was rejected. */
  'patient.recordings': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object({ recordings: Type.Array(TaskRow) }, closed),
    right: 'signedIn',
  },
  /** Charts that became one and can still be parted. */
  'patient.merges': {
    input: none,
    output: Type.Object(
      {
        merges: Type.Array(
          Type.Object(
            { mergeId: Type.Integer(), mergedMs: Type.Number(), kept: KnownPatient, gone: KnownPatient },
            closed,
          ),
        ),
      },
      closed,
    ),
    right: 'signedIn',
  },
} as const satisfies Record<string, Operation>;

export const PATIENT_COMMANDS = {
  /** Two charts of one person; `facts` is what is true where they differ. */
  'patient.merge': {
    input: Type.Object(
      { keptId: Type.Integer(), goneId: Type.Integer(), facts: PatientSchema, reason },
      closed,
    ),
    output: Type.Object({ mergeId: Type.Integer() }, closed),
    right: 'mergePatients',
  },
  /**
   * Nothing of the patient of a task is deleted from now on, or may be again.
   * @throws `no_chart`
   */
  'patient.hold': {
    input: Type.Object({ taskId, isHeld: Type.Boolean(), reason, of: Type.Optional(TaskSubject) }, closed),
    output: none,
    right: 'delete',
  },
  'patient.part': {
    input: Type.Object({ mergeId: Type.Integer() }, closed),
    output: none,
    right: 'mergePatients',
  },
} as const satisfies Record<string, Operation>;
