// Statements, their severities, and what was not assessed: analysis reference, section 11, and D63. One code
// once; a severity is never guessed where the signal can't carry it, and nothing here says that an ECG is
// normal: what would be needed for that is not assessed.

import type { Beat, Measurements, Statement } from '../../shared/analysis-result.ts';
import { NOT_IN_THIS_VERSION, type StatementCode, type Unassessed } from '../../shared/findings/codes.ts';
import { type FindingValues, statementText } from '../../shared/findings/finding-text.ts';
import { highestSeverity, type Severity } from '../../shared/severity.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';
import type { ElectrodeFaults } from './electrode-faults.ts';
import type { QualityReport } from './quality.ts';
import type { BaseRhythm, Pause, VentricularRun } from './rhythm.ts';
import type { Range } from './time-base.ts';

const ADULT_YEARS = 18;
const SHORT_SECONDS = 7;
/** One or two premature beats are not frequent, however short the recording. */
const MIN_FREQUENT = 3;

export interface StatementInput {
  readonly base: BaseRhythm;
  readonly beats: readonly Beat[];
  readonly pauses: readonly Pause[];
  readonly runs: readonly VentricularRun[];
  readonly atrialFibrillation: readonly Range[];
  readonly ventricularFibrillation: readonly Range[];
  readonly asystole: readonly Range[];
  readonly electrodes: ElectrodeFaults;
  readonly measurements: Measurements;
  readonly quality: QualityReport;
  readonly gender: PatientFacts['gender'];
  /** At the time of the recording; absent where neither date of birth nor age is known: adult limits then. */
  readonly ageYears: number | undefined;
  readonly sampleRateHz: number;
  readonly durationSeconds: number;
}

function statement(
  code: StatementCode,
  severity: Severity,
  values: FindingValues = {},
  certainty: Statement['certainty'] = 'definite',
): Statement {
  return { code, text: statementText(code, values, 'en'), values: { ...values }, severity, certainty };
}

/** Severity of an adult's sustained rate (D63, first rows). */
export function rateSeverity(bpm: number): Severity {
  if (bpm < 35 || bpm > 180) return 'CRITICAL';
  if (bpm < 40 || bpm > 150) return 'IMPORTANT';
  if (bpm < 45 || bpm > 120) return 'MODERATE';
  return bpm < 50 || bpm > 100 ? 'LOW' : 'NONE';
}

const isChildOf = ({ ageYears }: StatementInput): boolean => ageYears !== undefined && ageYears < ADULT_YEARS;
const isSinus = ({ base }: StatementInput): boolean => base === 'N' || base === 'SBR' || base === 'ST';
const oneDecimal = (value: number): number => Math.round(10 * value) / 10;

function secondsOf(ranges: readonly Range[], sampleRateHz: number): number {
  return oneDecimal(ranges.reduce((sum, [start, end]) => sum + end - start, 0) / sampleRateHz);
}

function arrestStatements({ ventricularFibrillation, asystole, sampleRateHz }: StatementInput): Statement[] {
  const found: Statement[] = [];
  if (ventricularFibrillation.length > 0)
    found.push(
      statement(
        'RHY-VF',
        'CRITICAL',
        { seconds: secondsOf(ventricularFibrillation, sampleRateHz) },
        'probable',
      ),
    );
  if (asystole.length > 0) {
    const longest = Math.max(...asystole.map(([start, end]) => end - start));
    found.push(
      statement('RHY-ASYS', 'CRITICAL', { seconds: oneDecimal(longest / sampleRateHz) }, 'probable'),
    );
  }
  return found;
}

function rhythmStatements(input: StatementInput): Statement[] {
  const { base, measurements, atrialFibrillation } = input;
  const rate = measurements.heartRateBpm;
  const values: FindingValues = rate === undefined ? {} : { rate };
  // What is fast or slow for a child depends on months and years; these limits are not in this version.
  const severity = rate === undefined || isChildOf(input) ? 'NONE' : rateSeverity(rate);
  const asUrgent = (least: Severity): Severity => highestSeverity([least, severity]);
  if (isSinus(input) && isChildOf(input)) return [statement('RHY-SINUS', 'NONE', values)];
  switch (base) {
    case 'N':
      return [statement('RHY-SINUS', 'NONE', values)];
    case 'SBR':
      return [statement('RHY-SBRADY', severity, values)];
    case 'ST':
      return [statement('RHY-STACHY', severity, values)];
    case 'AFIB':
      return [statement('RHY-AFIB', severity === 'CRITICAL' ? 'CRITICAL' : 'IMPORTANT', values, 'probable')];
    case 'VT':
      return [statement('RHY-VT', 'CRITICAL', values, 'probable')];
    case 'P':
      return [statement('RHY-PACED', asUrgent('LOW'), values, 'probable')];
    case 'UNK': {
      const seconds = secondsOf(atrialFibrillation, input.sampleRateHz);
      return [
        statement('RHY-UNDET', 'LOW', values),
        ...(atrialFibrillation.length > 0
          ? [statement('RHY-AFIBPART', 'MODERATE', { seconds }, 'possible')]
          : []),
        // The rate itself still counts: a very slow or fast heart is no less urgent because its rhythm has no
        // name.
        ...(severity === 'NONE' ? [] : [statement('INT-HR', severity, values)]),
      ];
    }
  }
}

