// Where noise hides the beats nothing is claimed, and what is read beside it stays.

import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { gaussian, seededRandom } from '../../../main/signal/synthetic/random.ts';
import type { SyntheticEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import type { Recording } from '../../../shared/signal/recording.ts';
import { someOf } from '../../support/long-form.ts';
import { NOISE_KINDS, type NoiseKind, noisePiece } from '../../support/noise-pieces.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

/** Twelve leads at 500 Hz, loud enough to be no standstill. */
function noise(kind: NoiseKind, seconds: number, share = 0): SyntheticEcg {
  for (let index = NOISE_KINDS.indexOf(kind); ; index += NOISE_KINDS.length) {
    const { ecg, amplitudeUv, commonShare } = noisePiece(index, 1);
    const isLoud = amplitudeUv > 200 && commonShare === share;
    if (ecg.leads.length === 12 && ecg.sampleRateHz === 500 && isLoud) return noisePiece(index, seconds).ecg;
  }
}

const joined = (...parts: readonly SyntheticEcg[]): Recording =>
  toRecording({
    ...(parts[0] as SyntheticEcg),
    samplesUv: (parts[0] as SyntheticEcg).leads.map((_, lead) =>
      Float32Array.from(parts.flatMap(({ samplesUv }) => [...(samplesUv[lead] as Float32Array)])),
    ),
  });

const codesOf = ({ statements }: AnalysisResult): string[] => statements.map(({ code }) => code);
const unreadSeconds = ({ statements }: AnalysisResult): unknown =>
  statements.find(({ code }) => code === 'QUAL-UNREAD')?.values?.seconds;

describe.each(someOf(['white', 'random walk', 'muscle', 'mains', 'steps'] as const, 3))('%s', (kind) => {
  const all = [
    [180, 60, 0],
    [180, 60, 1],
    [120, 180, 0],
  ] as const;
  // Two kinds of noise in all three ways; the others in one.
  test.each(kind === 'white' || kind === 'steps' ? someOf(all, 2) : all.slice(0, 1))(
    'behind %d s of a heart, for %d s, a share of %d in all leads: the heart is read, and the noise is not',
    (clean, noisy, share) => {
      const result = analyse(joined(twelveLeads({ durationSeconds: clean }), noise(kind, noisy, share)));
      const end = 500 * clean;
      const before = result.beats.filter(({ sample }) => sample < end - 500);
      expect(Math.abs(before.length - 1.2 * (clean - 1))).toBeLessThanOrEqual(1);
      expect(before.every(({ label }) => label === 'N')).toBe(true);
      expect(result.beats.filter(({ sample }) => sample > end + 500).length).toBeLessThanOrEqual(2);
      expect(Math.abs(Number(unreadSeconds(result)) - noisy)).toBeLessThanOrEqual(5);
      expect(result.measurements.heartRateBpm).toBe(72);
      const claimed = [
        'RHY-AFIB',
        'RHY-AFIBPART',
        'RHY-VT',
        'RHY-NSVT',
        'RHY-VF',
        'RHY-ASYS',
        'RHY-PAUSE',
        'RHY-PACED',
      ];
      expect(codesOf(result).filter((code) => claimed.includes(code))).toEqual([]);
      const { startSample, endSample } = result.rhythms.find(
        (rhythm) => rhythm.code === 'UNK' && rhythm.startSample > end - 2500,
      )!;
      expect(Math.abs(endSample - startSample - 500 * noisy)).toBeLessThanOrEqual(2500);
    },
    60_000,
  );
});

test('where most is noise, the rest is read, and no rhythm or severity is claimed for the recording', () => {
  const result = analyse(joined(twelveLeads({ durationSeconds: 60 }), noise('muscle', 120)));
  expect(result.beats.length).toBeGreaterThanOrEqual(71);
  expect(codesOf(result)).toEqual(expect.arrayContaining(['RHY-UNDET', 'QUAL-UNREAD']));
  expect(codesOf(result)).not.toContain('RHY-SINUS');
  expect(result.severity).toBeUndefined();
});

test('statements without a place of their own name what was read', () => {
  const result = analyse(joined(twelveLeads({ durationSeconds: 180 }), noise('white', 60)));
  const sinus = result.statements.find(({ code }) => code === 'RHY-SINUS');
  const [[start, end] = [], ...others] = sinus?.evidence?.ranges ?? [];
  expect(others).toEqual([]);
  expect(start).toBe(0);
  expect(Math.abs(Number(end) - 90_000)).toBeLessThan(1500);
  const base = result.rhythms.filter(({ code }) => code === 'N');
  expect(base.map(({ endSample }) => endSample)).toEqual([end]);
});

test('one minute of noise between two of a heart breaks the intervals, and makes no pause', () => {
  const heart = twelveLeads({ durationSeconds: 120 });
  const result = analyse(joined(heart, noise('white', 60), heart));
  expect(codesOf(result)).not.toContain('RHY-PAUSE');
  expect(result.measurements.rrMaxMs).toBeLessThan(900);
  expect(Number(unreadSeconds(result))).toBeGreaterThan(50);
}, 60_000);

test.each([0, 35, 50])(
  'a standstill of the ventricles in noise of %d µV is a pause, not noise',
  (noiseUv) => {
    const random = seededRandom(5);
    const result = analyse(
      toRecording(twelveLeads({ durationSeconds: 60 }), (raw) => {
        for (let i = 15_000; i < 17_500; i++)
          raw[i] = Math.round(150 * Math.exp(-0.5 * (((i % 400) - 200) / 15) ** 2));
        for (let i = 0; i < raw.length; i++)
          raw[i] = (raw[i] as number) + Math.round(noiseUv * gaussian(random));
      }),
    );
    expect(codesOf(result)).toContain('RHY-PAUSE');
    expect(codesOf(result)).not.toContain('QUAL-UNREAD');
    expect(result.severity).toBe('CRITICAL');
  },
);

/** Sinus rhythm of five minutes with wide regular beats from one second to another. */
function withWideBeats(from: number, to: number, bpm: number, amplitudeUv: number, widthSamples: number) {
  const period = (500 * 60) / bpm;
  return toRecording(twelveLeads({ durationSeconds: 300 }), (raw, lead) => {
    const gain = amplitudeUv * (0.3 + 0.7 * Math.cos(0.7 * STANDARD_LEADS.indexOf(lead)));
    for (let i = 500 * from; i < 500 * to; i++) {
      const phase = ((i - 500 * from) % period) - 0.4 * period;
      const qrs = Math.exp(-0.5 * (phase / (widthSamples / 2)) ** 2);
      const t = Math.exp(-0.5 * ((phase - 0.35 * period) / widthSamples) ** 2);
      raw[i] = Math.round(gain * (qrs - 0.5 * t));
    }
  });
}

// A tachycardia leaves no rest between its beats, as noise does not: it must never be taken for noise.
const TACHYCARDIAS = [
  [60, 300, 220, 1500, 30],
  [120, 300, 230, 2500, 40],
  [90, 300, 200, 1500, 45],
  [60, 240, 210, 1200, 25],
  [120, 180, 200, 1500, 45],
  [120, 180, 220, 1000, 30],
] as const;
test.each(someOf(TACHYCARDIAS, 2))(
  'minutes of ventricular tachycardia are read: %d to %d s, %d/min',
  (from, to, bpm, amplitudeUv, width) => {
    const result = analyse(withWideBeats(from, to, bpm, amplitudeUv, width));
    expect(codesOf(result)).toContain('RHY-VT');
    expect(codesOf(result)).not.toContain('QUAL-UNREAD');
    const tachycardia = result.rhythms.filter(({ code }) => code === 'VT');
    const seconds =
      tachycardia.reduce((sum, { startSample, endSample }) => sum + endSample - startSample, 0) / 500;
    expect(seconds).toBeGreaterThan(0.9 * (to - from));
  },
);

test('a slow escape rhythm of wide low beats is read', () => {
  const result = analyse(withWideBeats(240, 300, 40, 600, 70));
  expect(result.beats.filter(({ sample }) => sample > 120_000).length).toBeGreaterThanOrEqual(39);
  expect(codesOf(result)).not.toContain('QUAL-UNREAD');
});

test('beats of an eighth of the usual height are still beats', () => {
  const result = analyse(
    toRecording(twelveLeads({ durationSeconds: 60 }), (raw) => {
      for (let i = 15_000; i < raw.length; i++) raw[i] = Math.round((raw[i] as number) / 8);
    }),
  );
  expect(Math.abs(result.beats.length - 71)).toBeLessThanOrEqual(1);
  expect(codesOf(result)).not.toContain('RHY-PAUSE');
});

test('spikes by the dozen are noise; three a beat at 140/min are a pacemaker', () => {
  const heart = twelveLeads({ durationSeconds: 60 });
  const spiky = toRecording(heart, (raw) => {
    for (let i = 15_000; i < 20_000; i += 25) raw[i] = (raw[i] as number) + 2000;
  });
  expect(codesOf(analyse(spiky)).filter((code) => code.includes('PACE'))).toEqual([]);
  const fast = twelveLeads({ durationSeconds: 60, heartRateBpm: 140 });
  const paced = toRecording(fast, (raw) => {
    for (const { sample } of fast.beats)
      for (const before of [90, 30, 15]) {
        const at = Math.round(sample) - before;
        if (at > 0) raw[at] = (raw[at] as number) + 2500;
      }
  });
  expect(codesOf(analyse(paced))).toContain('RHY-PACED');
});
