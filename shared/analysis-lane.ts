// Whom an analysis goes before: a lane goes before all behind it, and within a lane the oldest goes first.

export const ANALYSIS_LANES = ['emergency', 'awaited', 'live', 'import'] as const;
export type AnalysisLane = (typeof ANALYSIS_LANES)[number];
