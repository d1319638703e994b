// The reading of an ECG as it goes to other systems, and the codes of its numbers, whatever they are written in.

import type { Measurements } from '../../shared/analysis-result.ts';
import type { AskedExamination } from '../../shared/order.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';
import type { ReadingStatus } from '../ground/reading-status.ts';

export interface EcgReading {
  readonly isSimulated: boolean;
  readonly patient: PatientFacts;
  readonly orderNumber: string | undefined;
  /** Ours, the same for every reading of the recording. */
  readonly fillerNumber: string;
  readonly asked: AskedExamination | undefined;
  readonly startMs: number;
  /** The offset of the place where it was recorded; undefined where no zone is known. */
  readonly offsetMinutes: number | undefined;
  readonly approval: {
    readonly isByPhysician: boolean;
    readonly by: string;
    readonly atMs: number;
    readonly offsetMinutes: number;
  };
  readonly status: ReadingStatus;
  /** It is in place of one that was sent. */
  readonly isCorrected: boolean;
  readonly measurements: Measurements;
  readonly statements: readonly string[];
  /** What has to be known of the recording, as sentences. */
  readonly warnings: readonly string[];
  readonly indications: readonly string[];
  readonly pdf: Uint8Array;
}

/** The measurements that are a single number. */
type NumberName = {
  [K in keyof Measurements]-?: NonNullable<Measurements[K]> extends number ? K : never;
}[keyof Measurements];

export interface EcgNumber {
  readonly name: NumberName;
  readonly loinc: string;
  readonly words: string;
  /** IEEE 11073-10102, partition 2: context-free code and reference id. */
  readonly mdc: string;
  readonly mdcId: string;
  /** UCUM. */
  readonly unit: string;
  readonly method?: string;
}

const number = (
  name: EcgNumber['name'],
  loinc: string,
  words: string,
  mdc: string,
  mdcId: string,
  unit: string,
): EcgNumber => ({ name, loinc, words, mdc, mdcId, unit });

export const ECG_NUMBERS: readonly EcgNumber[] = [
  number('heartRateBpm', '8867-4', 'Heart rate', '147842', 'MDC_ECG_HEART_RATE', '/min'),
  number('prMs', '8625-6', 'P-R interval', '146944', 'MDC_ECG_TIME_PD_PR', 'ms'),
  number('qrsMs', '8633-0', 'QRS duration', '147228', 'MDC_ECG_TIME_PD_QRS', 'ms'),
  number('qtMs', '8634-8', 'Q-T interval', '147232', 'MDC_ECG_TIME_PD_QT', 'ms'),
  {
    ...number('qtcFridericiaMs', '8636-3', 'Q-T interval corrected', '146948', 'MDC_ECG_TIME_PD_QTC', 'ms'),
    method: 'Fridericia',
  },
  number('pAxisDeg', '8626-4', 'P wave axis', '147200', 'MDC_ECG_ANGLE_P_FRONT', 'deg'),
  number('qrsAxisDeg', '8632-1', 'QRS axis', '147204', 'MDC_ECG_ANGLE_QRS_FRONT', 'deg'),
  number('tAxisDeg', '8638-9', 'T wave axis', '147208', 'MDC_ECG_ANGLE_T_FRONT', 'deg'),
];

/** LOINC. */
export const EKG_STUDY = { code: '11524-6', words: 'EKG study' } as const;

/** What was found, before it what has to be known of who found it, and behind it of the recording. */
export const remarksOf = ({ isSimulated, approval, statements, warnings }: EcgReading): readonly string[] => [
  ...(isSimulated ? ['SIMULATED SIGNAL: not of a patient'] : []),
  ...(approval.isByPhysician ? [] : ['Not read by a physician']),
  ...statements,
  ...warnings.map((sentence) => `About the recording: ${sentence}`),
];
