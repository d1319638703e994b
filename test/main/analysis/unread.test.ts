// Where noise hides the beats nothing is claimed, and what is read beside it stays.

import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import type { Recording } from '../../../shared/signal/recording.ts';
import type { SyntheticEcg } from '../../../shared/signal/synthetic/synthetic-ecg.ts';
import { NOISE_KINDS, type NoiseKind, noisePiece } from '../../support/noise-pieces.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

/** Twelve leads at 500 Hz, loud enough to be no standstill. */
function noise(kind: NoiseKind, seconds: number): SyntheticEcg {
  for (let index = NOISE_KINDS.indexOf(kind); ; index += NOISE_KINDS.length) {
    const { ecg, amplitudeUv } = noisePiece(index, 1);
    if (ecg.leads.length === 12 && ecg.sampleRateHz === 500 && amplitudeUv > 200)
      return noisePiece(index, seconds).ecg;
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

describe.each(['white', 'random walk', 'muscle', 'mains', 'steps'] as const)('%s', (kind) => {
  test.each([
    [180, 60],
    [120, 180],
  ])(
    'behind %d s of a heart, for %d s: the heart is read, and the noise is not',
    (clean, noisy) => {
      const result = analyse(joined(twelveLeads({ durationSeconds: clean }), noise(kind, noisy)));
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
      const { startSample, endSample } = result.rhythms.find(({ code }) => code === 'UNK')!;
      expect(Math.abs(endSample - startSample - 500 * noisy)).toBeLessThanOrEqual(2500);
    },
    60_000,
  );
});

test('one minute of noise between two of a heart breaks the intervals, and makes no pause', () => {
  const heart = twelveLeads({ durationSeconds: 120 });
  const result = analyse(joined(heart, noise('white', 60), heart));
  expect(codesOf(result)).not.toContain('RHY-PAUSE');
  expect(result.measurements.rrMaxMs).toBeLessThan(900);
  expect(Number(unreadSeconds(result))).toBeGreaterThan(50);
}, 60_000);

describe('ventricles that stand still while the atria go on', () => {
  /** P waves of 0.15 mV alone from `from` to `to`, in seconds. */
  const small = (from: number, to: number): AnalysisResult =>
    analyse(
      toRecording(twelveLeads({ durationSeconds: 60 }), (raw) => {
        for (let i = 500 * from; i < 500 * to; i++)
          raw[i] = Math.round(150 * Math.exp(-0.5 * (((i % 400) - 200) / 15) ** 2));
      }),
    );

  test('are a pause between beats, not noise', () => {
    const result = small(30, 42);
    const found = codesOf(result);
    expect(found.some((code) => code === 'RHY-PAUSE' || code === 'RHY-ASYS')).toBe(true);
    expect(found).not.toContain('QUAL-UNREAD');
    expect(result.severity).toBe('CRITICAL');
  });

  test('are told at the end of a recording as well', () => {
    const found = codesOf(small(48, 60));
    expect(found.some((code) => code === 'QUAL-UNREAD' || code === 'RHY-ASYS')).toBe(true);
  });
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

test('spikes by the dozen are noise, not a pacemaker', () => {
  const heart = twelveLeads({ durationSeconds: 60 });
  const spiky = toRecording(heart, (raw) => {
    for (let i = 15_000; i < 20_000; i += 25) raw[i] = (raw[i] as number) + 2000;
  });
  expect(codesOf(analyse(spiky)).filter((code) => code.includes('PACE'))).toEqual([]);
  const paced = toRecording(heart, (raw) => {
    for (let i = 15_000; i < 20_000; i += 500) raw[i] = (raw[i] as number) + 2000;
  });
  expect(codesOf(analyse(paced))).toContain('RHY-PACESPIKES');
});