/** Three in a row are a run; one that lasts 30 s or fills the recording is no longer a short one. */
function runStatements({ runs, durationSeconds }: StatementInput): Statement[] {
  const longest = runs.reduce<VentricularRun | undefined>(
    (best, run) => (run.beats > (best?.beats ?? 0) ? run : best),
    undefined,
  );
  if (longest === undefined) return [];
  const isSustained = longest.durationMs >= 30_000 || longest.durationMs >= 700 * durationSeconds;
  if (isSustained && longest.bpm >= 120)
    return [statement('RHY-VT', 'CRITICAL', { rate: longest.bpm }, 'probable')];
  const values = { count: longest.beats, rate: longest.bpm, ...(runs.length > 1 && { runs: runs.length }) };
  return [statement('RHY-NSVT', 'IMPORTANT', values, 'probable')];
}

function ectopyStatements({ beats, durationSeconds }: StatementInput): Statement[] {
  const found: Statement[] = [];
  const countOf = (label: Beat['label']): number => beats.filter((beat) => beat.label === label).length;
  const [ventricular, supraventricular] = [countOf('V'), countOf('S')];
  if (ventricular > 0) {
    const isOften = ventricular / (durationSeconds / 60) >= 6 || ventricular >= 0.1 * beats.length;
    const isFrequent = ventricular >= MIN_FREQUENT && isOften;
    found.push(
      statement(isFrequent ? 'ECT-PVCFREQ' : 'ECT-PVC', isFrequent ? 'MODERATE' : 'LOW', {
        count: ventricular,
      }),
    );
  }
  if (supraventricular > 0) {
    const share = supraventricular / beats.length;
    const isFrequent = supraventricular >= MIN_FREQUENT && share >= 0.01;
    const severity = isFrequent && share >= 0.1 ? 'MODERATE' : 'LOW';
    found.push(statement(isFrequent ? 'ECT-PACFREQ' : 'ECT-PAC', severity, { count: supraventricular }));
  }
  return found;
}

function pauseStatements(pauses: readonly Pause[]): Statement[] {
  const longest = Math.max(0, ...pauses.map((pause) => pause.durationMs));
  if (longest === 0) return [];
  const severity: Severity = longest >= 4000 ? 'CRITICAL' : longest >= 2500 ? 'IMPORTANT' : 'LOW';
  return [
    statement('RHY-PAUSE', severity, {
      seconds: oneDecimal(longest / 1000),
      ...(pauses.length > 1 && { count: pauses.length }),
    }),
  ];
}

function axisStatements(axis: number | undefined): Statement[] {
  if (axis === undefined || (axis >= -30 && axis <= 90)) return [];
  const values = { degrees: axis };
  if (axis < -90) return [statement('AXIS-EXT', 'MODERATE', values)];
  return [statement(axis < -30 ? 'AXIS-LAD' : 'AXIS-RAD', 'LOW', values)];
}

/**
 * Only behind a proven sinus beat; elsewhere a wave of the atria, or a paced beat's T, can pass for a late
 * end of T. Bazett over-corrects away from 60–90/min, so the limits are held against Fridericia there
 * (section 7).
 */
function qtStatements(input: StatementInput): Statement[] {
  const { measurements, gender } = input;
  if (!isSinus(input)) return [];
  const rate = measurements.heartRateBpm ?? 75;
  const qtc = rate > 90 || rate < 60 ? measurements.qtcFridericiaMs : measurements.qtcBazettMs;
  const formula = rate > 90 || rate < 60 ? 'Fridericia' : 'Bazett';
  if (qtc === undefined || (measurements.qrsMs ?? 0) >= 120) return [];
  const limit = gender === 'MALE' ? 450 : 470;
  if (qtc >= limit)
    return [statement('REP-LQT', qtc >= 500 ? 'IMPORTANT' : 'MODERATE', { ms: qtc, formula })];
  return qtc < 340
    ? [statement('REP-SQT', qtc < 320 ? 'CRITICAL' : 'LOW', { ms: qtc, formula }, 'possible')]
    : [];
}

