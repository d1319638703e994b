// The second look at the detector's beats.

import { expect, test } from 'vitest';
import { verifyBeats } from '../../../main/analysis/beats/beat-verification.ts';
import type { DetectedBeat } from '../../../main/analysis/beats/detected-beat.ts';
import type { CoarseSet } from '../../../main/analysis/signal/lead-signals.ts';
import { gaussian, seededRandom } from '../../../main/signal/synthetic/random.ts';

const RATE_HZ = 250;
const SECONDS = 40;
const RR = 200;

interface Found {
  readonly set: CoarseSet;
  readonly beats: readonly DetectedBeat[];
  readonly extra: number;
}

/** Beats at 75/min, all alike, and behind every second one or so a lower deflection of some other width. */
function withExtraBeats(seed: number): Found {
  const random = seededRandom(seed);
  const sampleCount = SECONDS * RATE_HZ;
  const mv = new Float32Array(sampleCount).map(() => 0.02 * gaussian(random));
  const beats: DetectedBeat[] = [];
  const put = (sample: number, height: number, width: number): void => {
    for (let k = -40; k <= 40; k++)
      mv[sample + k] = (mv[sample + k] as number) + height * Math.exp(-((k / width) ** 2));
    beats.push({ sample, height: Math.abs(height) });
  };
  let extra = 0;
  for (let at = 100; at < sampleCount - RR; at += RR) {
    put(at, 1, 5);
    if (random() < 0.5) continue;
    put(
      at + 40 + Math.floor(110 * random()),
      (random() < 0.5 ? 1 : -1) * (0.3 + 0.5 * random()),
      3 + 12 * random(),
    );
    extra++;
  }
  const lead = { name: 'MDC_ECG_LEAD_II', isStandard: true, isShapeKnown: true, isScaleKnown: true };
  const set = { sampleRateHz: RATE_HZ, sampleCount, step: 1, leads: [{ ...lead, isCalibrated: true, mv }] };
  return { set, beats, extra };
}

test('once extra beats are taken out, a second look finds nothing more to take out', () => {
  let removed = 0;
  let extraInAll = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const { set, beats, extra } = withExtraBeats(seed);
    const fused = new Float32Array(set.sampleCount).fill(0.05);
    const verified = (of: readonly DetectedBeat[]) => verifyBeats(set, of, [], fused, [1]).beats;
    const once = verified(beats);
    expect(verified(once), `seed ${seed}`).toEqual(once);
    removed += beats.length - once.length;
    extraInAll += extra;
  }
  expect(removed).toBeGreaterThan(50);
  expect(removed).toBeLessThanOrEqual(extraInAll);
});
