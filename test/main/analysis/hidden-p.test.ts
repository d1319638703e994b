// P waves that the network passes over, as it does before wide QRS and far ahead of it: its scores of P are lowered here.

import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { productNetwork } from '../../../main/analysis/waves/product-network.ts';
import { SCORES, type WaveScores } from '../../../main/analysis/waves/wave-network.ts';
import type { SyntheticEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
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

test('P on three chest leads alone, before a wide QRS; not on two', () => {
  const made = twelveLeads({ heartRateBpm: 70, durationSeconds: 10, beat: { ...WIDE, prMs: undefined } });
  const withPOn = (leads: RegExp): AnalysisResult =>
    analyse(
      toRecording(made, (raw, lead) => {
        if (!leads.test(lead)) return;
        for (const { sample } of made.beats)
          for (let k = 0; k < 50; k++)
            raw[sample - 150 + k] =
              raw[sample - 150 + k]! + Math.round(100 * (1 - Math.cos((Math.PI * k) / 25)));
      }),
    );
  const onThree = withPOn(/_V[123]$/);
  expect(saysSinus(onThree)).toBe(true);
  expect(onThree.statements.map(({ code }) => code)).toContain('AVB-1');
  expect(saysSinus(withPOn(/_V[12]$/))).toBe(false);
});

test('P that begins on the end of T; its height is not measured there', () => {
  for (const prMs of [365, 385]) {
    const result = blind(twelveLeads({ heartRateBpm: 75, beat: { ...WIDE, prMs } }));
    expect(saysSinus(result), `${prMs} ms`).toBe(true);
    expect(Math.abs(result.measurements.prMs! - prMs), `${prMs} ms`).toBeLessThanOrEqual(30);
    const chambers = result.assessments.filter(({ code }) => code === 'CHA-RAE' || code === 'CHA-LAE');
    expect(
      chambers.map(({ outcome }) => outcome),
      `${prMs} ms`,
    ).toEqual(['notAssessed', 'notAssessed']);
  }
});

test('not where the network is sure that there is none, nor on one lead', () => {
  const options = { heartRateBpm: 70, beat: { ...WIDE, prMs: 240 } } as const;
  expect(saysSinus(blind(twelveLeads(options), 5))).toBe(false);
  expect(saysSinus(blind(twelveLeads({ ...options, leads: ['MDC_ECG_LEAD_II'] })))).toBe(false);
});

/** One recording behind the other. */
function joined(first: SyntheticEcg, second: SyntheticEcg): SyntheticEcg {
  const shift = first.samplesUv[0]!.length;
  return {
    ...first,
    samplesUv: first.samplesUv.map((samples, lead) =>
      Float32Array.of(...samples, ...second.samplesUv[lead]!),
    ),
    beats: [...first.beats, ...second.beats.map(({ sample, label }) => ({ sample: sample + shift, label }))],
  };
}

test.each([
  [55, 25],
  [70, 25],
  [60, 16],
])('%i s of sinus rhythm before %i s of atrial fibrillation hide none of it', (sinus, fibrillation) => {
  const beat = { ...WIDE, prMs: 240 };
  const ecg = joined(
    twelveLeads({ heartRateBpm: 70, durationSeconds: sinus, beat }),
    twelveLeads({ heartRateBpm: 70, durationSeconds: fibrillation, beat, rhythm: 'afib', seed: 3 }),
  );
  const { statements } = blind(ecg);
  const { statements: without } = blind(ecg, 5);
  const isFibrillation = ({ code }: { code: string }): boolean => code.startsWith('RHY-AFIB');
  expect(statements.some(isFibrillation)).toBe(without.some(isFibrillation));
  expect(statements.map(({ code }) => code)).not.toContain('RHY-SINUS');
});

test('no P begins before the recording, on T, or where a person says that there is none', () => {
  const options = { heartRateBpm: 70, beat: { ...WIDE, prMs: 240 } } as const;
  const made = twelveLeads(options);
  const cut = made.beats[1]!.sample - 100;
  const later = {
    ...made,
    samplesUv: made.samplesUv.map((samples) => samples.slice(cut)),
    beats: made.beats.slice(1).map(({ sample, label }) => ({ sample: sample - cut, label })),
  };
  const waves = blind(later).waves!;
  expect(waves.filter(({ p }) => p !== undefined).length).toBeGreaterThan(8);
  expect(waves.every(({ p }) => p === undefined || p[0] >= 0)).toBe(true);
  for (const prMs of [405, 430]) {
    const ecg = twelveLeads({ heartRateBpm: 75, beat: { ...WIDE, prMs } });
    const result = blind(ecg);
    expect(result.statements.map(({ code }) => code)).toEqual(
      blind(ecg, 9).statements.map(({ code }) => code),
    );
  }
  const told = analyse(toRecording(made), {
    network: blindToP(2),
    constraints: { marksMs: { pOnset: null } },
  });
  expect(told.waves!.every(({ p }) => p === undefined)).toBe(true);
});

test('wide beats without P waves, and flutter, stay what they are', () => {
  for (const bpm of [40, 58, 76, 94])
    expect(saysSinus(blind(junctional(bpm, { seed: bpm, beat: WIDE })))).toBe(false);
  for (const ratio of [2, 3, 4])
    expect(saysSinus(blind(flutter(280, ratio, { seed: ratio, beat: { qrsMs: 130, qtMs: 380 } })))).toBe(
      false,
    );
});
