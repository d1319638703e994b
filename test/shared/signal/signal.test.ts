import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ecgChannels } from '../../../main/signal/channels/judge-channels.ts';
import { synthesiseEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import { filterZeroPhase, highPass, lowPass } from '../../../shared/signal/butterworth.ts';
import {
  isLeadCode,
  LEAD_CODES,
  type LeadCode,
  leadName,
  matchLead,
  STANDARD_LEADS,
} from '../../../shared/signal/lead.ts';
import type { Channel } from '../../../shared/signal/recording.ts';
import { meanOfSmallest, median, quantile, standardDeviation } from '../../../shared/signal/statistics.ts';
import { mvPerUnit, normaliseUnit } from '../../../shared/signal/unit.ts';

describe('leads', () => {
  test.each([
    ['I', 'I'],
    ['ECG I', 'I'],
    ['Lead II', 'II'],
    ['EKG-aVR', 'AVR'],
    ['ecg avl', 'AVL'],
    ['MDC_ECG_LEAD_V3', 'V3'],
    ['v6', 'V6'],
    ['DIII', 'III'],
    ['C1', 'V1'],
    ['ECG V1-Ref', 'V1'],
    ['a V F', 'AVF'],
    ['aVR (raw)', 'AVR'],
    ['E-S', 'ES'],
  ])('"%s" is %s', (label, short) => {
    expect(matchLead(label)).toMatchObject({
      code: `MDC_ECG_LEAD_${short}`,
      isModified: false,
      isInverted: false,
    });
  });

  test.each(['ECG', 'Resp', 'vx', 'X', 'V7', 'EEG Fp1', 'abp', '', 'constructor', 'Status'])(
    '"%s" names none',
    (label) => {
      expect(matchLead(label)).toBeUndefined();
    },
  );

  test('modified, inverted and unclear leads are told apart', () => {
    expect(matchLead('MLII')).toMatchObject({ code: 'MDC_ECG_LEAD_II', isModified: true });
    expect(matchLead('-aVR')).toMatchObject({ code: 'MDC_ECG_LEAD_AVR', isInverted: true });
    expect(matchLead('LA-RA')).toMatchObject({ code: 'MDC_ECG_LEAD_I', isPolarityUnclear: true });
  });

  test('every code of the service has a short name', () => {
    expect(LEAD_CODES).toHaveLength(17);
    expect(leadName('MDC_ECG_LEAD_AVR')).toBe('aVR');
    expect(isLeadCode('MDC_ECG_LEAD_V1') && !isLeadCode('MDC_ECG_LEAD_V7')).toBe(true);
  });
});

describe('channels that are taken for leads', () => {
  const channel = (label: string, change: Partial<Channel> = {}): Channel => {
    const lead = matchLead(label);
    return {
      label,
      ...(lead !== undefined && { lead }),
      unit: 'uV',
      mvPerUnit: 0.001,
      scale: 1,
      offset: 0,
      isCalibrated: true,
      rate: { samples: 250, seconds: 1 },
      sampleCount: 10,
      read: () => undefined,
      ...change,
    };
  };
  const labels = (...channels: Channel[]): string[] => ecgChannels(channels).map(({ label }) => label);
  const { mvPerUnit: _volts, ...noVoltage } = channel('Resp');

  test('named leads count alone; without any, what doesn’t say that it is something else', () => {
    expect(labels(channel('ECG I'), channel('ch 2'), channel('V5'))).toEqual(['ECG I', 'V5']);
    expect(labels(channel('ch 1'), channel('Event'))).toEqual(['ch 1']);
    expect(labels(channel('ch 1'), channel('EEG F1-Ref'), channel('EMG chin'))).toEqual([]);
    expect(labels(noVoltage, channel('slow', { rate: { samples: 10, seconds: 1 } }))).toEqual([]);
  });
});

describe('units', () => {
  test.each([
    ['mV', 1],
    ['uV', 0.001],
    ['µV', 0.001],
    ['μV', 0.001],
    ['Âµ'.concat('V'), 0.001],
    ['æV', 0.001],
    [' mv ', 1],
    ['V', 1000],
    ['nV\0', 1e-6],
  ])('%s', (unit, factor) => expect(mvPerUnit(unit)).toBe(factor));
  test.each(['mmHg', '%', '', 'bpm', 'degC', 'NU'])('"%s" is no voltage', (unit) =>
    expect(mvPerUnit(unit)).toBeUndefined(),
  );
  test('normalising keeps the rest of the unit', () => expect(normaliseUnit('µV')).toBe('uV'));
});

describe('zero-phase Butterworth', () => {
  const fs = 500;
  const tone = (hz: number): Float64Array =>
    Float64Array.from({ length: 5000 }, (_, i) => Math.sin((2 * Math.PI * hz * i) / fs));
  const amplitude = (signal: Float64Array): number =>
    Math.SQRT2 * standardDeviation(signal.subarray(1000, 4000))!;

  test.each([
    ['low-pass passes 5 Hz', [lowPass(40, fs)], 5, 1, 0.01],
    ['low-pass halves its cut-off (twice −3 dB)', [lowPass(40, fs)], 40, 0.5, 0.01],
    ['low-pass stops 200 Hz', [lowPass(40, fs)], 200, 0, 0.01],
    ['high-pass halves its cut-off', [highPass(8, fs)], 8, 0.5, 0.01],
    ['high-pass passes 100 Hz', [highPass(8, fs)], 100, 1, 0.01],
  ])('%s', (_name, sections, hz, expected, tolerance) => {
    expect(Math.abs(amplitude(filterZeroPhase(tone(hz), sections, fs)) - expected)).toBeLessThan(tolerance);
  });

  test('moves nothing in time', () => {
    const pulse = new Float64Array(1001);
    pulse[500] = 1;
    const filtered = filterZeroPhase(pulse, [lowPass(40, fs)], 100);
    for (let k = 1; k < 100; k++) expect(filtered[500 - k]).toBeCloseTo(filtered[500 + k]!, 9);
  });

  test('a constant stays constant from the first sample to the last', () => {
    const filtered = filterZeroPhase(new Float64Array(300).fill(7), [lowPass(15, fs)], 100);
    expect(Math.max(...filtered.map((value) => Math.abs(value - 7)))).toBeLessThan(1e-9);
  });

  test('a 3 mV pulse of 100 ms leaves no undershoot over 0.1 mV behind the 0.05 Hz limit of IEC 60601-2-25', () => {
    const signal = new Float64Array(10 * fs);
    signal.fill(3, 2000, 2050);
    const filtered = filterZeroPhase(signal, [highPass(0.05, fs)], 5 * fs);
    expect(Math.min(...filtered.subarray(2060))).toBeGreaterThan(-0.1);
  });
});

describe('statistics', () => {
  test('quantiles are those of the sorted values, and the values stay as they were', () => {
    const values = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (given, q) => {
        const before = [...given];
        const sorted = [...given].sort((a, b) => a - b);
        const place = (sorted.length - 1) * q;
        const low = sorted[Math.floor(place)] as number;
        const high = sorted[Math.ceil(place)] as number;
        expect(quantile(given, q)).toBeCloseTo(low + (high - low) * (place - Math.floor(place)), 6);
        expect(given).toEqual(before);
      }),
    );
    expect(meanOfSmallest(Float64Array.of(9, 1, 5, 3, 100), 0.8)).toBe(4.5);
  });

  test('median and quantiles of even and odd counts, and of nothing', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(quantile([0, 10], 0.25)).toBe(2.5);
    expect(median([])).toBeUndefined();
  });
});

