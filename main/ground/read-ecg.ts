// The reading of an ECG, for an archive.

import type { Measurements } from '../../shared/analysis-result.ts';

/** What was read, and by whom. */
export interface ReadEcg {
  readonly measurements: Measurements;
  /** Findings, and before them what has to be known of who found them. */
  readonly remarks: readonly string[];
  readonly indications: readonly string[];
  /** Whoever approved it; empty where no physician has. */
  readonly by: string;
  /** Where that was. */
  readonly organization: string;
  readonly madeMs: number;
  /** The version of the analysis that measured it. */
  readonly analysisVersion: string;
}
