// The wave network and what is made of its scores.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { openConvolution } from '../../../main/analysis/waves/convolution.ts';
import { productNetwork } from '../../../main/analysis/waves/find-waves.ts';
import { leadWaves, normalised } from '../../../main/analysis/waves/lead-waves.ts';
import { NETWORK_SAMPLES, WaveNetwork } from '../../../main/analysis/waves/wave-network.ts';
import { WAVE_WEIGHTS } from '../../../main/analysis/waves/wave-weights.ts';
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
    expect(sha256).toBe('d60205e761d0fda74fe8258ae61a5ead08af6116ddf4e51363b28ffcfe80607d');
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
  const TRUTH = { pMs: 100, prMs: 160, qrsMs: 92, qtMs: 390 };

  test.each([250, 360, 500, 1000])('are measured alike at %i samples a second', (sampleRateHz) => {
    const { measurements } = analyse(toRecording(twelveLeads({ sampleRateHz })));
    const base = analyse(toRecording(twelveLeads({ sampleRateHz: 500 }))).measurements;
    for (const name of Object.keys(TRUTH) as (keyof typeof TRUTH)[])
      expect([name, Math.abs(measurements[name]! - base[name]!) <= 3]).toEqual([name, true]);
  });

  test.each([
    ['a third of the gain', (uv: number) => Math.round(uv / 3)],
    ['three times the gain', (uv: number) => 3 * uv],
    ['an offset of 3 mV', (uv: number) => uv + 3000],
  ])('are measured alike with %s', (_, changed) => {
    const base = analyse(toRecording(twelveLeads())).measurements;
    const { measurements } = analyse(toRecording(twelveLeads(), (raw) => raw.set(raw.map(changed))));
    for (const name of Object.keys(TRUTH) as (keyof typeof TRUTH)[])
      expect([name, Math.abs(measurements[name]! - base[name]!) <= 4]).toEqual([name, true]);
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

  test('atrial fibrillation has no P', () => {
    const { waves } = analyse(toRecording(twelveLeads({ durationSeconds: 60, rhythm: 'afib' })));
    const withP = waves!.filter(({ p }) => p !== undefined).length;
    expect(withP).toBe(0);
  });
});
