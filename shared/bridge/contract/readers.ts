// What readers keep for themselves, and ask each other.

import { Type } from 'typebox';
import { PatientSchema } from '../../analysis-result.ts';
import { NewPhraseSchema, PhraseSchema } from '../../review/phrases.ts';
import { closed, none, taskId, text } from '../fields.ts';
import { UserView } from '../views.ts';
import type { Operation } from './operation.ts';

const consultationId = Type.Integer({ minimum: 1 });
export const MOST_NOTE_CHARACTERS = 500;
const note = Type.String({ minLength: 1, maxLength: MOST_NOTE_CHARACTERS });

/** A question of one reader to another, with its answer once there is one. */
const ConsultationView = Type.Object(
  {
    consultationId,
    taskId,
    patient: PatientSchema,
    isPatientMissing: Type.Boolean(),
    createdMs: Type.Number(),
    fromUserId: Type.Integer(),
    from: text(256),
    toUserId: Type.Integer(),
    to: text(256),
    note,
    /** The place that it is about. */
    atSample: Type.Optional(Type.Integer({ minimum: 0 })),
    askedMs: Type.Number(),
    answer: Type.Optional(note),
    answeredMs: Type.Optional(Type.Number()),
  },
  closed,
);

const consultations = Type.Object({ consultations: Type.Array(ConsultationView) }, closed);

export const READER_QUERIES = {
  'phrase.list': {
    input: none,
    output: Type.Object({ phrases: Type.Array(PhraseSchema) }, closed),
    right: 'review',
  },
  /** Colleagues who can be asked. */
  'colleague.list': {
    input: none,
    output: Type.Object({ colleagues: Type.Array(UserView) }, closed),
    right: 'review',
  },
  'consultation.list': { input: Type.Object({ taskId }, closed), output: consultations, right: 'signedIn' },
  /** Questions that whoever is signed in has to answer, and answers that this person has not read. */
  'consultation.waiting': { input: none, output: consultations, right: 'signedIn' },
} as const satisfies Record<string, Operation>;

export const READER_COMMANDS = {
  'phrase.keep': { input: NewPhraseSchema, output: none, right: 'review' },
  'phrase.remove': {
    input: Type.Object({ phraseId: Type.Integer({ minimum: 1 }) }, closed),
    output: none,
    right: 'review',
  },
  'consultation.ask': {
    input: Type.Object(
      {
        taskId,
        toUserId: Type.Integer(),
        note,
        atSample: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      },
      closed,
    ),
    output: none,
    right: 'review',
    needsAccount: true,
  },
  'consultation.answer': {
    input: Type.Object({ consultationId, answer: note }, closed),
    output: none,
    right: 'review',
    needsAccount: true,
  },
  /** Who asked has read the answer, or takes the question back. */
  'consultation.close': {
    /** `isAnswerSeen`: what the person who asked has seen. @throws `task_state_conflict` where an answer came meanwhile */
    input: Type.Object({ consultationId, isAnswerSeen: Type.Boolean() }, closed),
    output: none,
    right: 'review',
    needsAccount: true,
  },
} as const satisfies Record<string, Operation>;