/** A long PR is a block only behind a proven sinus beat. */
function intervalStatements(input: StatementInput): Statement[] {
  const { prMs, qrsMs } = input.measurements;
  const found: Statement[] = [];
  if (isSinus(input) && prMs !== undefined && prMs > 200)
    found.push(statement('AVB-1', prMs > 300 ? 'MODERATE' : 'LOW', { ms: prMs }));
  if (qrsMs !== undefined && qrsMs >= 120) found.push(statement('INT-QRS', 'LOW', { ms: qrsMs }));
  return found;
}

function technicalStatements({ quality, durationSeconds, electrodes, base }: StatementInput): Statement[] {
  const found: Statement[] = [];
  const { hum, isArmSwapLikely, spikes } = electrodes;
  if (isArmSwapLikely) found.push(statement('LEAD-REV', 'LOW', {}, 'possible'));
  if (spikes.length > 0 && base !== 'P')
    found.push(statement('RHY-PACESPIKES', 'LOW', { count: spikes.length }, 'probable'));
  if (hum !== undefined) found.push(statement('QUAL-HUM', 'NONE', { hz: hum.hz, uv: hum.uv }));
  if (quality.grade === 'poor') found.push(statement('QUAL-POOR', 'NONE'));
  else if (quality.grade === 'fair') found.push(statement('QUAL-FAIR', 'NONE'));
  if (durationSeconds < SHORT_SECONDS)
    found.push(statement('QUAL-SHORT', 'LOW', { seconds: oneDecimal(durationSeconds) }));
  return found;
}

/** What a reader of an ECG looks for and this result says nothing about, and why. */
function unassessed(input: StatementInput, hasBeats: boolean): Unassessed[] {
  const { measurements, base, electrodes } = input;
  const left: Unassessed[] = [];
  const isArrested = input.ventricularFibrillation.length > 0 || input.asystole.length > 0;
  if (!hasBeats && !isArrested) left.push({ code: 'RHYTHM', reason: 'signal' });
  left.push(...NOT_IN_THIS_VERSION);
  // A paced beat has the shape of a ventricular one: what else comes from there is not told apart.
  if (base === 'P') left.push({ code: 'ECTOPY', reason: 'paced' });
  const isMeasured =
    measurements.prMs !== undefined && measurements.qrsMs !== undefined && measurements.qtMs !== undefined;
  if (isChildOf(input)) left.push({ code: 'INTERVALS', reason: 'child' });
  else if (base === 'P') left.push({ code: 'INTERVALS', reason: 'paced' });
  else if (!isMeasured)
    left.push({ code: 'INTERVALS', reason: hasBeats && !isSinus(input) ? 'rhythm' : 'signal' });
  if (isChildOf(input)) left.push({ code: 'AXIS', reason: 'child' });
  else if (electrodes.isArmSwapLikely) left.push({ code: 'AXIS', reason: 'electrodes' });
  else if (base === 'P') left.push({ code: 'AXIS', reason: 'paced' });
  else if (measurements.qrsAxisDeg === undefined)
    left.push({ code: 'AXIS', reason: hasBeats ? 'leads' : 'signal' });
  return left;
}

export interface Interpretation {
  readonly statements: readonly Statement[];
  readonly notAssessed: readonly Unassessed[];
  /** Absent where the signal can't be interpreted: that is not the same as NONE. */
  readonly severity?: Severity;
}

export function interpret(input: StatementInput): Interpretation {
  const technical = technicalStatements(input);
  const arrests = arrestStatements(input);
  const hasBeats = input.quality.grade !== 'poor' && input.beats.length > 0;
  const notAssessed = unassessed(input, hasBeats);
  if (!hasBeats) {
    const isUnexplained = arrests.length === 0 && input.quality.grade !== 'poor';
    const statements = [
      ...arrests,
      ...(isUnexplained ? [statement('QUAL-NOBEAT', 'NONE')] : []),
      ...technical,
    ];
    return arrests.length > 0
      ? { statements, notAssessed, severity: 'CRITICAL' }
      : { statements, notAssessed };
  }
  const isPaced = input.base === 'P';
  const isChild = isChildOf(input);
  // Limits for children are not in this version: their numbers are given, their statements are not.
  const limits = isChild
    ? [statement('INT-CHILD', 'LOW')]
    : [
        ...(isPaced ? [] : [...intervalStatements(input), ...qtStatements(input)]),
        ...(isPaced || input.electrodes.isArmSwapLikely ? [] : axisStatements(input.measurements.qrsAxisDeg)),
      ];
  const runs = input.base === 'VT' ? [] : runStatements(input);
  const ectopy = isPaced ? [] : ectopyStatements(input);
  const medical = [
    ...arrests,
    ...runs,
    ...rhythmStatements(input),
    ...pauseStatements(input.pauses),
    ...ectopy,
    ...limits,
  ];
  const statements = [...medical, ...technical];
  return { statements, notAssessed, severity: highestSeverity(statements.map((entry) => entry.severity)) };
}
