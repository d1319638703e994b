// P waves that the network passes over, as it does before wide QRS and far ahead of it: its scores of P are lowered here.

import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { productNetwork } from '../../../main/analysis/waves/find-waves.ts';
import { SCORES, type WaveScores } from '../../../main/analysis/waves/wave-network.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import type { SyntheticEcg } from '../../../shared/signal/synthetic/synthetic-ecg.ts';
import { flutter, junctional } from '../../support/made-rhythms.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';
import { saysSinus } from './labelled-table.ts';

const P = 1;

/** The product's network, whose P falls behind the best of the others by so much wherever it is ahead. */
const blindToP = (by: number): WaveScores => ({
  scores: (lead) => {
    const scores = productNetwork().scores(lead).slice();
    for (let at = 0; at < scores.length; at += SCORES) {
      const others = Math.max(scores[at]!, scores[at + 2]!, scores[at + 3]!);
      const ahead = scores[at + P]! - others;
      if (ahead > -by) scores[at + P] = others - by + Math.tanh(ahead + by);
    }
    return scores;
  },
});

const blind = (ecg: SyntheticEcg, by = 2): AnalysisResult =>
  analyse(toRecording(ecg), { network: blindToP(by) });
const WIDE = { qrsMs: 150, qtMs: 430 };

/** Lowered scores rise less steeply, which moves the edges outwards. */
const TOLERANCE_MS = 20;

test.each([180, 240, 300])('P %i ms ahead of a wide QRS', (prMs) => {
  const result = blind(twelveLeads({ heartRateBpm: 70, beat: { ...WIDE, prMs } }));
  expect(saysSinus(result)).toBe(true);
  expect(Math.abs(result.measurements.prMs! - prMs)).toBeLessThanOrEqual(TOLERANCE_MS);
  expect(result.statements.some(({ code }) => code === 'AVB-1')).toBe(prMs > 210);
  expect(result.waves!.filter(({ p }) => p !== undefined).length).toBeGreaterThanOrEqual(9);
});

test('P far ahead of a narrow QRS; not at the usual distance, where flutter waves are passed over as well', () => {
  expect(saysSinus(blind(twelveLeads({ heartRateBpm: 65, beat: { prMs: 260 } })))).toBe(true);
  expect(saysSinus(blind(twelveLeads({ heartRateBpm: 65, beat: { prMs: 150 } })))).toBe(false);
});

test('not where the network is sure that there is none, nor on one lead', () => {
  const options = { heartRateBpm: 70, beat: { ...WIDE, prMs: 240 } } as const;
  expect(saysSinus(blind(twelveLeads(options), 5))).toBe(false);
  expect(saysSinus(blind(twelveLeads({ ...options, leads: ['MDC_ECG_LEAD_II'] })))).toBe(false);
});

test('wide beats without P waves, and flutter, stay what they are', () => {
  for (const bpm of [40, 58, 76, 94])
    expect(saysSinus(blind(junctional(bpm, { seed: bpm, beat: WIDE })))).toBe(false);
  for (const ratio of [2, 3, 4])
    expect(saysSinus(blind(flutter(280, ratio, { seed: ratio, beat: { qrsMs: 130, qtMs: 380 } })))).toBe(
      false,
    );
});
