// Statements and their severities: analysis reference, section 11, and D63. One code once; a severity is never guessed where the
// signal can't carry it. Texts are English here; the screens have them by code in the person's language.

import type { Beat, Measurements, Statement } from '../../shared/analysis-result.ts';
import { highestSeverity, type Severity } from '../../shared/severity.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';
import type { QualityReport } from './quality.ts';
import type { BaseRhythm, Pause } from './rhythm.ts';

const ADULT_YEARS = 18;
const SHORT_SECONDS = 7;

export interface StatementInput {
  readonly base: BaseRhythm;
  readonly beats: readonly Beat[];
  readonly pauses: readonly Pause[];
  readonly measurements: Measurements;
  readonly quality: QualityReport;
  readonly gender: PatientFacts['gender'];
  /** At the time of the recording; absent where neither date of birth nor age is known: adult limits then. */
  readonly ageYears: number | undefined;
  readonly durationSeconds: number;
}

const statement = (code: string, text: string, severity: Severity, certainty: Statement['certainty'] = 'definite'): Statement => ({
  code,
  text,
  severity,
  certainty,
});

/** Severity of an adult's sustained rate (D63, first rows). */
export function rateSeverity(bpm: number): Severity {
  if (bpm < 35 || bpm > 180) return 'CRITICAL';
  if (bpm < 40 || bpm > 150) return 'IMPORTANT';
  if (bpm < 45 || bpm > 120) return 'MODERATE';
  return bpm < 50 || bpm > 100 ? 'LOW' : 'NONE';
}

const isChildOf = ({ ageYears }: StatementInput): boolean => ageYears !== undefined && ageYears < ADULT_YEARS;

function rhythmStatements(input: StatementInput): Statement[] {
  const { base, measurements } = input;
  const rate = measurements.heartRateBpm;
  const at = rate === undefined ? '' : `, ${rate}/min`;
  // What is fast or slow for a child depends on months and years; these limits are not in this version.
  const severity = rate === undefined || isChildOf(input) ? 'NONE' : rateSeverity(rate);
  const isSinus = base === 'N' || base === 'SBR' || base === 'ST';
  if (isSinus && isChildOf(input)) return [statement('RHY-SINUS', `Sinus rhythm${at}`, 'NONE')];
  switch (base) {
    case 'N':
      return [statement('RHY-SINUS', `Sinus rhythm${at}`, 'NONE')];
    case 'SBR':
      return [statement('RHY-SBRADY', `Sinus bradycardia${at}`, severity)];
    case 'ST':
      return [statement('RHY-STACHY', `Sinus tachycardia${at}`, severity)];
    case 'AFIB':
      return [statement('RHY-AFIB', `Probable atrial fibrillation${at}`, severity === 'CRITICAL' ? 'CRITICAL' : 'IMPORTANT', 'probable')];
    case 'UNK': {
      const undetermined = statement('RHY-UNDET', `Rhythm not determined${at}`, 'LOW');
      // The rate itself still counts: a very slow or fast heart is no less urgent because its rhythm has no name.
      return severity === 'NONE' || rate === undefined
        ? [undetermined]
        : [undetermined, statement('INT-HR', `Heart rate ${rate}/min`, severity)];
    }
  }
}

function ectopyStatements({ beats, durationSeconds }: StatementInput): Statement[] {
  const found: Statement[] = [];
  const perMinute = (count: number): number => count / (durationSeconds / 60);
  const ventricular = beats.filter((beat) => beat.label === 'V').length;
  const supraventricular = beats.filter((beat) => beat.label === 'S').length;
  if (ventricular > 0) {
    const isFrequent = perMinute(ventricular) >= 6 || ventricular >= 0.1 * beats.length;
    found.push(
      isFrequent
        ? statement('ECT-PVCFREQ', `Frequent ventricular premature beats (${ventricular})`, 'MODERATE')
        : statement('ECT-PVC', `Ventricular premature beats (${ventricular})`, 'LOW'),
    );
  }
  if (supraventricular > 0) {
    const share = supraventricular / beats.length;
    const severity = share >= 0.1 ? 'MODERATE' : 'LOW';
    found.push(statement(share >= 0.01 ? 'ECT-PACFREQ' : 'ECT-PAC', `Supraventricular premature beats (${supraventricular})`, severity));
  }
  return found;
}

function pauseStatements(pauses: readonly Pause[]): Statement[] {
  const longest = Math.max(0, ...pauses.map((pause) => pause.durationMs));
  if (longest === 0) return [];
  const severity: Severity = longest >= 4000 ? 'CRITICAL' : longest >= 2500 ? 'IMPORTANT' : 'LOW';
  return [statement('RHY-PAUSE', `Pause of ${(longest / 1000).toFixed(1)} s (${pauses.length} in all)`, severity)];
}

