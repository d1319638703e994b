// The wave network and what is made of its scores.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { openConvolution } from '../../../main/analysis/waves/convolution.ts';
import { leadWaves, normalised } from '../../../main/analysis/waves/lead-waves.ts';
import { productNetwork } from '../../../main/analysis/waves/product-network.ts';
import { NETWORK_SAMPLES, WaveNetwork } from '../../../main/analysis/waves/wave-network.ts';
import { WAVE_WEIGHTS } from '../../../main/analysis/waves/wave-weights.ts';
import type { Measurements } from '../../../shared/analysis-result.ts';
import type { LeadCode } from '../../../shared/signal/lead.ts';
import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import { convolutionModule } from '../../../training/write-modules.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

/** Evenly spread numbers from -1 to 1, always the same. */
function numbers(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

describe('the convolution', () => {
  test('is the compiled form of its source', async () => {
    const path = new URL('../../../main/analysis/waves/convolution-wasm.ts', import.meta.url);
    expect(readFileSync(path, 'utf8')).toBe(await convolutionModule());
  });

  test.each([
    { inputs: 2, outputs: 12, width: 7, floor: 0 },
    { inputs: 28, outputs: 12, width: 7, floor: 0 },
    { inputs: 12, outputs: 8, width: 1, floor: Number.NEGATIVE_INFINITY },
  ])(
    'adds up in the stated order, to the bit: $inputs to $outputs channels, width $width',
    ({ inputs, outputs, width, floor }) => {
      const rows = 24;
      const taps = width * inputs;
      const [weightsAt, offsetsAt, inputAt, outputAt] = [0, 4000, 4100, 8000];
      const { convolve, floats } = openConvolution(4 * 10_000);
      floats.set(numbers(taps * outputs, 1), weightsAt);
      floats.set(numbers(outputs, 2), offsetsAt);
      floats.set(numbers((rows + width - 1) * inputs, 3), inputAt);
      convolve(
        4 * inputAt,
        inputs,
        taps,
        4 * weightsAt,
        4 * offsetsAt,
        4 * outputAt,
        outputs / 4,
        rows,
        floor,
      );
      const wanted = new Float32Array(rows * outputs);
      for (let row = 0; row < rows; row++)
        for (let output = 0; output < outputs; output++) {
          let sum = floats[offsetsAt + output]!;
          for (let tap = 0; tap < taps; tap++) {
            const weight = floats[weightsAt + (output >> 2) * 4 * taps + 4 * tap + (output & 3)]!;
            sum = Math.fround(sum + Math.fround(weight * floats[inputAt + row * inputs + tap]!));
          }
          wanted[row * outputs + output] = Math.max(floor, sum);
        }
      expect(floats.slice(outputAt, outputAt + rows * outputs)).toEqual(wanted);
    },
  );
});

describe('the network', () => {
  const lead = normalised(numbers(NETWORK_SAMPLES, 4));

  test('gives the same scores again, and on every machine', () => {
    const network = productNetwork();
    const first = network.scores(lead).slice();
    network.scores(normalised(numbers(NETWORK_SAMPLES, 5)));
    expect(network.scores(lead)).toEqual(first);
    const sha256 = createHash('sha256').update(new Uint8Array(first.buffer)).digest('hex');
    expect(sha256).toBe('c4584e0b260ca4b273c8a2f73168229c09df3f42881c0e24bb1d7d8db6481924');
  });

  test('hears nothing of the lead before it in a shorter one', () => {
    const alone = new WaveNetwork(WAVE_WEIGHTS).scores(lead.subarray(0, 700)).slice();
    const network = new WaveNetwork(WAVE_WEIGHTS);
    network.scores(lead);
    expect(network.scores(lead.subarray(0, 700))).toEqual(alone);
  });

  test('takes no weights of another one', () => {
    expect(() => new WaveNetwork(WAVE_WEIGHTS.subarray(0, -4))).toThrow(RangeError);
    expect(() => new WaveNetwork(new Uint8Array([...WAVE_WEIGHTS, 0]))).toThrow(RangeError);
  });
});

describe('the waves of a lead', () => {
  test.each([0, 1, -3])('there are none where it is flat at %i mV', (level) => {
    const { waves, faintP } = leadWaves(productNetwork(), new Float32Array(2000).fill(level));
    expect([waves, faintP]).toEqual([[], []]);
  });

  test('an empty lead has none', () => {
    expect(leadWaves(productNetwork(), new Float32Array(0)).waves).toEqual([]);
  });

  test('a long lead has the waves of its parts, each once', () => {
    const [mv] = twelveLeads({ durationSeconds: 40, sampleRateHz: 250 }).samplesUv;
    const { waves } = leadWaves(
      productNetwork(),
      Float32Array.from(mv!, (uv) => uv / 1000),
    );
    const starts = waves.filter(({ kind }) => kind === 'QRS').map(({ onset }) => onset);
    expect(starts.length).toBeGreaterThan(30);
    const distances = starts.slice(1).map((start, i) => start - starts[i]!);
    for (const distance of distances) expect(distance).toBeGreaterThan(0.9 * (distances[0] as number));
    for (const distance of distances) expect(distance).toBeLessThan(1.1 * (distances[0] as number));
  });
});

describe('the waves of beats', () => {
  /**
   * The values of the synthetic beat, and how far its rounded waves may be read otherwise; as IEC 60601-2-25 allows,
   * and half more.
   */
  const TRUTH = { pMs: [100, 15], prMs: [160, 15], qrsMs: [92, 15], qtMs: [390, 18] } as const;
  const isTrue = (measurements: Measurements): Record<string, boolean> =>
    Object.fromEntries(
      (Object.keys(TRUTH) as (keyof typeof TRUTH)[]).map((name) => [
        name,
        Math.abs(measurements[name]! - TRUTH[name][0]) <= TRUTH[name][1],
      ]),
    );
  const ALL_TRUE = { pMs: true, prMs: true, qrsMs: true, qtMs: true };

  test.each([250, 360, 500, 1000])('are measured truly at %i samples a second', (sampleRateHz) => {
    expect(isTrue(analyse(toRecording(twelveLeads({ sampleRateHz }))).measurements)).toEqual(ALL_TRUE);
  });

  test.each([
    ['a third of the gain', (uv: number) => Math.round(uv / 3)],
    ['three times the gain', (uv: number) => 3 * uv],
    ['an offset of 3 mV', (uv: number) => uv + 3000],
  ])('are measured truly with %s', (_, changed) => {
    const recording = toRecording(twelveLeads(), (raw) => raw.set(raw.map(changed)));
    expect(isTrue(analyse(recording).measurements)).toEqual(ALL_TRUE);
  });

  test.each([
    [150, 170],
    [170, 150],
    [190, 130],
  ])('at %i/min, a QRS of %i ms is never measured narrow', (heartRateBpm, qrsMs) => {
    const beat = { qrsMs, prMs: 100, qtMs: (0.75 * 60_000) / heartRateBpm };
    const { measurements } = analyse(toRecording(twelveLeads({ heartRateBpm, beat })));
    expect(measurements.qrsMs ?? qrsMs).toBeGreaterThanOrEqual(120);
  });

  test('leads without signal have no say', () => {
    const recording = toRecording(twelveLeads(), (raw, lead) => {
      if (lead.startsWith('MDC_ECG_LEAD_V') || lead === 'MDC_ECG_LEAD_AVL') raw.fill(0);
    });
    expect(isTrue(analyse(recording).measurements)).toEqual(ALL_TRUE);
  });

  test('a wave that an end of the recording cuts is left out', () => {
    const whole = twelveLeads();
    const { waves } = analyse(toRecording(whole));
    const [, second] = waves!;
    const cut = Math.round((second!.p![0] + second!.p![1]) / 2);
    const samplesUv = whole.samplesUv.map((uv) => uv.slice(cut));
    const [first] = analyse(toRecording({ ...whole, samplesUv })).waves ?? [];
    expect(first).toHaveProperty('qrs');
    expect(first).not.toHaveProperty('p');
  });

  test('a long recording is measured where it has beats', () => {
    const ecg = twelveLeads({
      leads: ['MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V1'],
      durationSeconds: 660,
      sampleRateHz: 250,
    });
    const recording = toRecording(ecg, (raw) => {
      for (const middle of [150, 480]) raw.fill(INVALID_SAMPLE, 250 * (middle - 20), 250 * (middle + 20));
    });
    const { waves, measurements } = analyse(recording);
    expect(waves!.length).toBeGreaterThan(95);
    expect(measurements.qrsMs).toBeDefined();
  });

  test('an R that was put aside in the first beat moves no other measurement', () => {
    const recording = toRecording(twelveLeads());
    const { beats, measurements } = analyse(recording);
    const [first] = beats;
    const moved = analyse(recording, { constraints: { beats: [{ sample: (first?.sample ?? 0) + 9 }] } });
    const named = ({ qrsAxisDeg, tAxisDeg, qrsMs, qtMs }: Measurements) => ({
      qrsAxisDeg,
      tAxisDeg,
      qrsMs,
      qtMs,
    });
    expect(named(moved.measurements)).toEqual(named(measurements));
  });

  test('are given for each beat, in order, and on each lead', () => {
    const { waves, beats, recording } = analyse(toRecording(twelveLeads()));
    expect(waves!.map(({ beat }) => beat)).toEqual(beats.map(({ id }) => id));
    for (const { beat, p, qrs, t, leads } of waves!.slice(1, -1)) {
      const { sample } = beats[beat - 1]!;
      const order = [p![0], p![1], qrs![0], sample, qrs![1], t![0], t![1]];
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(leads!.map(({ lead }) => lead)).toEqual(recording.leads);
    }
  });

  test('atrial fibrillation, and beats of the ventricles, have no P', () => {
    const { waves, rhythms } = analyse(toRecording(twelveLeads({ durationSeconds: 60, rhythm: 'afib' })));
    const isIrregular = (sample: number): boolean =>
      rhythms.some(
        ({ code, startSample, endSample }) => code === 'AFIB' && sample >= startSample && sample < endSample,
      );
    for (const { p, qrs } of waves!) if (qrs !== undefined && isIrregular(qrs[0])) expect(p).toBeUndefined();
    const ectopic = analyse(toRecording(twelveLeads({ durationSeconds: 60, rhythm: 'pvc' })));
    const ventricular = ectopic.waves!.filter(({ beat }) => ectopic.beats[beat - 1]!.label === 'V');
    expect(ventricular.length).toBeGreaterThan(3);
    for (const { p } of ventricular) expect(p).toBeUndefined();
  });

  test('regular beats without any P are no sinus rhythm', () => {
    for (const noiseUv of [3, 8, 20])
      for (const heartRateBpm of [45, 60, 75, 100]) {
        const beat = { prMs: undefined };
        const { statements } = analyse(
          toRecording(twelveLeads({ noiseUv, heartRateBpm, beat, durationSeconds: 10 })),
        );
        const said = statements.map(({ code }) => code);
        expect(said.filter((code) => ['RHY-SINUS', 'RHY-SBRADY', 'RHY-STACHY'].includes(code))).toEqual([]);
      }
  });

  test('no interval is measured from a P that the signal does not show', () => {
    for (const heartRateBpm of [45, 52, 60]) {
      const leads: LeadCode[] = ['MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V1'];
      const options = { leads, seed: 1, noiseUv: 3, durationSeconds: 10, heartRateBpm };
      const { measurements } = analyse(toRecording(twelveLeads({ ...options, beat: { prMs: undefined } })));
      expect(measurements).not.toHaveProperty('prMs');
    }
  });

  test('a beat that a person calls ventricular has no P', () => {
    const recording = toRecording(twelveLeads());
    const [, , third] = analyse(recording).beats;
    const called = { sample: third?.sample ?? 0, label: 'V' as const };
    const { waves } = analyse(recording, { constraints: { beats: [called] } });
    expect(waves?.[1]).toHaveProperty('p');
    expect(waves?.[2]).not.toHaveProperty('p');
  });

  test.each([
    [150, 150],
    [150, 170],
    [170, 150],
    [170, 170],
    [190, 150],
  ])(
    'regular beats of %i/min with a QRS of %i ms and without P are ventricular tachycardia',
    (heartRateBpm, qrsMs) => {
      const beat = { prMs: undefined, qrsMs, qtMs: (0.75 * 60_000) / heartRateBpm };
      const { rhythms } = analyse(toRecording(twelveLeads({ heartRateBpm, beat })));
      expect(rhythms.map(({ code }) => code)).toContain('VT');
    },
  );

  test.each([150, 190])(
    'of regular beats of %i/min whose QRS is at the limit and cannot be measured, ventricular tachycardia is not excluded',
    (heartRateBpm) => {
      const beat = { prMs: undefined, qrsMs: 120, qtMs: (0.75 * 60_000) / heartRateBpm };
      const { statements, measurements } = analyse(toRecording(twelveLeads({ heartRateBpm, beat })));
      expect(measurements.qrsMs).toBeUndefined();
      const stated = statements.find(({ code }) => code === 'RHY-TACHY');
      expect(stated?.severity).toBe(heartRateBpm > 180 ? 'CRITICAL' : 'IMPORTANT');
      expect(statements.map(({ code }) => code)).not.toContain('RHY-UNDET');
    },
  );
});
