// Pacing spikes that are too small to be told one by one.

import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import type { SyntheticEcg } from '../../../shared/signal/synthetic/synthetic-ecg.ts';
import { junctional } from '../../support/made-rhythms.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

/** One sample so long before each R, smaller on some leads than on others. */
function withSpikes(ecg: SyntheticEcg, beforeMs: (beat: number) => number, heightUv: number): SyntheticEcg {
  const samplesUv = ecg.samplesUv.map((samples, lead) => {
    const spiked = samples.slice();
    for (const [i, { sample }] of ecg.beats.entries()) {
      const at = sample - Math.round((beforeMs(i) * ecg.sampleRateHz) / 1000);
      if (at >= 0) spiked[at] = (spiked[at] as number) + heightUv * (lead % 2 === 0 ? 1 : 0.4);
    }
    return spiked;
  });
  return { ...ecg, samplesUv };
}

const codesOf = (ecg: SyntheticEcg): string[] => analyse(toRecording(ecg)).statements.map(({ code }) => code);
const wide = junctional(70, { beat: { qrsMs: 170 }, noiseUv: 4 });

test('a small spike at the same place before each wide beat is a pacemaker', () => {
  expect(codesOf(withSpikes(wide, () => 90, 120))).toContain('RHY-PACED');
  expect(codesOf(withSpikes(wide, () => 200, 120))).toContain('RHY-PACED');
});

test('the statement holds how long before R the spikes stand', () => {
  const beforeMs = (ms: number): number =>
    analyse(toRecording(withSpikes(wide, () => ms, 120))).statements.find(({ code }) => code === 'RHY-PACED')
      ?.evidence?.values.smallSpikeBeforeRMs ?? Number.NaN;
  expect(Math.abs(beforeMs(200) - beforeMs(90) - 110)).toBeLessThanOrEqual(6);
});

test('spikes that stand out one by one are in the result, each at its sample', () => {
  const spiked = withSpikes(wide, () => 90, 3000);
  const { paceSpikes = [] } = analyse(toRecording(spiked));
  const expected = spiked.beats.map(({ sample }) => sample - Math.round(0.09 * spiked.sampleRateHz));
  const within = expected.filter((at) => at >= 0);
  const found = within.filter((at) => paceSpikes.some((spike) => Math.abs(spike - at) <= 2));
  expect(found.length).toBeGreaterThanOrEqual(within.length - 1);
  expect(paceSpikes.length).toBeLessThanOrEqual(within.length);
  expect(analyse(toRecording(wide)).paceSpikes).toBeUndefined();
});

test('wide beats without spikes, spikes at any place, and narrow beats are none', () => {
  expect(codesOf(wide)).not.toContain('RHY-PACED');
  expect(codesOf(withSpikes(wide, (beat) => 60 + ((beat * 37) % 200), 120))).not.toContain('RHY-PACED');
  for (const noiseUv of [0, 5, 30]) expect(codesOf(twelveLeads({ noiseUv }))).not.toContain('RHY-PACED');
});
