// The live analysis against the simulated heart, whose beats are known.

import { describe, expect, test } from 'vitest';
import {
  LEAD_WIRING,
  type NoiseLevel,
  SimulatedElectrodes,
} from '../../../main/device/simulator/electrodes.ts';
import type { Rhythm } from '../../../main/device/simulator/rhythms.ts';
import { LiveAnalysis } from '../../../main/signal/live/live-analysis.ts';
import { gaussian, seededRandom } from '../../../main/signal/synthetic/random.ts';
import { ELECTRODES, type Electrode } from '../../../shared/signal/electrode.ts';
import type { LeadCode } from '../../../shared/signal/lead.ts';

const LEADS = ['I', 'II', 'V1', 'V2', 'V5', 'V6'];
const LSB_UV = 0.5;
const RATE_HZ = 500;

interface Played {
  readonly live: LiveAnalysis;
  readonly found: readonly number[];
  readonly truth: readonly number[];
}

function play(
  rhythm: Rhythm,
  seconds: number,
  {
    noise = 'clean' as NoiseLevel,
    rateHz = RATE_HZ,
    swapArms = false,
    heartRateBpm = undefined as number | undefined,
  } = {},
): Played {
  const electrodes = new SimulatedElectrodes({ rhythm, rateHz, noise, mainsHz: 50, seed: 5, heartRateBpm });
  const live = new LiveAnalysis({
    rateHz,
    leadCodes: LEADS.map((name) => `MDC_ECG_LEAD_${name}` as LeadCode),
    lsbUv: LSB_UV,
  });
  const found = new Set<number>();
  const piece = Math.round(rateHz / 25);
  for (let at = 0; at < seconds * rateHz; at += piece) {
    const potentials = electrodes.next(piece);
    const of = (electrode: Electrode): Float64Array => {
      const swapped = !swapArms
        ? electrode
        : electrode === 'RA'
          ? 'LA'
          : electrode === 'LA'
            ? 'RA'
            : electrode;
      return potentials[ELECTRODES.indexOf(swapped)]!;
    };
    const leads = LEADS.map((name) =>
      Int32Array.from({ length: piece }, (_, i) =>
        Math.round(
          (LEAD_WIRING[name]!.reduce(
            (sum, [electrode, weight]) => sum + weight * of(electrode)[i]!,
            0,
          ) as number) / LSB_UV,
        ),
      ),
    );
    live.push({ firstSample: at, leads, isAfterGap: false, saturated: 0 });
    for (const beat of live.findings().beatSamples) found.add(beat);
  }
  const truth = electrodes.heart
    .takeBeats()
    .map(({ sample }) => sample)
    .filter((sample) => sample > 3 * rateHz && sample < (seconds - 1) * rateHz);
  return { live, found: [...found].sort((a, b) => a - b), truth };
}

describe.each([
  ['sinus', 'clean'],
  ['sinus', 'normal'],
  ['afib', 'clean'],
  ['pvc', 'clean'],
  ['bigeminy', 'clean'],
  ['vt', 'clean'],
  ['lbbb', 'clean'],
  ['paced', 'clean'],
  ['stemi-anterior', 'clean'],
  ['avb3', 'clean'],
] as const)('%s, %s', (rhythm, noise) => {
  test.each([250, 500, 1000])('beats are found at %i Hz', (rateHz) => {
    const { found, truth } = play(rhythm, 60, { noise, rateHz });
    const reach = 0.15 * rateHz;
    const missed = truth.filter((beat) => !found.some((each) => Math.abs(each - beat) < reach));
    const settled = found.filter((beat) => beat > 3 * rateHz && beat < 59 * rateHz);
    const false_ = settled.filter((beat) => !truth.some((each) => Math.abs(each - beat) < reach));
    expect(
      [missed.length <= 0.05 * truth.length, false_.length <= 0.05 * truth.length],
      `missed ${missed.length}, false ${false_.length} of ${truth.length}`,
    ).toEqual([true, true]);
  });
});

test('the heart rate is that of the heart, and there is none without beats', () => {
  for (const bpm of [45, 72, 140]) {
    const { heartRateBpm } = play('sinus', 20, { heartRateBpm: bpm }).live.findings();
    expect(Math.abs(heartRateBpm! - bpm)).toBeLessThanOrEqual(0.06 * bpm);
  }
  const stopped = play('asystole', 20).live.findings();
  expect(stopped.heartRateBpm).toBeUndefined();
  expect(stopped.noRateReason).toBeTruthy();
});

test('an old rate is never shown: without beats it goes within four seconds', () => {
  const { live } = play('sinus', 15);
  expect(live.findings().heartRateBpm).toBeDefined();
  const flat = LEADS.map(() => new Int32Array(RATE_HZ * 5));
  live.push({ firstSample: 15 * RATE_HZ, leads: flat, isAfterGap: false, saturated: 0 });
  expect(live.findings()).toMatchObject({ noRateReason: 'noSignal' });
});

test('a reason that the link knows goes before all', () => {
  const { live } = play('sinus', 15);
  expect(live.findings('leadOff')).toMatchObject({ noRateReason: 'leadOff' });
  expect(live.findings('leadOff').heartRateBpm).toBeUndefined();
});

