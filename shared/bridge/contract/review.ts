// A recording as somebody reads it: its signal piece by piece, its beats, rhythms and episodes.

import { Type } from 'typebox';
import {
  EpisodeSchema,
  MeasurementsSchema,
  MedianBeatSchema,
  RhythmSchema,
  SeveritySchema,
  StatementSchema,
  UnassessedSchema,
} from '../../analysis-result.ts';
import { PATIENT_DIFFERENCES } from '../../patient-text.ts';
import { CorrectionSchema, MadeCorrectionSchema } from '../../review/corrections.ts';
import { bytes, closed, none, taskId, text } from '../fields.ts';
import { TaskRow } from '../views.ts';
import type { Operation } from './operation.ts';

/**
 * The most samples of one lead: twenty minutes at 500 Hz. A page asks for what it shows, and for what lies beside it.
 */
const MOST_SAMPLES = 600_000;
const sample = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const REVIEW_QUERIES = {
  'review.signal': {
    input: Type.Object(
      { taskId, startSample: sample, sampleCount: Type.Integer({ minimum: 1, maximum: MOST_SAMPLES }) },
      closed,
    ),
    output: Type.Object(
      {
        sampleRateHz: Type.Number(),
        /** The length of the whole recording. */
        recordedSamples: sample,
        startSample: sample,
        leads: Type.Array(
          Type.Object(
            {
              /** MDC code, or the file's label. */
              name: text(256),
              isCalibrated: Type.Boolean(),
              /** Connected as the code says, and in agreement with the other leads. */
              isStandard: Type.Boolean(),
              /** Float32, little endian, one a sample: millivolts, NaN where the sample is missing. */
              mv: bytes,
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    right: 'signedIn',
  },
  /** @throws `report_not_available` before the analysis has finished */
  'review.marks': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object(
      {
        /** Uint32, little endian: where each beat is. */
        beatSamples: bytes,
        /** One letter a beat. */
        beatLabels: Type.String(),
        /** Uint32, little endian: beats of one family have the same number; the greatest number where the shape is cut off. */
        beatShapes: bytes,
        /** False in results of versions that had no families: then those of one shape have. */
        areFamilies: Type.Boolean(),
        /** Uint32, little endian: pacing spikes that stand out one by one. */
        spikeSamples: bytes,
        /** Uint32, little endian, in order: R, and where each P, QRS and T that was marked begins and ends. */
        fiducialSamples: bytes,
        rhythms: Type.Array(RhythmSchema),
        episodes: Type.Array(EpisodeSchema),
        medianBeat: Type.Optional(MedianBeatSchema),
        /** Codes of the rules that came to a result, whichever; none of versions that kept no list of them. */
        assessed: Type.Array(Type.String()),
      },
      closed,
    ),
    right: 'signedIn',
  },
  /** All analysed ECGs of the same patient, the newest first, the named one among them. */
  'review.patientEcgs': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object(
      {
        ecgs: Type.Array(
          Type.Object(
            {
              row: TaskRow,
              /** When it was recorded; where that is not known, when it came in. */
              atMs: Type.Number(),
              values: Type.Pick(MeasurementsSchema, [
                'heartRateBpm',
                'prMs',
                'qrsMs',
                'qtcFridericiaMs',
                'qrsAxisDeg',
              ]),
              /** The gravest. */
              statement: Type.Optional(StatementSchema),
              approvedBy: Type.Optional(Type.String()),
              /** What of the patient reads otherwise than in the named one. */
              differs: Type.Array(Type.Enum([...PATIENT_DIFFERENCES])),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    right: 'signedIn',
  },
  /** Ten seconds of its lead II, or of its first one, as a small picture shows them; empty before there is a signal. */
  'review.strip': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object(
      {
        sampleRateHz: Type.Number(),
        lead: text(256),
        isCalibrated: Type.Boolean(),
        /** Float32, little endian: millivolts, NaN where the sample is missing. */
        mv: bytes,
      },
      closed,
    ),
    right: 'signedIn',
  },
  /** The gravest recording that waits to be read, then the oldest; behind the named one, if there is one. */
  'review.next': {
    input: Type.Object({ behind: Type.Optional(taskId) }, closed),
    output: Type.Object({ taskId: Type.Optional(taskId), waiting: Type.Integer({ minimum: 0 }) }, closed),
    right: 'signedIn',
  },
  /** The findings as they stand, with what was corrected. */
  'review.reading': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object(
      {
        revision: Type.Integer(),
        /** The version of the corrections that nobody has approved yet. */
        version: Type.Integer(),
        corrections: Type.Array(MadeCorrectionSchema),
        /** Since the last approval. */
        isCorrected: Type.Boolean(),
        /** So many can be redone. */
        undoneCount: Type.Integer({ minimum: 0 }),
        /** Somebody else who corrects it. */
        holder: Type.Optional(Type.Object({ name: Type.String(), sinceMs: Type.Number() }, closed)),
        measurements: MeasurementsSchema,
        statements: Type.Array(
          Type.Object(
            {
              statement: StatementSchema,
              state: Type.Enum(['program', 'accepted', 'reworded', 'added']),
              original: Type.Optional(StatementSchema),
              by: Type.Optional(Type.String()),
            },
            closed,
          ),
        ),
        rejected: Type.Array(
          Type.Object({ statement: StatementSchema, reason: Type.String(), by: Type.String() }, closed),
        ),
        notAssessed: Type.Array(UnassessedSchema),
        severity: Type.Optional(SeveritySchema),
        severityReason: Type.Optional(Type.String()),
      },
      closed,
    ),
    right: 'signedIn',
  },
} as const satisfies Record<string, Operation>;

const version = Type.Integer({ minimum: 0 });
const seen = Type.Object({ taskId, version }, closed);
const stepped = Type.Object({ version }, closed);

export const REVIEW_COMMANDS = {
  /** One step; it is stored when this is answered. */
  'review.correct': {
    input: Type.Object({ taskId, change: CorrectionSchema }, closed),
    output: stepped,
    right: 'review',
  },
  'review.undo': { input: seen, output: stepped, right: 'review' },
  'review.redo': { input: seen, output: stepped, right: 'review' },
  /** All since the last approval. */
  'review.discard': {
    input: Type.Object(
      {
        taskId,
        /** Absent where the corrections cannot be seen, because they cannot be measured. */
        version: Type.Optional(version),
      },
      closed,
    ),
    output: stepped,
    right: 'review',
  },
  'review.takeOver': { input: Type.Object({ taskId }, closed), output: none, right: 'review' },
} as const satisfies Record<string, Operation>;
