// A second P wave that lies on T: a 2:1 block must not read as sinus rhythm.

import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { findSecondP } from '../../../main/analysis/atria/second-p.ts';
import { synthesiseEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { inLongForm, someOf } from '../../support/long-form.ts';
import { completeBlock, junctional, twoToOneBlock } from '../../support/made-rhythms.ts';
import { simulatedPatient } from '../../support/simulated-patient.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

const ADULT = { patient: { ageYears: 50 } };
const SEEDS = someOf([1, 2, 3, 4], 2);

test.each([112, 130, 140, 150, 160])(
  'of a 2:1 block with %i P waves a minute, every second one on T, no sinus rhythm is stated, and why',
  (atrialBpm) => {
    for (const seed of SEEDS) {
      const { statements } = analyse(toRecording(twoToOneBlock(atrialBpm, { seed })), ADULT);
      expect(statements.map(({ text }) => text)).toEqual([
        `Rhythm not determined, ${atrialBpm / 2}/min: a second P wave may be hidden in the T wave (2:1 conduction)`,
      ]);
      expect(statements[0]?.evidence?.values.secondPLikeness).toBeGreaterThanOrEqual(0.8);
    }
  },
);

test.each([55, 65, 75, 85, 100, 105])(
  'sinus rhythm of %i/min is not taken for such a block, with and without noise',
  (heartRateBpm) => {
    for (const seed of SEEDS)
      for (const noiseUv of [2, 10, 20]) {
        const ecg = twelveLeads({ heartRateBpm, seed, noiseUv, durationSeconds: 10 });
        const texts = analyse(toRecording(ecg), ADULT).statements.map(({ text }) => text);
        expect(texts.join('; '), `seed ${seed}, ${noiseUv} µV`).not.toContain('second P wave');
      }
  },
);

test('where no P wave is proven, it is no reason', () => {
  for (const seed of SEEDS)
    for (const ecg of [junctional(60, { seed }), completeBlock(95, 42, { seed })]) {
      const texts = analyse(toRecording(ecg), ADULT).statements.map(({ text }) => text);
      expect(texts.join('; ')).not.toContain('second P wave');
    }
});

test('on a few leads T cannot be told from it', () => {
  const beat = { sampleRateHz: 500, fiducial: 175, rrMs: 800, memberCount: 8 };
  const marks = { pOnset: 50, pOffset: 100, qrsOffset: 190, isTTrusted: true };
  // The same edges at both places, on every lead.
  const lead = Float64Array.from({ length: 600 }, (_, i) =>
    (i > 60 && i < 90) || (i > 260 && i < 290) ? 0.1 : 0,
  );
  const found = (leads: number) =>
    findSecondP({ ...beat, leads: Array.from({ length: leads }, () => lead) }, marks);
  expect(found(8)).toBeCloseTo(1, 2);
  expect(found(7)).toBeUndefined();
});

test('no simulated patient with sinus rhythm is taken for such a block', () => {
  for (const noise of ['none', 'clean'] as const)
    for (const heartRateBpm of [65, 72, 85])
      for (const seed of inLongForm([1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8])) {
        const made = simulatedPatient({ rhythm: 'sinus', noise, seed, heartRateBpm });
        const codes = analyse(toRecording(made), ADULT).statements.map(({ code }) => code);
        expect(codes, `${noise}, ${heartRateBpm}/min, seed ${seed}`).toContain('RHY-SINUS');
      }
});

test('below 400 Hz a pacing spike may pass unseen: that is said, and no ECG is called normal', () => {
  const at = (sampleRateHz: number) =>
    analyse(
      toRecording(synthesiseEcg({ leads: STANDARD_LEADS, sampleRateHz, durationSeconds: 10, noiseUv: 5 })),
      ADULT,
    );
  expect(at(500).statements.map(({ code }) => code)).toContain('SUM-NORMAL');
  expect(at(500).notAssessed).toEqual([]);
  const slow = at(250);
  expect(slow.statements.map(({ code }) => code)).toEqual(['RHY-SINUS']);
  expect(slow.notAssessed).toEqual([{ code: 'PACING', reason: 'sampleRate' }]);
});