function axisStatements(axis: number | undefined): Statement[] {
  if (axis === undefined || (axis >= -30 && axis <= 90)) return [];
  if (axis < -90) return [statement('AXIS-EXT', `Extreme axis deviation (${axis}°)`, 'MODERATE')];
  return axis < -30
    ? [statement('AXIS-LAD', `Left axis deviation (${axis}°)`, 'LOW')]
    : [statement('AXIS-RAD', `Right axis deviation (${axis}°)`, 'LOW')];
}

/** Bazett over-corrects away from 60–90/min, so the limits are held against Fridericia there (section 7). */
function qtStatements({ measurements, gender }: StatementInput): Statement[] {
  const rate = measurements.heartRateBpm ?? 75;
  const qtc = rate > 90 || rate < 60 ? measurements.qtcFridericiaMs : measurements.qtcBazettMs;
  const name = rate > 90 || rate < 60 ? 'Fridericia' : 'Bazett';
  if (qtc === undefined || (measurements.qrsMs ?? 0) >= 120) return [];
  const limit = gender === 'MALE' ? 450 : 470;
  if (qtc >= limit) return [statement('REP-LQT', `Long QT: QTc ${qtc} ms (${name})`, qtc >= 500 ? 'IMPORTANT' : 'MODERATE')];
  return qtc < 340 ? [statement('REP-SQT', `Short QT: QTc ${qtc} ms (${name})`, qtc < 320 ? 'CRITICAL' : 'LOW', 'possible')] : [];
}

function intervalStatements({ measurements }: StatementInput): Statement[] {
  const found: Statement[] = [];
  const { prMs, qrsMs } = measurements;
  if (prMs !== undefined && prMs > 200)
    found.push(statement('AVB-1', `First degree AV block: PR ${prMs} ms`, prMs > 300 ? 'MODERATE' : 'LOW'));
  if (qrsMs !== undefined && qrsMs >= 120) found.push(statement('INT-QRS', `Wide QRS: ${qrsMs} ms`, 'LOW'));
  return found;
}

function qualityStatements({ quality, durationSeconds }: StatementInput): Statement[] {
  const found: Statement[] = [];
  if (quality.grade === 'poor') found.push(statement('QUAL-POOR', 'Signal too poor for an interpretation', 'NONE'));
  else if (quality.grade === 'fair') found.push(statement('QUAL-FAIR', 'Signal quality limited', 'NONE'));
  if (durationSeconds < SHORT_SECONDS) found.push(statement('QUAL-SHORT', `Short recording: ${durationSeconds.toFixed(1)} s`, 'LOW'));
  return found;
}

export interface Interpretation {
  readonly statements: readonly Statement[];
  /** Absent where the signal can't be interpreted: that is not the same as NONE. */
  readonly severity?: Severity;
}

export function interpret(input: StatementInput): Interpretation {
  const technical = qualityStatements(input);
  if (input.quality.grade === 'poor' || input.beats.length === 0) {
    const none = input.quality.grade === 'poor' ? [] : [statement('RHY-UNDET', 'No heart beats found', 'LOW')];
    return { statements: [...none, ...technical] };
  }
  const isChild = isChildOf(input);
  // Limits for children are not in this version: their numbers are given, their statements are not.
  const limits = isChild
    ? [statement('INT-CHILD', 'Child: adult limits were not applied', 'LOW')]
    : [...intervalStatements(input), ...qtStatements(input), ...axisStatements(input.measurements.qrsAxisDeg)];
  const medical = [...rhythmStatements(input), ...pauseStatements(input.pauses), ...ectopyStatements(input), ...limits];
  const isNormal =
    input.base === 'N' &&
    !isChild &&
    input.quality.grade === 'good' &&
    technical.length === 0 &&
    medical.every((entry) => entry.severity === 'NONE');
  const hasMorphology =
    input.measurements.prMs !== undefined &&
    input.measurements.qrsMs !== undefined &&
    input.measurements.qtMs !== undefined &&
    input.measurements.qrsAxisDeg !== undefined;
  const summary = isNormal && hasMorphology ? [statement('SUM-LIMITS', 'Rate, intervals and axis within normal limits', 'NONE')] : [];
  const statements = [...medical, ...summary, ...technical];
  return { statements, severity: highestSeverity(statements.map((entry) => entry.severity)) };
}