test('arms that are exchanged are seen, and only then', () => {
  expect(play('sinus', 15, { swapArms: true }).live.findings().limbOrder).toBe('doubtful');
  for (const rhythm of ['sinus', 'lbbb', 'afib', 'stemi-inferior'] as const)
    expect(play(rhythm, 15).live.findings().limbOrder).toBe('plausible');
});

test('of the next patient nothing is said that was seen of the one before', () => {
  const { live } = play('sinus', 15, { swapArms: true });
  live.markPace(100);
  live.forget();
  const { quality, ...said } = live.findings();
  expect(new Set(quality)).toEqual(new Set(['pending']));
  expect(said).toEqual({ noRateReason: 'starting', beatSamples: [], paceSamples: [] });
});

test('before enough has come nothing is said of the leads: neither that they are bad nor that they are right', () => {
  const { quality, limbOrder } = play('sinus', 1).live.findings();
  expect(new Set(quality)).toEqual(new Set(['pending']));
  expect(limbOrder).toBeUndefined();
});

test('quality has words for it', () => {
  expect(new Set(play('sinus', 8, { noise: 'none' }).live.findings().quality)).toEqual(new Set(['good']));
  expect(play('sinus', 8, { noise: 'noisy' }).live.findings().quality).not.toContain('good');
  const { live } = play('sinus', 8);
  const dead = LEADS.map(() => new Int32Array(RATE_HZ * 3));
  live.push({ firstSample: 8 * RATE_HZ, leads: dead, isAfterGap: false, saturated: 0 });
  expect(new Set(live.findings().quality)).toEqual(new Set(['noSignal']));
});

test('pacing spikes are marked, and no QRS is taken for one', () => {
  const paced = play('paced', 10, { rateHz: 1000, noise: 'none' }).live.findings();
  expect(paced.paceSamples.length).toBeGreaterThan(8);
  expect(play('sinus', 10, { rateHz: 1000 }).live.findings().paceSamples).toEqual([]);
});

test.each(['clean', 'normal'] as const)(
  'fibrillation and standstill are said while they run, without a rate (%s)',
  (noise) => {
    for (const [rhythm, arrest] of [
      ['vf', 'ventricularFibrillation'],
      ['asystole', 'asystole'],
    ] as const) {
      const findings = play(rhythm, 15, { noise }).live.findings();
      expect(findings).toMatchObject({ arrest, noRateReason: arrest });
      expect(findings.heartRateBpm).toBeUndefined();
    }
    for (const rhythm of ['sinus', 'afib', 'pvc', 'bigeminy', 'lbbb', 'avb3', 'paced'] as const)
      expect(play(rhythm, 15, { noise }).live.findings().arrest).toBeUndefined();
  },
);

test.each(['clean', 'normal'] as const)(
  'rates and pauses that ask for help are said while they run (%s)',
  (noise) => {
    const alarmOf = (rhythm: Rhythm, heartRateBpm?: number) => {
      let alarm: string | undefined;
      for (const seconds of [10, 14, 18])
        alarm ??= play(rhythm, seconds, { noise, heartRateBpm }).live.findings().rateAlarm;
      return alarm;
    };
    expect(alarmOf('sinus', 30)).toBe('verySlow');
    expect(alarmOf('sinus', 190)).toBe('veryFast');
    expect(alarmOf('pause')).toBe('pause');
    for (const rhythm of ['afib', 'pvc', 'bigeminy', 'lbbb', 'avb3', 'mobitz2', 'paced'] as const)
      expect([rhythm, alarmOf(rhythm)]).toEqual([rhythm, undefined]);
    for (const bpm of [45, 72, 160]) expect([bpm, alarmOf('sinus', bpm)]).toEqual([bpm, undefined]);
  },
);

test('one noisy lead of many does not change the rate', () => {
  const live = new LiveAnalysis({
    rateHz: RATE_HZ,
    leadCodes: LEADS.map((name) => `MDC_ECG_LEAD_${name}` as LeadCode),
    lsbUv: LSB_UV,
  });
  const electrodes = new SimulatedElectrodes({
    rhythm: 'sinus',
    rateHz: RATE_HZ,
    noise: 'clean',
    mainsHz: 50,
    seed: 5,
    heartRateBpm: 72,
  });
  const random = seededRandom(9);
  const piece = RATE_HZ / 25;
  const shown: (number | undefined)[] = [];
  for (let at = 0; at < 20 * RATE_HZ; at += piece) {
    const potentials = electrodes.next(piece);
    const leads = LEADS.map((name, lead) =>
      Int32Array.from({ length: piece }, (_, i) => {
        const uv = LEAD_WIRING[name]!.reduce(
          (sum, [electrode, weight]) => sum + weight * potentials[ELECTRODES.indexOf(electrode)]![i]!,
          0,
        );
        // Bursts of one lead alone, as large as its QRS complexes.
        return Math.round((uv + (lead === 3 && (at / piece) % 7 < 2 ? 800 * gaussian(random) : 0)) / LSB_UV);
      }),
    );
    live.push({ firstSample: at, leads, isAfterGap: false, saturated: 0 });
    if (at > 8 * RATE_HZ && at % RATE_HZ === 0) shown.push(live.findings().heartRateBpm);
  }
  expect(shown.length).toBeGreaterThan(8);
  for (const rate of shown) expect(Math.abs((rate ?? 0) - 72)).toBeLessThanOrEqual(3);
});
