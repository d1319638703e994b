// What the analysis can state, and what it can leave unassessed. A code is stable for ever and never used
// again for something else; its text stands in finding-texts.ts, in every language. Analysis reference,
// section 11.

export const STATEMENT_CODES = [
  'SUM-NORMAL',
  'RHY-SINUS',
  'RHY-SBRADY',
  'RHY-STACHY',
  'RHY-SINUSPART',
  'RHY-AFIB',
  'RHY-AFL',
  'RHY-AFL21',
  'RHY-AFIBEPI',
  'RHY-AFIBPART',
  'RHY-VT',
  'RHY-NSVT',
  'RHY-EAT',
  'RHY-JUNC',
  'RHY-WIDE',
  'RHY-AIVR',
  'RHY-IVR',
  'RHY-SVT',
  'RHY-TACHY',
  'RHY-SVTRUN',
  'RHY-VF',
  'RHY-ASYS',
  'RHY-PACED',
  'RHY-PACESPIKES',
  'RHY-PAUSE',
  'RHY-UNDET',
  'RHY-UNDETPART',
  'ECT-PVC',
  'ECT-PVCFREQ',
  'ECT-PAC',
  'ECT-PACFREQ',
  'ECT-COUPLET',
  'ECT-BIGEM',
  'ECT-TRIGEM',
  'ECT-INTERP',
  'ECT-MULTI',
  'ECT-RONT',
  'AVB-1',
  'AVB-W',
  'AVB-M2',
  'AVB-21',
  'AVB-ADV',
  'AVB-3',
  'CON-RBBB',
  'CON-LBBB',
  'CON-IRBBB',
  'CON-LAFB',
  'CON-LPFB',
  'CON-BIF',
  'CON-IVCD',
  'CON-WPW',
  'ISC-STEMI',
  'ISC-STEMIWIDE',
  'ISC-POST',
  'ISC-WELL',
  'ISC-DEWIN',
  'ISC-STDEP',
  'ISC-TINV',
  'ISC-QMI',
  'ISC-QMIAGE',
  'CHA-LVH',
  'CHA-RVH',
  'CHA-LAE',
  'CHA-RAE',
  'VOL-LOW',
  'INT-HR',
  'INT-PR',
  'INT-PRLONG',
  'INT-QRS',
  'INT-CHILD',
  'INT-CHILDLIM',
  'REP-TFLAT',
  'REP-LQT',
  'REP-SQT',
  'REP-BRUG',
  'REP-HYPERK',
  'AXIS-LAD',
  'AXIS-RAD',
  'AXIS-EXT',
  'LEAD-REV',
  'LEAD-REVLIMB',
  'LEAD-REVCHEST',
  'QUAL-POOR',
  'QUAL-FAIR',
  'QUAL-FLAT',
  'QUAL-SHORT',
  'QUAL-HUM',
  'QUAL-NOBEAT',
  'QUAL-UNREAD',
] as const;
export type StatementCode = (typeof STATEMENT_CODES)[number];

/** What a reader of an ECG looks for and this result says nothing about. */
export const UNASSESSED_CODES = [
  'RHYTHM',
  'ST',
  'QWAVES',
  'CONDUCTION',
  'HYPERTROPHY',
  'ATRIA',
  'AVBLOCK',
  'PR',
  'QRS',
  'QT',
  // In results of versions before 0.4: PR, QRS and QT together.
  'INTERVALS',
  'AXIS',
  'ECTOPY',
  'PACING',
  // Whether an ECG without findings is a normal one.
  'NORMAL',
] as const;
export type UnassessedCode = (typeof UNASSESSED_CODES)[number];

export const UNASSESSED_REASONS = [
  'version',
  'signal',
  'rhythm',
  'wideQrs',
  'paced',
  'electrodes',
  'leads',
  'scale',
  'age',
  'child',
  'sampleRate',
] as const;
export type UnassessedReason = (typeof UNASSESSED_REASONS)[number];

export interface Unassessed {
  readonly code: UnassessedCode;
  readonly reason: UnassessedReason;
}

const ofVersion = (codes: readonly UnassessedCode[]): readonly Unassessed[] =>
  codes.map((code) => ({ code, reason: 'version' }));

/** What those versions did not assess whose results have no list of it. */
export const NOT_IN_OLD_VERSIONS = ofVersion(['ST', 'QWAVES', 'CONDUCTION', 'HYPERTROPHY']);

/**
 * Codes of older versions that are no longer shown: this one said of an ECG that it lay within normal limits,
 * with half of it unread.
 */
const RETIRED: ReadonlySet<string> = new Set(['SUM-LIMITS']);
export const isRetired = (code: string): boolean => RETIRED.has(code);
