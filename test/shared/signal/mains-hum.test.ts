// Hum of the mains, against hum of a known size on the simulated heart.

import { describe, expect, test } from 'vitest';
import { LEAD_WIRING, SimulatedElectrodes } from '../../../main/device/simulator/electrodes.ts';
import { RHYTHMS } from '../../../main/device/simulator/rhythms.ts';
import { ELECTRODES } from '../../../shared/signal/electrode.ts';
import { MainsHum } from '../../../shared/signal/live/mains-hum.ts';

const LEADS = ['I', 'II', 'V1', 'V5'];

/** @param humUv peak, in the second lead */
function listen(
  rhythm: (typeof RHYTHMS)[number],
  rateHz: number,
  { hz = 50, humUv = 0, offsetMv = 0, seconds = 6 } = {},
): MainsHum {
  const electrodes = new SimulatedElectrodes({ rhythm, rateHz, noise: 'none', mainsHz: 50, seed: 3 });
  const hum = new MainsHum(rateHz, LEADS.length);
  const potentials = electrodes.next(Math.round(seconds * rateHz));
  const mv = new Float64Array(LEADS.length);
  for (let i = 0; i < seconds * rateHz; i++) {
    for (const [lead, name] of LEADS.entries()) {
      const uv = LEAD_WIRING[name]!.reduce(
        (sum, [electrode, weight]) => sum + weight * potentials[ELECTRODES.indexOf(electrode)]![i]!,
        0,
      );
      mv[lead] = uv / 1000 + offsetMv;
    }
    mv[1] = mv[1]! + (humUv / 1000) * Math.sin((2 * Math.PI * hz * i) / rateHz + 1);
    hum.next(mv);
  }
  return hum;
}

describe('hum of the mains', () => {
  test.each([...RHYTHMS])('an ECG alone is none: %s', (rhythm) => {
    for (const rateHz of [250, 257.3, 500, 1000])
      expect(listen(rhythm, rateHz, { offsetMv: 300 }).disturbing, `${rateHz} Hz`).toBeUndefined();
  });

  test.each([
    [50, 40, 500],
    [60, 40, 1000],
    [50, 200, 257.3],
    [60, 30, 360],
  ])('%i Hz of %i µV is named with its size, sampled at %d Hz', (hz, humUv, rateHz) => {
    const found = listen('sinus', rateHz, { hz, humUv });
    expect(found.disturbing?.hz).toBe(hz);
    expect(Math.abs((found.disturbing?.uv ?? 0) - humUv)).toBeLessThan(0.15 * humUv + 3);
  });

  test('less than what disturbs is not told, nor what was there a moment only, nor what a device is too slow for', () => {
    expect(listen('sinus', 500, { humUv: 12 }).disturbing).toBeUndefined();
    expect(listen('sinus', 500, { humUv: 100, seconds: 2.5 }).disturbing).toBeUndefined();
    expect(listen('sinus', 100, { humUv: 100 }).disturbing).toBeUndefined();
    const hum = listen('sinus', 500, { humUv: 100 });
    hum.restart();
    expect(hum.disturbing).toBeUndefined();
  });
});
