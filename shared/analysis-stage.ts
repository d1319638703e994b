// What an analysis is at, in the order in which it comes; how long each takes depends on the recording, so no
// percentage is made of it.

export const ANALYSIS_STAGES = ['reading', 'beats', 'measuring', 'report'] as const;
export type AnalysisStage = (typeof ANALYSIS_STAGES)[number];
