// What a person changes in a reading: beats, marks, rhythms, statements. Each change names a place in the recording or a
// code, never a number that an analysis gave, so that it still holds when the next version analyses the recording.

import { type Static, Type } from 'typebox';
import { BEAT_LABELS, SeveritySchema } from '../analysis-result.ts';
import { PAPER_GAINS } from './paper-gain.ts';

const closed = { additionalProperties: false } as const;
const sample = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const label = Type.Enum([...BEAT_LABELS]);
const code = Type.String({ minLength: 1, maxLength: 64 });
const words = Type.String({ minLength: 1, maxLength: 500 });

/** The marks of the median beat over all leads. */
export const MARK_NAMES = ['pOnset', 'pOffset', 'qrsOnset', 'qrsOffset', 'tEnd'] as const;
export type MarkName = (typeof MARK_NAMES)[number];

/** Sinus rhythm is named by its rate. */
export const DRAWN_CODES = ['N', 'AFIB', 'VT', 'VF', 'ASYS', 'P', 'UNK'] as const;
export type DrawnCode = (typeof DRAWN_CODES)[number];

/** A mark is not looked for further away from R. */
const MOST_MARK_MS = 1000;
/** Statements of a person's own have no code of the catalogue. */
export const FREE_CODE = 'FREE-';

export const CorrectionSchema = Type.Union([
  /** The class of one beat. */
  Type.Object({ kind: Type.Literal('beat'), sample, label }, closed),
  /** The class of all beats with the shape of this one. */
  Type.Object({ kind: Type.Literal('shape'), sample, label }, closed),
  /** The class of all beats of the family of this one; of one that has none, of those with its shape. */
  Type.Object({ kind: Type.Literal('family'), sample, label }, closed),
  Type.Object({ kind: Type.Literal('beatAdded'), sample, label }, closed),
  Type.Object({ kind: Type.Literal('beatRemoved'), sample }, closed),
  /** In milliseconds from R of the median beat; null: there is none. */
  Type.Object(
    {
      kind: Type.Literal('mark'),
      name: Type.Enum([...MARK_NAMES]),
      ms: Type.Union([Type.Number({ minimum: -MOST_MARK_MS, maximum: MOST_MARK_MS }), Type.Null()]),
    },
    closed,
  ),
  /** As the analysis finds it. */
  Type.Object({ kind: Type.Literal('markReset'), name: Type.Enum([...MARK_NAMES]) }, closed),
  Type.Object(
    {
      kind: Type.Literal('rhythm'),
      startSample: sample,
      endSample: sample,
      code: Type.Enum([...DRAWN_CODES]),
    },
    closed,
  ),
  /** What a person drew there goes. */
  Type.Object({ kind: Type.Literal('rhythmErased'), startSample: sample, endSample: sample }, closed),
  Type.Object({ kind: Type.Literal('accepted'), code }, closed),
  Type.Object({ kind: Type.Literal('rejected'), code, reason: words }, closed),
  Type.Object({ kind: Type.Literal('reworded'), code, text: words }, closed),
  /** As the program states it. */
  Type.Object({ kind: Type.Literal('restored'), code }, closed),
  Type.Object({ kind: Type.Literal('stated'), code, text: words, severity: SeveritySchema }, closed),
  Type.Object({ kind: Type.Literal('unstated'), code }, closed),
  /** Their order on the report; those not named follow. */
  Type.Object({ kind: Type.Literal('ordered'), codes: Type.Array(code, { maxItems: 200 }) }, closed),
  /** The severity of the whole recording. */
  Type.Object({ kind: Type.Literal('severity'), severity: SeveritySchema, reason: words }, closed),
  /** On the report. */
  Type.Object({ kind: Type.Literal('paperGain'), gain: Type.Enum([...PAPER_GAINS]) }, closed),
]);
export type Correction = Static<typeof CorrectionSchema>;
export type CorrectionKind = Correction['kind'];

/** A change with who made it. */
export const MadeCorrectionSchema = Type.Object(
  { change: CorrectionSchema, by: Type.String(), atMs: Type.Number() },
  closed,
);
export type MadeCorrection = Static<typeof MadeCorrectionSchema>;
