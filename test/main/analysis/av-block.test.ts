// P waves that are not conducted: AV block by name, and what only looks like one.

import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { avConduction } from '../../../main/analysis/rhythm/av-conduction.ts';
import type { Rhythm } from '../../../main/device/simulator/rhythms.ts';
import type { Beat } from '../../../shared/analysis-result.ts';
import { completeBlock, flutter, junctional, twoToOneBlock } from '../../support/made-rhythms.ts';
import { simulatedPatient } from '../../support/simulated-patient.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

const RATE_HZ = 500;
type Ecg = Parameters<typeof toRecording>[0];
const blockOf = (ecg: Ecg) =>
  analyse(toRecording(ecg)).statements.find(({ code }) => code.startsWith('AVB-') && code !== 'AVB-1');
const codeOf = (ecg: Ecg): string | undefined => blockOf(ecg)?.code;

test.each([
  ['mobitz1', 'AVB-W', 'MODERATE', 72],
  ['mobitz2', 'AVB-M2', 'IMPORTANT', 72],
  ['avb3', 'AVB-3', 'CRITICAL', 85],
] as [Rhythm, string, string, number][])(
  '%s of the simulated heart is %s',
  (rhythm, code, severity, atrial) => {
    const block = blockOf(simulatedPatient({ rhythm }));
    expect(block).toMatchObject({ code, severity, certainty: 'probable' });
    expect(Math.abs((block?.evidence?.values.atrialBpm ?? 0) - atrial)).toBeLessThanOrEqual(2);
  },
);

test('a block takes the place of "not determined"; each interval with a blocked P is shown', () => {
  const result = analyse(toRecording(simulatedPatient({ rhythm: 'mobitz2' })));
  expect(result.statements.map(({ code }) => code)).not.toContain('RHY-UNDET');
  expect(result.statements[0]?.text).toBe(
    'Probable second-degree AV block, type II: atria 72/min, ventricles 50/min',
  );
  const { ranges = [] } = result.statements[0]?.evidence ?? {};
  expect(ranges.map(([start, end]) => Math.round((10 * (end - start)) / RATE_HZ))).toEqual([17, 17, 17]);
});

test('the shape of escaping beats is no bundle branch block', () => {
  const { statements, assessments } = analyse(toRecording(simulatedPatient({ rhythm: 'avb3' })));
  expect(statements.filter(({ code }) => /^(CON|CHA|ISC)-/.test(code))).toEqual([]);
  for (const code of ['CHA-LVH', 'ISC-STEMI', 'ISC-QMI', 'CON-LBBB', 'CON-RBBB'])
    expect(assessments).toContainEqual({ code, outcome: 'notAssessed', reason: 'rhythm' });
});

test('2:1 and complete block of made hearts', () => {
  for (const atrial of [60, 72, 80]) expect(codeOf(twoToOneBlock(atrial, { seed: atrial }))).toBe('AVB-21');
  const complete = [60, 70, 80, 90].map((atrial) => codeOf(completeBlock(atrial, 38, { seed: atrial + 38 })));
  expect(complete.filter((code) => code === 'AVB-3').length).toBeGreaterThanOrEqual(2);
  expect(complete.every((code) => code === 'AVB-3' || code === undefined)).toBe(true);
});

test('no block: sinus rhythm, long PR, pauses, fibrillation, ectopic beats, flutter, junctional rhythm', () => {
  for (const rhythm of ['sinus', 'avb1', 'pause', 'afib', 'pvc', 'bigeminy', 'lbbb'] as const)
    expect([rhythm, codeOf(simulatedPatient({ rhythm }))]).toEqual([rhythm, undefined]);
  for (const ratio of [2, 3, 4]) expect(codeOf(flutter(280, ratio))).toBeUndefined();
  for (const bpm of [45, 60, 90]) expect(codeOf(junctional(bpm))).toBeUndefined();
});

test('where QRS stays away at the beginning or the end, a recording is no sinus rhythm and not normal', () => {
  const ecg = twelveLeads({ durationSeconds: 10 });
  const beats = ecg.beats.map(({ sample }) => sample);
  for (const [from, to] of [
    [(beats.at(-4) ?? 0) + 250, ecg.samplesUv[0]?.length ?? 0],
    [0, (beats[3] ?? 0) - 150],
  ] as const) {
    const silent = ecg.samplesUv.map((samples) => samples.slice().fill(0, from, to));
    const { statements } = analyse(toRecording({ ...ecg, samplesUv: silent }), {
      patient: { gender: 'MALE', ageYears: 50 },
    });
    expect(statements.map(({ code }) => code).filter((code) => /SINUS|SBRADY|NORMAL/.test(code))).toEqual([]);
  }
});

test('it is not assessed where P waves are not known, and absent in sinus rhythm', () => {
  const outcomeOf = (ecg: Ecg) => analyse(toRecording(ecg)).assessments.find(({ code }) => code === 'AVB-3');
  expect(outcomeOf(simulatedPatient({ rhythm: 'sinus' }))).toMatchObject({ outcome: 'absent' });
  expect(outcomeOf(simulatedPatient({ rhythm: 'afib' }))).toMatchObject({
    outcome: 'notAssessed',
    reason: 'rhythm',
  });
});

/** Times in seconds. */
const conductionOf = (pWaves: readonly number[], rs: readonly number[], labels = '') =>
  avConduction(
    pWaves.map((at) => at * RATE_HZ),
    rs.map(
      (at, i): Beat => ({ sample: Math.round(at * RATE_HZ), label: (labels[i] as Beat['label']) ?? 'N' }),
    ),
    0.04 * RATE_HZ,
    { sampleRateHz: RATE_HZ, sampleCount: 20 * RATE_HZ, gaps: [] },
  )?.kind;
const every = (step: number, count: number, from = 0.3): number[] =>
  Array.from({ length: count }, (_, i) => from + step * i);

test('how P waves are conducted, by their times', () => {
  const ps = every(0.8, 12);
  const after = (prs: readonly (number | undefined)[]): number[] =>
    ps.flatMap((p, i) => {
      const pr = prs[i % prs.length];
      return pr === undefined ? [] : [p + pr];
    });
  expect(conductionOf(ps, after([0.16]))).toBeUndefined();
  expect(conductionOf(ps, after([0.16, 0.22, 0.26, undefined]))).toBe('wenckebach');
  expect(conductionOf(ps, after([0.16, 0.16, undefined]))).toBe('mobitz2');
  expect(conductionOf(ps, after([0.16, undefined]))).toBe('twoToOne');
  expect(conductionOf(ps, after([0.16, undefined, undefined]))).toBe('advanced');
  expect(conductionOf(ps, every(1.43, 7, 0.5))).toBe('complete');
});

test('an early P wave that is not conducted is no block, nor is one around an ectopic beat', () => {
  const ps = every(0.8, 12);
  const rs = ps.map((p) => p + 0.16);
  const early = [...ps.slice(0, 6), 4.3, ...ps.slice(6).map((p) => p + 0.4)].sort((a, b) => a - b);
  expect(conductionOf(early, [...rs.slice(0, 6), ...rs.slice(6).map((r) => r + 0.4)])).toBeUndefined();
  const ectopic = rs.map((r, i) => (i === 5 ? r - 0.3 : r));
  expect(conductionOf(ps, ectopic, 'NNNNNVNNNNNN')).toBeUndefined();
  // Beats that do not come later where a P wave seems to be blocked are conducted by another one.
  expect(
    conductionOf(
      [...ps, 2.3].sort((a, b) => a - b),
      rs,
    ),
  ).toBeUndefined();
});
