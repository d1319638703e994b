// Pacing spikes: which are found, and that nothing is measured in them.

import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import type { SyntheticEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { junctional, rightBundleBlock } from '../../support/made-rhythms.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

/** So long before each R, of one sample or of more, which ring; smaller on some leads than on others. */
function withSpikes(
  ecg: SyntheticEcg,
  beforeMs: (beat: number) => number,
  heightUv: number,
  lengthMs = 1000 / ecg.sampleRateHz,
  ringing = 0.7,
): SyntheticEcg {
  const length = Math.round((lengthMs * ecg.sampleRateHz) / 1000);
  const samplesUv = ecg.samplesUv.map((samples, lead) => {
    const spiked = samples.slice();
    for (const [i, { sample }] of ecg.beats.entries()) {
      const at = sample - Math.round((beforeMs(i) * ecg.sampleRateHz) / 1000);
      for (let k = Math.max(0, at); k < at + length; k++)
        spiked[k] =
          (spiked[k] as number) + heightUv * (lead % 2 === 0 ? 1 : 0.4) * ((k - at) % 2 === 0 ? 1 : ringing);
    }
    return spiked;
  });
  return { ...ecg, samplesUv };
}

const codesOf = (ecg: SyntheticEcg): string[] => analyse(toRecording(ecg)).statements.map(({ code }) => code);
const spikeBeforeRMs = (ecg: SyntheticEcg): number =>
  analyse(toRecording(ecg)).statements.find(({ code }) => code === 'RHY-PACED')?.evidence?.values
    .spikeBeforeRMs ?? Number.NaN;
const wide = junctional(70, { beat: { qrsMs: 170 }, noiseUv: 4 });

test('a small spike at the same place before each wide beat is a pacemaker', () => {
  expect(codesOf(withSpikes(wide, () => 90, 120))).toContain('RHY-PACED');
  expect(codesOf(withSpikes(wide, () => 200, 120))).toContain('RHY-PACED');
});

test('so is a pulse of 30 ms that rings, and ends as sharply as it begins', () => {
  expect(codesOf(withSpikes(wide, () => 120, 400, 30))).toContain('RHY-PACED');
});

test('QRS begins behind the spike, and its level is that before the spike', () => {
  const beforeMs = 60;
  const spiked = withSpikes(wide, () => beforeMs, 500, 8);
  const [own, without] = [analyse(toRecording(spiked)), analyse(toRecording(wide))];
  expect(Math.abs((own.measurements.qrsMs ?? 0) - (without.measurements.qrsMs ?? 0))).toBeLessThanOrEqual(12);
  const spikes = spiked.beats.map(({ sample }) => sample - (beforeMs * spiked.sampleRateHz) / 1000);
  const onsets = (own.waves ?? []).flatMap(({ qrs }) => qrs?.[0] ?? []);
  expect(onsets.length).toBeGreaterThan(5);
  for (const onset of onsets) {
    const away = spikes.map((spike) => (1000 * (onset - spike)) / spiked.sampleRateHz);
    expect(away.some((ms) => ms >= 8 && ms <= 40)).toBe(true);
  }
  for (const [lead, { jMv }] of Object.entries(own.measurements.st ?? {}))
    expect(Math.abs(jMv - (without.measurements.st?.[lead]?.jMv ?? Number.NaN)), lead).toBeLessThan(0.03);
  expect(Object.keys(own.measurements.st ?? {})).toHaveLength(12);
  // The spike is measured by nobody, and seen by everybody.
  const heightUv = (leads: readonly { uv: readonly number[] }[] | undefined): number =>
    Math.max(...(leads?.[0]?.uv.slice(100, 160) ?? []));
  expect(heightUv(own.medianBeat?.leads) - heightUv(without.medianBeat?.leads)).toBeGreaterThan(200);
});

test.each([16, 24, 30])(
  'a flat pulse of %i ms shifts no ST, whichever of its ends is the sharper one',
  (lengthMs) => {
    for (const seed of [1, 2, 3, 4]) {
      const plain = junctional(70, { beat: { qrsMs: 170 }, noiseUv: 4, seed });
      const spiked = withSpikes(plain, () => 75, 500, lengthMs, 1);
      const [own, without] = [analyse(toRecording(spiked)), analyse(toRecording(plain))];
      expect(own.statements.map(({ code }) => code)).toEqual(['RHY-PACED']);
      const short = withSpikes(plain, () => 75, 500);
      expect(Math.abs(spikeBeforeRMs(spiked) - spikeBeforeRMs(short))).toBeLessThanOrEqual(6);
      for (const [lead, { jMv }] of Object.entries(own.measurements.st ?? {}))
        expect(Math.abs(jMv - (without.measurements.st?.[lead]?.jMv ?? Number.NaN)), lead).toBeLessThan(0.05);
    }
  },
);

test('the sharp r of a right bundle branch block is no spike, however quiet the line', () => {
  for (const noiseUv of [0, 1, 3]) {
    const codes = codesOf(rightBundleBlock(70, { noiseUv }));
    expect(codes).toContain('CON-RBBB');
    expect(codes).not.toContain('RHY-PACED');
  }
});

test('whoever draws sinus rhythm over it says that no pacemaker makes the beats', () => {
  const recording = toRecording(withSpikes(wide, () => 60, 500, 8));
  const episodes = [{ code: 'N' as const, startSample: 0, endSample: 5000 }];
  const { statements, measurements } = analyse(recording, { constraints: { episodes } });
  expect(statements.map(({ code }) => code)).not.toContain('RHY-PACED');
  // What was taken for a spike is a part of QRS.
  expect(measurements.qrsMs).toBeGreaterThan((analyse(recording).measurements.qrsMs ?? Number.NaN) + 8);
});

test('the statement holds how long before R the spikes stand', () => {
  const beforeMs = (ms: number): number => spikeBeforeRMs(withSpikes(wide, () => ms, 120));
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

test('a spike among narrow beats is stated as possible, be it the only one: no ECG with it is normal', () => {
  const narrow = twelveLeads({ noiseUv: 5 });
  const among = (...beats: number[]) =>
    analyse(
      toRecording(
        withSpikes(narrow, (beat) => (beats.includes(beat) ? 250 : Number.POSITIVE_INFINITY), 3000),
      ),
      { patient: { ageYears: 40, gender: 'FEMALE' } },
    ).statements;
  expect(among().map(({ code }) => code)).toEqual(['RHY-SINUS', 'SUM-NORMAL']);
  for (const statements of [among(3), among(3, 6)]) {
    expect(statements.map(({ code }) => code)).toEqual(['RHY-SINUS', 'RHY-PACESPIKES']);
    expect(statements[1]).toMatchObject({ certainty: 'possible' });
  }
});

test('where a pacemaker changes its place, the spike is said to be at one of them', () => {
  const minutes = junctional(70, {
    beat: { qrsMs: 170 },
    noiseUv: 4,
    seconds: 600,
    leads: STANDARD_LEADS.slice(0, 2),
  });
  const first = spikeBeforeRMs(withSpikes(minutes, () => 90, 120));
  const both = spikeBeforeRMs(
    withSpikes(minutes, (beat) => (beat < minutes.beats.length / 2 ? 90 : 200), 120),
  );
  expect(Math.min(Math.abs(both - first), Math.abs(both - first - 110))).toBeLessThanOrEqual(6);
});

test('wide beats without spikes, spikes at any place, and narrow beats are none', () => {
  expect(codesOf(wide)).not.toContain('RHY-PACED');
  expect(codesOf(withSpikes(wide, (beat) => 60 + ((beat * 37) % 200), 120))).not.toContain('RHY-PACED');
  for (const noiseUv of [0, 5, 30]) expect(codesOf(twelveLeads({ noiseUv }))).not.toContain('RHY-PACED');
  // As narrow as a newborn's.
  for (const qrsMs of [40, 50, 60])
    expect(codesOf(twelveLeads({ beat: { qrsMs }, heartRateBpm: 140 }))).not.toContain('RHY-PACED');
});