describe('synthetic ECG', () => {
  const ecg = synthesiseEcg({ leads: STANDARD_LEADS, sampleRateHz: 500, durationSeconds: 10 });
  const at = (name: string, i: number): number =>
    ecg.samplesUv[STANDARD_LEADS.indexOf(`MDC_ECG_LEAD_${name}` as LeadCode)]![i]!;

  test('obeys Einthoven and Goldberger in every sample', () => {
    for (let i = 0; i < 5000; i += 7) {
      expect(at('I', i) + at('III', i) - at('II', i)).toBeCloseTo(0, 2);
      expect(at('AVR', i) + at('AVL', i) + at('AVF', i)).toBeCloseTo(0, 2);
    }
  });

  test('is the same for the same seed and not for another', () => {
    const noisy = (seed: number) =>
      synthesiseEcg({ leads: ['MDC_ECG_LEAD_I'], sampleRateHz: 250, durationSeconds: 2, noiseUv: 10, seed })
        .samplesUv[0]!;
    expect(noisy(5)).toEqual(noisy(5));
    expect(noisy(5)).not.toEqual(noisy(6));
  });

  test('puts beats where the rate wants them', () => {
    expect(
      ecg.beats
        .map((beat) => beat.sample)
        .slice(1)
        .map((sample, i) => sample - ecg.beats[i]!.sample),
    ).satisfy((rr: number[]) => rr.every((value) => Math.abs(value - 416.67) < 1));
  });
});
