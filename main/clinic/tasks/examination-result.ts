// What a practice system is told of an ECG that was approved.

import { zonedTime } from '../../../shared/civil-time.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import { warningText } from '../../../shared/warnings/warning.ts';
import type { ExaminationResult } from '../../ground/examination-result.ts';
import { SIMULATED_SIGNAL } from '../../signal/simulated-signal.ts';
import type { Order } from '../orders/records.ts';
import type { ReportLook } from './records.ts';
import { warningsOf } from './task-warnings.ts';
import type { LookedAtTask } from './worklist.ts';

const SENDER = 'ISOLINE';
const USUAL_EXAMINATION = 'EKG01';

/** Numbers and findings as lines of text; what was not measured is left out. */
function linesOf(
  { task, facts, finding, statements }: LookedAtTask,
  approval: ReportLook['approval']['kind'],
): string[] {
  const measurements = finding?.summary.measurements;
  const values: readonly (readonly [string, number | undefined, string])[] = [
    ['HR', measurements?.heartRateBpm, '/min'],
    ['PR', measurements?.prMs, 'ms'],
    ['QRS', measurements?.qrsMs, 'ms'],
    ['QT', measurements?.qtMs, 'ms'],
    ['QTc (Fridericia)', measurements?.qtcFridericiaMs, 'ms'],
    ['QRS axis', measurements?.qrsAxisDeg, 'deg'],
  ];
  const measured = values.flatMap(([name, value, unit]) =>
    value === undefined ? [] : [`${name} ${Math.round(value)} ${unit}`],
  );
  return [
    ...(task.isSimulated ? [SIMULATED_SIGNAL] : []),
    ...(approval === 'approved' ? [] : ['Not read by a physician']),
    ...measured,
    ...statements.map(({ text }) => text),
    ...warningsOf(task, facts, finding).map((each) => `About the recording: ${warningText(each, 'en')}`),
  ];
}

/** @param order what was asked for, where somebody did */
export function examinationResult(
  looked: LookedAtTask,
  patient: PatientFacts,
  approval: ReportLook['approval']['kind'],
  order: Order | undefined,
): ExaminationResult {
  const { task, facts: recorded } = looked;
  const startMs = task.fields.recordingStartMs ?? recorded?.startMs ?? task.createdMs;
  // On the clock of the place where it was recorded.
  const { isoDay, clock } = zonedTime(startMs, task.fields.recordingTimeZone);
  return {
    patient,
    ...(order?.facts.orderNumber !== undefined && { orderNumber: order.facts.orderNumber }),
    examination: order?.facts.examination ?? USUAL_EXAMINATION,
    sender: SENDER,
    receiver: order?.facts.sender ?? '',
    date: isoDay,
    time: clock,
    lines: linesOf(looked, approval),
  };
}
