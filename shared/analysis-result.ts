// The result of an analysis as it is stored, shown, printed and written by `isoline analyse --json`. This
// schema is the stable description of that JSON; docs/analysis-result.schema.json is made from it. A value
// that can't be measured is absent, never 0.

import { type Static, type TSchema, Type } from 'typebox';
import { UNASSESSED_CODES, UNASSESSED_REASONS } from './findings/codes.ts';
import { SEVERITIES } from './severity.ts';

const closed = { additionalProperties: false } as const;
const sampleRange = { startSample: Type.Integer({ minimum: 0 }), endSample: Type.Integer({ minimum: 0 }) };

export const SeveritySchema = Type.Enum([...SEVERITIES]);

export const PatientSchema = Type.Object(
  {
    id: Type.Optional(Type.String()),
    firstName: Type.Optional(Type.String()),
    lastName: Type.Optional(Type.String()),
    gender: Type.Optional(Type.Enum(['FEMALE', 'MALE', 'UNDIFFERENTIATED'])),
    birthDate: Type.Optional(Type.String({ description: 'YYYY-MM-DD' })),
    ageYears: Type.Optional(Type.Integer({ minimum: 0 })),
    heightCm: Type.Optional(Type.Integer({ minimum: 0 })),
    weightG: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  closed,
);

export const BEAT_LABELS = ['N', 'S', 'V', 'F', 'Q'] as const;
export type BeatLabel = (typeof BEAT_LABELS)[number];

/** Why a beat has its class. */
const BEAT_REASONS = [
  /** N: the usual shape. */
  'usual',
  /** N: another shape, without anything that makes it ventricular. */
  'otherShape',
  /** V. */
  'earlyOtherShape',
  'noPWave',
  'whollyOtherShape',
  /** V: in a run of tachycardia. */
  'run',
  /** S. */
  'early',
  /** Q: not whole, at an end or beside a gap. */
  'cut',
  /** Q: the base line jumps there. */
  'baseline',
  /** A person said so. */
  'person',
] as const;
export type BeatReason = (typeof BEAT_REASONS)[number];

/** Families from here on are no families, but what comes once or twice, by class and time. */
export const FIRST_REST_FAMILY = 100;

const BeatSchema = Type.Object(
  {
    id: Type.Optional(Type.Integer({ minimum: 1, description: 'its number in the recording' })),
    sample: Type.Integer({ minimum: 0, description: 'R peak' }),
    label: Type.Enum([...BEAT_LABELS], { description: "AAMI EC57's classes" }),
    cluster: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'beats of one shape have the same; absent where the shape is cut off',
      }),
    ),
    family: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'clusters of one class that are alike and equally early have the same, the largest 0; from 100 on, what comes once or twice',
      }),
    ),
    reason: Type.Optional(Type.Enum([...BEAT_REASONS], { description: 'why it has its class' })),
  },
  {
    ...closed,
    description: 'id, cluster and reason are absent in results of versions before 0.4, family before 0.25',
  },
);

export const RhythmSchema = Type.Object(
  {
    ...sampleRange,
    code: Type.String({ description: 'N, SBR, ST, AFIB, AFL, SVTA, VT, VF, ASYS, P, UNK, PAUSE' }),
  },
  closed,
);

const measurement = (description: string) => Type.Optional(Type.Number({ description }));

const mv = (description: string) => Type.Optional(Type.Number({ description }));

const LeadMeasurementsSchema = Type.Object(
  {
    pMaxMv: mv('highest place of P'),
    pMinMv: mv('lowest place of P'),
    qrs: Type.Array(
      Type.Object(
        {
          peakMv: Type.Number({ description: 'negative below the line: Q, S' }),
          peakMs: Type.Number({ description: 'from the onset of QRS over all leads' }),
          durationMs: Type.Number(),
        },
        closed,
      ),
      { description: 'the deflections of QRS in order' },
    ),
    tMaxMv: mv('highest place of T'),
    tMinMv: mv('lowest place of T'),
  },
  { ...closed, description: 'heights of the median beat on a lead, against the level before QRS or P' },
);

const StSchema = Type.Object(
  {
    jMv: Type.Number({ description: 'level where QRS ends' }),
    j60Mv: Type.Number({ description: '60 ms later' }),
    j80Mv: Type.Number({ description: '80 ms later' }),
    slopeMvPerS: Type.Number({ description: 'from J to 60 ms later' }),
  },
  { ...closed, description: 'of the median beat on a lead, against the level before QRS' },
);

/** Leaves out leads whose millivolts cannot be believed. */
const byLead = <T extends TSchema>(lead: T) =>
  Type.Optional(
    Type.Record(Type.String(), lead, {
      description: 'by lead, where its millivolts can be believed; absent in results of versions before 0.7',
    }),
  );

