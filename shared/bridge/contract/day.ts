// A recording of an hour or more as somebody reads it: all that was found in it at once, what was corrected since, and its signal as
// rows of a picture.

import { Type } from 'typebox';
import { EpisodeSchema, HolterSchema, RhythmSchema } from '../../analysis-result.ts';
import { MadeCorrectionSchema } from '../../review/corrections.ts';
import { bytes, closed, taskId, text } from '../fields.ts';
import type { Operation } from './operation.ts';

const sample = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** A page of rows, or the pictures of a list. */
const MOST_SPANS = 64;
const MOST_COLUMNS = 8000;
/** Twenty minutes at 500 Hz. */
const MOST_SAMPLES = 600_000;

/** More would take a worker long, and nobody looks at the halves of most of a day. */
export const MOST_BEATS_PICTURED = 40_000;

const pictureFields = {
  beats: Type.Integer({ minimum: 1 }),
  /** One a lead, a byte a cell. */
  density: Type.Array(bytes),
  /** One a lead, Int32, little endian, a value a column. */
  meanUv: Type.Array(bytes),
};

export const DAY_QUERIES = {
  /**
   * As the findings were stored: corrections since then are not in it.
   * @throws `report_not_available` before the analysis has finished
   */
  'day.get': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object(
      {
        revision: Type.Integer(),
        /** So many corrections were approved with the findings. */
        carried: Type.Integer({ minimum: 0 }),
        sampleRateHz: Type.Number(),
        samples: sample,
        leads: Type.Array(text(256)),
        /** Leads whose scale is not known. */
        uncalibrated: Type.Array(text(256)),
        /** Uint32, little endian: where each beat is. */
        beatSamples: bytes,
        /** One letter a beat. */
        beatLabels: Type.String(),
        /** Uint32, little endian: the family of each beat, the greatest number where it has none. */
        beatFamilies: bytes,
        /** One letter a beat: the class that is nearly as likely, `-` where there is none. */
        nextLikely: Type.String(),
        /** One byte a beat: how like the others of its family, in percent; 255 where it has none. */
        likeness: bytes,
        /** Empty in results of versions that drew none. */
        pictures: Type.Array(Type.Object({ family: Type.Integer({ minimum: 0 }), ...pictureFields }, closed)),
        /** The leads of the pictures. */
        pictureLeads: Type.Array(text(256)),
        /** The height of a cell of the pictures. */
        cellMv: Type.Number(),
        rhythms: Type.Array(RhythmSchema),
        episodes: Type.Array(EpisodeSchema),
        /** Stretches without signal on any lead. */
        gaps: Type.Array(Type.Tuple([sample, sample])),
        /** Stretches in which noise hides the beats. */
        unread: Type.Array(Type.Tuple([sample, sample])),
        holter: Type.Optional(HolterSchema),
        /** Whether a pacemaker makes beats; undefined where that was not assessed. */
        isPaced: Type.Optional(Type.Boolean()),
        /** Where it was not, none found says nothing. */
        isFibrillationAssessed: Type.Boolean(),
        arePausesAssessed: Type.Boolean(),
        isEctopyAssessed: Type.Boolean(),
      },
      closed,
    ),
    right: 'signedIn',
  },
  /** What was corrected, at once: nothing is measured for it. */
  'day.corrections': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object(
      {
        version: Type.Integer({ minimum: 0 }),
        corrections: Type.Array(MadeCorrectionSchema),
        undoneCount: Type.Integer({ minimum: 0 }),
        /** Somebody else who corrects it. */
        holder: Type.Optional(Type.Object({ name: Type.String(), sinceMs: Type.Number() }, closed)),
      },
      closed,
    ),
    right: 'signedIn',
  },
  /** Beats that no stored picture shows, over each other; or as the two halves in which they differ most. */
  'day.pictures': {
    input: Type.Object(
      {
        taskId,
        leads: Type.Array(text(256), { minItems: 1, maxItems: 2 }),
        /** Uint32, little endian, in order, at most `MOST_BEATS_PICTURED`. */
        samples: bytes,
        cellMv: Type.Number({ exclusiveMinimum: 0 }),
        isHalved: Type.Boolean(),
      },
      closed,
    ),
    output: Type.Object(
      {
        /** A byte a beat: 1 in the smaller half. */
        half: bytes,
        /** One, or one a half. */
        pictures: Type.Array(Type.Object(pictureFields, closed)),
      },
      closed,
    ),
    right: 'signedIn',
  },
  /** Stretches of a lead, each as columns from its least to its greatest millivolts. */
  'day.rows': {
    input: Type.Object(
      {
        taskId,
        /** Its name; another one where there is none of that name. */
        lead: text(256),
        spans: Type.Array(
          Type.Object(
            { startSample: sample, sampleCount: Type.Integer({ minimum: 1, maximum: MOST_SAMPLES }) },
            closed,
          ),
          { maxItems: MOST_SPANS },
        ),
        columns: Type.Integer({ minimum: 1, maximum: MOST_COLUMNS }),
      },
      closed,
    ),
    output: Type.Object(
      {
        lead: text(256),
        isCalibrated: Type.Boolean(),
        /** Float32, little endian: least and greatest of each column, span after span; NaN where samples are missing. */
        mv: bytes,
      },
      closed,
    ),
    right: 'signedIn',
  },
} as const satisfies Record<string, Operation>;
