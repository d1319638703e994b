// A second P wave that lies on T: a 2:1 block must not read as sinus rhythm.

import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { likenessOfSecondP } from '../../../main/analysis/second-p.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { synthesiseEcg } from '../../../shared/signal/synthetic/synthetic-ecg.ts';
import { twoToOneBlock } from '../../support/made-rhythms.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

const ADULT = { patient: { ageYears: 50 } };
const SEEDS = [1, 2, 3, 4];

test.each([112, 130, 140, 150, 160])(
  'of a 2:1 block with %i P waves a minute, every second one on T, no sinus rhythm is stated, and why',
  (atrialBpm) => {
    for (const seed of SEEDS) {
      const { statements } = analyse(toRecording(twoToOneBlock(atrialBpm, { seed })), ADULT);
      expect(statements.map(({ text }) => text)).toEqual([
        `Rhythm not determined, ${atrialBpm / 2}/min: a second P wave may be hidden in the T wave (2:1 conduction)`,
      ]);
      expect(statements[0]?.evidence?.values.secondPLikeness).toBeGreaterThanOrEqual(0.65);
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

test('on three leads it is seen as well; on one or two, T cannot be told from it', () => {
  const rhythmOn = (leads: typeof STANDARD_LEADS) =>
    analyse(toRecording(twoToOneBlock(150, { leads, noiseUv: 3 })), ADULT).statements[0]?.text;
  expect(rhythmOn(['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_III'])).toMatch(/second P wave/);
  const beat = { sampleRateHz: 500, fiducial: 175, rrMs: 800, memberCount: 8 };
  const marks = { pOnset: 50, pOffset: 100, qrsOffset: 190, isTTrusted: true };
  const leads = [new Float64Array(600), new Float64Array(600)];
  expect(likenessOfSecondP({ ...beat, leads }, marks)).toBeUndefined();
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