export const MeasurementsSchema = Type.Object(
  {
    heartRateBpm: measurement('60000 divided by the mean R-R'),
    rrMs: measurement('mean R-R'),
    rrMinMs: measurement('shortest R-R'),
    rrMaxMs: measurement('longest R-R'),
    pMs: measurement('P duration'),
    prMs: measurement('P onset to QRS onset'),
    qrsMs: measurement('QRS onset to offset over all leads'),
    qtMs: measurement('QRS onset to T end'),
    jtMs: measurement('QT − QRS, where QRS is 120 ms or wider'),
    qtcWideMs: measurement('(QT − 0.485 QRS) / √RR, where QRS is 120 ms or wider'),
    qtcBazettMs: measurement('QT / √RR'),
    qtcFridericiaMs: measurement('QT / ∛RR'),
    qtcFraminghamMs: measurement('QT + 154 (1 − RR)'),
    qtcHodgesMs: measurement('QT + 1.75 (rate − 60)'),
    pAxisDeg: measurement('frontal axis of the P area'),
    qrsAxisDeg: measurement('frontal axis of the QRS area'),
    tAxisDeg: measurement('frontal axis of the T area'),
    medianBeats: measurement('number of beats in the median beat'),
    leads: byLead(LeadMeasurementsSchema),
    st: byLead(StSchema),
  },
  closed,
);

const span = Type.Optional(
  Type.Tuple([Type.Number(), Type.Number()], { description: '[onset, end] in samples, between two as well' }),
);
const marks = { p: span, qrs: span, t: span };

const BeatWavesSchema = Type.Object(
  {
    beat: Type.Integer({ minimum: 1, description: 'the id of the beat' }),
    ...marks,
    leads: Type.Optional(
      Type.Array(Type.Object({ lead: Type.String(), ...marks }, closed), {
        description:
          'the same on each lead; only in recordings of three leads at most, or of a minute at most',
      }),
    ),
  },
  { ...closed, description: 'the waves of a beat over all leads; a wave that is not seen is absent' },
);

const markMs = (description: string) => Type.Optional(Type.Number({ description }));

export const MedianBeatSchema = Type.Object(
  {
    sampleRateHz: Type.Number({ exclusiveMinimum: 0 }),
    beats: Type.Integer({ minimum: 1, description: 'it is the median of so many' }),
    rSample: Type.Integer({ minimum: 0, description: 'where R is in each lead' }),
    leads: Type.Array(
      Type.Object(
        {
          lead: Type.String(),
          uv: Type.Array(Type.Integer(), {
            description: 'microvolts; of uncalibrated leads, units of the file',
          }),
          isCalibrated: Type.Optional(Type.Literal(false, { description: 'its scale is not known' })),
        },
        closed,
      ),
    ),
    marksMs: Type.Object(
      {
        pOnset: markMs('where P begins'),
        pOffset: markMs('where P ends'),
        qrsOnset: markMs('where QRS begins'),
        qrsOffset: markMs('where QRS ends'),
        tEnd: markMs('where T ends'),
      },
      { ...closed, description: 'over all leads, from R' },
    ),
  },
  { ...closed, description: 'the usual beat; absent in results of versions before 0.11' },
);

const EvidenceSchema = Type.Object(
  {
    leads: Type.Array(Type.String()),
    ranges: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()]), {
      description: '[startSample, endSample); the first 50 where there are more',
    }),
    values: Type.Record(Type.String(), Type.Number(), { description: 'units in the names' }),
    limits: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description: 'what the values of the same name are compared with',
      }),
    ),
  },
  { ...closed, description: 'the evidence of a statement' },
);

export const StatementSchema = Type.Object(
  {
    code: Type.String({ description: 'AREA-NAME, stable for ever' }),
    text: Type.String({ description: 'English' }),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), {
        description: 'what the text of the code is filled with',
      }),
    ),
    severity: SeveritySchema,
    certainty: Type.Enum(['definite', 'probable', 'possible']),
    outcome: Type.Optional(Type.Enum(['present'])),
    evidence: Type.Optional(EvidenceSchema),
  },
  { ...closed, description: 'outcome and evidence are absent in results of versions before 0.4' },
);

const AssessmentSchema = Type.Object(
  {
    code: Type.String(),
    outcome: Type.Enum(['present', 'absent', 'notAssessed']),
    reason: Type.Optional(Type.Enum([...UNASSESSED_REASONS])),
    suppressedBy: Type.Optional(Type.String({ description: 'the statement that suppressed it' })),
  },
  {
    ...closed,
    description:
      'the outcome of a rule; one that was not assessed has a reason, or a statement that suppressed it',
  },
);

