// What an analysis is at, in the order in which it comes; how long each takes depends on the recording, so no
// percentage is made of it. Of a long recording it is said how far a stage is.

import { type Static, Type } from 'typebox';

export const ANALYSIS_STAGES = ['reading', 'beats', 'measuring', 'report'] as const;
export type AnalysisStage = (typeof ANALYSIS_STAGES)[number];

export const AnalysisProgressSchema = Type.Object(
  {
    stage: Type.Enum([...ANALYSIS_STAGES]),
    /** Minutes of the recording that this stage is through with. */
    minute: Type.Optional(Type.Integer({ minimum: 0 })),
    ofMinutes: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
export type AnalysisProgress = Static<typeof AnalysisProgressSchema>;
