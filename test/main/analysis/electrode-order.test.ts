import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import type { Electrode } from '../../../shared/signal/electrode.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { type SimulatedPatientOptions, simulatedPatient } from '../../support/simulated-patient.ts';
import { toRecording } from '../../support/synthetic-recording.ts';

const LIMB_LEADS = STANDARD_LEADS.slice(0, 6);

const recorded = (
  swapped: readonly [Electrode, Electrode] | undefined,
  rhythm: 'sinus' | 'afib' = 'sinus',
  leads: SimulatedPatientOptions['leads'] = STANDARD_LEADS,
): AnalysisResult =>
  analyse(toRecording(simulatedPatient({ rhythm, noise: 'clean', leads, ...(swapped && { swapped }) })));
const exchangesIn = ({ statements }: AnalysisResult): string[] =>
  statements.filter(({ code }) => code.startsWith('LEAD-REV')).map(({ text }) => text);

test.each([
  [['RA', 'LA'], 'Right and left arm electrodes may be reversed'],
  [['RA', 'LL'], 'Right arm and left leg electrodes may be reversed'],
  [['RA', 'RL'], 'Right arm and right leg electrodes may be reversed'],
  [['LA', 'RL'], 'Left arm and right leg electrodes may be reversed'],
  [['C1', 'C2'], 'Electrodes V1 and V2 may be reversed'],
  [['C2', 'C3'], 'Electrodes V2 and V3 may be reversed'],
  [['C1', 'C3'], 'Electrodes V1 and V3 may be reversed'],
  [['C1', 'C6'], 'Electrodes V1 and V6 may be reversed'],
] as const)('exchanged electrodes %j are named', (swapped, text) => {
  expect(exchangesIn(recorded(swapped))).toEqual([text]);
});

test('electrodes where they belong, and legs that are exchanged, are not spoken of', () => {
  expect(exchangesIn(recorded(undefined))).toEqual([]);
  expect(exchangesIn(recorded(undefined, 'afib'))).toEqual([]);
  expect(exchangesIn(recorded(['LL', 'RL']))).toEqual([]);
});

test('limb leads alone tell which of them are upside down', () => {
  expect(exchangesIn(recorded(undefined, 'sinus', LIMB_LEADS))).toEqual([]);
  expect(exchangesIn(recorded(['RA', 'LA'], 'sinus', LIMB_LEADS))).toEqual([
    'Right and left arm electrodes may be reversed',
  ]);
  expect(exchangesIn(recorded(['RA', 'LL'], 'sinus', LIMB_LEADS))).toEqual([
    'Right arm and left leg electrodes may be reversed',
  ]);
});

test('with chest electrodes exchanged, Q waves and voltages are not assessed, and no ECG is called normal', () => {
  const { notAssessed, statements } = recorded(['C2', 'C3']);
  expect(notAssessed).toContainEqual({ code: 'QWAVES', reason: 'electrodes' });
  expect(notAssessed).toContainEqual({ code: 'HYPERTROPHY', reason: 'electrodes' });
  expect(statements.map(({ code }) => code)).not.toContain('SUM-NORMAL');
});