export const UnassessedSchema = Type.Object(
  { code: Type.Enum([...UNASSESSED_CODES]), reason: Type.Enum([...UNASSESSED_REASONS]) },
  { ...closed, description: 'what a reader looks for and this result says nothing about' },
);

const QUALITY_GRADES = ['good', 'fair', 'poor'] as const;
export const LeadQualitySchema = Type.Object(
  {
    lead: Type.String(),
    grade: Type.Enum([...QUALITY_GRADES]),
    usableShare: Type.Number({ minimum: 0, maximum: 1, description: 'share of 2-s blocks without a fault' }),
    flags: Type.Array(Type.Enum(['flat', 'saturated', 'noise', 'baseline', 'gap', 'uncalibrated'])),
  },
  closed,
);

export const WarningSchema = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    /** The name of its text in the catalogue, and what stands in it. */
    name: Type.Optional(Type.String()),
    values: Type.Optional(Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]))),
  },
  closed,
);

const RecordingFactsSchema = Type.Object(
  {
    format: Type.String(),
    sampleRateHz: Type.Number({ exclusiveMinimum: 0 }),
    leads: Type.Array(Type.String(), {
      description: 'MDC code, or the label in the file where it names no known lead',
    }),
    samples: Type.Integer({ minimum: 0, description: 'per lead' }),
    durationMs: Type.Number({ minimum: 0 }),
    startTime: Type.Optional(
      Type.String({ description: 'RFC 3339; without zone where the file states none' }),
    ),
    deviceId: Type.Optional(Type.String()),
    gaps: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()]), {
      description: '[startSample, endSample), no signal on any lead',
    }),
  },
  closed,
);

const HolterHourSchema = Type.Object(
  {
    ...sampleRange,
    beats: Type.Integer({ minimum: 0 }),
    meanBpm: Type.Optional(Type.Number({ description: 'absent where too few beats follow each other' })),
    minBpm: Type.Optional(Type.Number({ description: 'of eight intervals' })),
    maxBpm: Type.Optional(Type.Number({ description: 'of eight intervals' })),
    longestRrMs: Type.Optional(Type.Number()),
    ventricular: Type.Integer({ minimum: 0, description: 'beats' }),
    supraventricular: Type.Integer({ minimum: 0, description: 'beats' }),
    pauses: Type.Integer({ minimum: 0 }),
    fibrillationMinutes: Type.Number({ minimum: 0 }),
    readShare: Type.Number({ minimum: 0, maximum: 1, description: 'what was there and read' }),
  },
  closed,
);

const HrvSchema = Type.Object(
  {
    hours: Type.Number({ description: 'of five-minute parts with normal beats' }),
    sdnnMs: Type.Optional(Type.Number({ description: 'of 18 hours or more' })),
    sdannMs: Type.Optional(Type.Number({ description: 'of 18 hours or more' })),
    triangularIndex: Type.Optional(Type.Number({ description: 'of 18 hours or more' })),
    sdnnIndexMs: Type.Number({ description: 'mean of the standard deviations of five minutes' }),
    rmssdMs: Type.Number(),
    pnn50Percent: Type.Number(),
    vlfMs2: Type.Number({ description: '0.0033 to 0.04 Hz, mean of five-minute spectra' }),
    lfMs2: Type.Number({ description: '0.04 to 0.15 Hz' }),
    hfMs2: Type.Number({ description: '0.15 to 0.4 Hz' }),
    lfToHf: Type.Optional(Type.Number()),
  },
  {
    ...closed,
    description:
      'Task Force of ESC and NASPE, 1996; of stretches of sinus rhythm, absent where they are less than an hour',
  },
);

export const HolterSchema = Type.Object(
  {
    hours: Type.Array(HolterHourSchema),
    ventricularPercent: Type.Number({ description: 'of all beats' }),
    supraventricularPercent: Type.Number({ description: 'of all beats' }),
    fibrillationPercent: Type.Number({ description: 'of the time that was read' }),
    stMv: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.Union([Type.Number(), Type.Null()])), {
        description:
          'by lead and minute: the level of ST 60 ms behind QRS; null where the minute has too few usual beats. Absent in results of versions before 0.10',
      }),
    ),
    hrv: Type.Optional(HrvSchema),
  },
  { ...closed, description: 'of recordings of an hour or more' },
);

/** How families of beats are drawn: columns of time, rows of height. */
export const FAMILY_PICTURE = { columns: 96, rows: 64, columnMs: 20 / 3, rColumn: 30, zeroRow: 38 } as const;
/** In `nextLikely`, of a beat without one. */
export const NO_NEXT_LIKELY = '-';
/** In `likeness`, of a beat in no family. */
export const NO_LIKENESS = 255;

