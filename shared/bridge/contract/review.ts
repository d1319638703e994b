// A recording as somebody reads it: its signal piece by piece, its beats, rhythms and episodes.

import { Type } from 'typebox';
import { EpisodeSchema, RhythmSchema } from '../../analysis-result.ts';
import { bytes, closed, taskId, text } from '../fields.ts';
import type { Operation } from './operation.ts';

/** Of one lead: twenty minutes at 500 Hz. A page asks for what it shows, and for what lies beside it. */
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
        /** Of the whole recording. */
        recordedSamples: sample,
        startSample: sample,
        leads: Type.Array(
          Type.Object(
            {
              /** MDC code, or the file's label. */
              name: text(256),
              isCalibrated: Type.Boolean(),
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
        rhythms: Type.Array(RhythmSchema),
        episodes: Type.Array(EpisodeSchema),
      },
      closed,
    ),
    right: 'signedIn',
  },
} as const satisfies Record<string, Operation>;
