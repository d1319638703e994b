// What a person changes in a reading: beats, marks, rhythms, statements. Each change names a place in the recording or a
// code, never a number that an analysis gave, so that it still holds when the next version analyses the recording.

import { type Static, Type } from 'typebox';
import { BEAT_LABELS, SeveritySchema } from '../analysis-result.ts';
import { PAPER_GAINS } from './paper-gain.ts';
import { LONGEST_PHRASE_NAME } from './phrases.ts';

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

/** Episodes that can be accepted or rejected. */
export const JUDGED_CODES = ['AFIB', 'VT', 'SVTA', 'VF', 'ASYS', 'PAUSE', 'BRADY', 'TACHY'] as const;
export type JudgedCode = (typeof JUDGED_CODES)[number];
/** Episodes whose beginning and end can be moved. */
export const MOVED_CODES = ['AFIB', 'VT', 'VF', 'ASYS'] as const;
export type MovedCode = (typeof MOVED_CODES)[number];

/** So many beats can be named one by one in one step; more of them are a family. */
export const MOST_BEATS_NAMED = 20_000;
const MOST_FAMILIES_NAMED = 100;
/** A report of more strips is no summary of a day. */
export const MOST_STRIPS = 24;

/** What a report shows of the signal of a long recording, as somebody has chosen it. */
const ChosenStripSchema = Type.Object(
  {
    startSample: sample,
    /** What it shows, in the program's words: the code of an episode, `EVENT`, `FIRST`, `V`, `S`, `FASTEST`, `SLOWEST`. */
    kind: Type.String({ minLength: 1, maxLength: 16 }),
    /** Where the episode, the beat or the event lies that it shows. */
    ofSample: Type.Optional(sample),
    isByHand: Type.Optional(Type.Literal(true)),
    note: Type.Optional(words),
  },
  closed,
);
export type ChosenStrip = Static<typeof ChosenStripSchema>;

/** A mark is not looked for further away from R. */
const MOST_MARK_MS = 1000;
/** Statements of a person's own have no code of the catalogue. */
export const FREE_CODE = 'FREE-';

const families = (minItems: number) => Type.Array(sample, { minItems, maxItems: MOST_FAMILIES_NAMED });
const episode = <C extends string>(codes: readonly C[]) => ({
  code: Type.Enum([...codes]),
  startSample: sample,
  endSample: sample,
});

const ACCEPTED = Type.Object({ kind: Type.Literal('accepted'), code }, closed);
const REJECTED = Type.Object({ kind: Type.Literal('rejected'), code, reason: words }, closed);
const STATED = Type.Object(
  { kind: Type.Literal('stated'), code, text: words, severity: SeveritySchema },
  closed,
);
const UNSTATED = Type.Object({ kind: Type.Literal('unstated'), code }, closed);
/** A phrase says its own findings, and rejects those whose place it takes. */
const MOST_SAID_AT_ONCE = 100;

export const CorrectionSchema = Type.Union([
  /** The class of one beat. */
  Type.Object({ kind: Type.Literal('beat'), sample, label }, closed),
  /** The class of all beats with the shape of this one. */
  Type.Object({ kind: Type.Literal('shape'), sample, label }, closed),
  /** The class of all beats of the family of this one; of one that has none, of those with its shape. */
  Type.Object({ kind: Type.Literal('family'), sample, label }, closed),
  /** The class of each of these beats. */
  Type.Object(
    {
      kind: Type.Literal('beats'),
      samples: Type.Array(sample, { minItems: 1, maxItems: MOST_BEATS_NAMED }),
      label,
    },
    closed,
  ),
  /** The class of all beats of the families of these but those that have one of their own. */
  Type.Object({ kind: Type.Literal('families'), samples: families(1), label }, closed),
  /** To a reader, the families of these beats are one, with the name of the first. */
  Type.Object({ kind: Type.Literal('familiesMerged'), samples: families(2) }, closed),
  /** These beats of one family are one of their own, of this class. */
  Type.Object(
    {
      kind: Type.Literal('familyDivided'),
      samples: Type.Array(sample, { minItems: 1, maxItems: MOST_BEATS_NAMED }),
      label,
    },
    closed,
  ),
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
  Type.Object({ kind: Type.Literal('episodeAccepted'), ...episode(JUDGED_CODES) }, closed),
  Type.Object({ kind: Type.Literal('episodeRejected'), ...episode(JUDGED_CODES) }, closed),
  /** It begins and ends elsewhere. */
  Type.Object(
    {
      kind: Type.Literal('episodeMoved'),
      ...episode(MOVED_CODES),
      toStartSample: sample,
      toEndSample: sample,
    },
    closed,
  ),
  /** What the patient felt or did, from a diary. */
  Type.Object({ kind: Type.Literal('eventAdded'), sample, text: words }, closed),
  Type.Object({ kind: Type.Literal('eventRemoved'), sample }, closed),
  /** All strips of the report, in their order. */
  Type.Object(
    { kind: Type.Literal('strips'), strips: Type.Array(ChosenStripSchema, { maxItems: MOST_STRIPS }) },
    closed,
  ),
  ACCEPTED,
  REJECTED,
  Type.Object({ kind: Type.Literal('reworded'), code, text: words }, closed),
  /** As the program states it. */
  Type.Object({ kind: Type.Literal('restored'), code }, closed),
  STATED,
  UNSTATED,
  /** All that a phrase of the reader's says, in one step. */
  Type.Object(
    {
      kind: Type.Literal('phrase'),
      name: Type.String({ minLength: 1, maxLength: LONGEST_PHRASE_NAME }),
      says: Type.Array(Type.Union([ACCEPTED, REJECTED, STATED, UNSTATED]), { maxItems: MOST_SAID_AT_ONCE }),
    },
    closed,
  ),
  /** Their order on the report; those not named follow. */
  Type.Object({ kind: Type.Literal('ordered'), codes: Type.Array(code, { maxItems: 200 }) }, closed),
  /** The severity of the whole recording. */
  Type.Object({ kind: Type.Literal('severity'), severity: SeveritySchema, reason: words }, closed),
  /** On the report. */
  Type.Object({ kind: Type.Literal('paperGain'), gain: Type.Enum([...PAPER_GAINS]) }, closed),
]);
export type Correction = Static<typeof CorrectionSchema>;
export type CorrectionKind = Correction['kind'];

/** One of several things that a phrase says. */
export type PhraseStep = Extract<Correction, { kind: 'phrase' }>['says'][number];

/** What is said step by step. */
export type SingleCorrection = Exclude<Correction, { kind: 'phrase' }>;

/** A phrase says several things, every other change one. */
export const singlesOf = (change: Correction): readonly SingleCorrection[] =>
  change.kind === 'phrase' ? change.says : [change];

/** A change with who made it. */
export const MadeCorrectionSchema = Type.Object(
  { change: CorrectionSchema, by: Type.String(), atMs: Type.Number() },
  closed,
);
export type MadeCorrection = Static<typeof MadeCorrectionSchema>;