const FamiliesSchema = Type.Object(
  {
    leads: Type.Array(Type.String(), { description: 'one or two, which show the beats best' }),
    cellMv: Type.Number({
      description: 'height of a row of the pictures; of uncalibrated leads in units of the file',
    }),
    pictures: Type.Array(
      Type.Object(
        {
          family: Type.Integer({ minimum: 0 }),
          beats: Type.Integer({ minimum: 1, description: 'so many are drawn over each other' }),
          density: Type.Array(Type.String(), {
            description: `one a lead, base64: ${FAMILY_PICTURE.rows} rows of ${FAMILY_PICTURE.columns} bytes from the top, from 0.2 s before R to 0.44 s behind it; 255 where a third of the beats or more run through, 0 where none does`,
          }),
          meanUv: Type.Array(Type.Array(Type.Integer()), {
            description: 'one a lead: the mean beat, a value a column',
          }),
        },
        closed,
      ),
    ),
    likeness: Type.String({
      description:
        'base64, a byte a beat: its correlation with the others of its family in percent; 255: none',
    }),
    nextLikely: Type.String({
      description: 'a letter a beat: the class that is nearly as likely as its own; - where none is',
    }),
  },
  {
    ...closed,
    description:
      'pictures of the families of beats; of recordings of an hour or more, absent in results of versions before 0.26',
  },
);

const EPISODE_CODES = ['AFIB', 'VT', 'SVTA', 'VF', 'ASYS', 'PAUSE', 'BRADY', 'TACHY'] as const;
/** As many of each kind as somebody would look at: the list is cut there, but never loses the most telling one. */
export const MOST_OF_A_KIND = 200;
export const EpisodeSchema = Type.Object(
  {
    code: Type.Enum([...EPISODE_CODES]),
    ...sampleRange,
    beats: Type.Optional(Type.Integer({ minimum: 0 })),
    bpm: Type.Optional(Type.Number()),
    strip: Type.Tuple([Type.Integer(), Type.Integer()], { description: 'ten seconds that show it' }),
    isBest: Type.Boolean({ description: 'the most telling one of its kind' }),
  },
  {
    ...closed,
    description: `of recordings of minutes; the first ${MOST_OF_A_KIND} of each kind, and the most telling one`,
  },
);

export const AnalysisResultSchema = Type.Object(
  {
    recording: RecordingFactsSchema,
    patient: PatientSchema,
    beats: Type.Array(BeatSchema),
    rhythms: Type.Array(RhythmSchema),
    measurements: MeasurementsSchema,
    medianBeat: Type.Optional(MedianBeatSchema),
    paceSpikes: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0 }), {
        description:
          'samples of pacing spikes that stand out of the signal one by one; absent where there are none, and in results of versions before 0.12',
      }),
    ),
    waves: Type.Optional(
      Type.Array(BeatWavesSchema, {
        description:
          'of each beat; of 30 s in each of up to 20 sections where a recording is longer than six minutes; absent in results of versions before 0.6',
      }),
    ),
    unread: Type.Optional(
      Type.Array(Type.Tuple([Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 0 })]), {
        description:
          '[startSample, endSample) in which heartbeats cannot be told from noise; absent in results of versions before 0.26',
      }),
    ),
    fibrillation: Type.Optional(
      Type.Array(Type.Tuple([Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 0 })]), {
        description:
          '[startSample, endSample) of all atrial fibrillation that was found; absent in results of versions before 0.26',
      }),
    ),
    episodes: Type.Optional(Type.Array(EpisodeSchema)),
    holter: Type.Optional(HolterSchema),
    families: Type.Optional(FamiliesSchema),
    statements: Type.Array(StatementSchema),
    assessments: Type.Array(AssessmentSchema),
    notAssessed: Type.Array(UnassessedSchema),
    quality: Type.Array(LeadQualitySchema),
    severity: Type.Optional(SeveritySchema),
    warnings: Type.Array(WarningSchema),
    analysisVersion: Type.String(),
  },
  { ...closed, title: 'Isoline analysis result' },
);

export type AnalysisResult = Static<typeof AnalysisResultSchema>;
export type Measurements = Static<typeof MeasurementsSchema>;
export type StoredMedianBeat = Static<typeof MedianBeatSchema>;
export type Evidence = Static<typeof EvidenceSchema>;
export type Assessment = Static<typeof AssessmentSchema>;
export type Statement = Static<typeof StatementSchema>;
export type LeadQuality = Static<typeof LeadQualitySchema>;
export type QualityFlag = LeadQuality['flags'][number];
export type Episode = Static<typeof EpisodeSchema>;
export type Holter = Static<typeof HolterSchema>;
export type Families = Static<typeof FamiliesSchema>;
export type HolterHour = Static<typeof HolterHourSchema>;
export type WavesOfBeat = Static<typeof BeatWavesSchema>;
export type Beat = Static<typeof BeatSchema>;
export type RhythmSegment = Static<typeof RhythmSchema>;
