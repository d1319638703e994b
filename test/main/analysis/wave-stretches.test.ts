import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { simulatedPatient } from '../../support/simulated-patient.ts';
import { toRecording } from '../../support/synthetic-recording.ts';

const codesOf = (rhythm: 'vt' | 'vf', seconds: number): string[] =>
  analyse(toRecording(simulatedPatient({ rhythm, seconds }))).rhythms.map(({ code }) => code);

test('regular beats of one shape are tachycardia, however long, and no fibrillation', () => {
  const codes = codesOf('vt', 60);
  expect(codes).toContain('VT');
  expect(codes).not.toContain('VF');
});

test('fibrillation has no beats, and lasts until the end', () => {
  const { rhythms, beats, recording } = analyse(toRecording(simulatedPatient({ rhythm: 'vf', seconds: 60 })));
  const last = rhythms.findLast(({ code }) => code === 'VF');
  expect(recording.samples - (last?.endSample ?? 0)).toBeLessThanOrEqual(2 * recording.sampleRateHz);
  expect(beats.filter(({ sample }) => sample > (last?.startSample ?? 0))).toEqual([]);
});
