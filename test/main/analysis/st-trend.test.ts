// The level of ST minute by minute in a recording of an hour.

import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

const RATE_HZ = 250;
const MINUTE = 60 * RATE_HZ;
const RAISED_UV = 200;

/** ST stands higher on lead II from the 20th minute to the end of the 29th; the 40th is missing. */
function raised(durationSeconds: number) {
  const ecg = twelveLeads({
    leads: ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II'],
    sampleRateHz: RATE_HZ,
    durationSeconds,
  });
  return toRecording(ecg, (raw, lead) => {
    raw.fill(INVALID_SAMPLE, 40 * MINUTE, 41 * MINUTE);
    if (lead !== 'MDC_ECG_LEAD_II') return;
    for (const { sample } of ecg.beats)
      if (sample >= 20 * MINUTE && sample < 30 * MINUTE)
        for (let i = sample + 15; i < sample + 50; i++) raw[i] = (raw[i] as number) + RAISED_UV;
  });
}

test('ST is told lead by lead and minute by minute, and not where too little was read', () => {
  const { stMv } = analyse(raised(3700)).holter!;
  expect(Object.keys(stMv!)).toEqual(['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II']);
  const [one, two] = [stMv!.MDC_ECG_LEAD_I!, stMv!.MDC_ECG_LEAD_II!];
  expect([one.length, two.length]).toEqual([62, 62]);
  expect(two[40]).toBeNull();
  for (let minute = 0; minute < 61; minute++) {
    if (minute === 40) continue;
    const isRaised = minute >= 20 && minute < 30;
    expect(Math.abs(one[minute]!)).toBeLessThanOrEqual(0.03);
    expect(Math.abs(two[minute]! - (isRaised ? RAISED_UV / 1000 : 0))).toBeLessThanOrEqual(0.03);
  }
});

test('recordings of less than an hour have none', () => {
  expect(analyse(raised(3500)).holter).toBeUndefined();
});
