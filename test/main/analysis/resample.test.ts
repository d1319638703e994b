import { expect, test } from 'vitest';
import { resampleCubic } from '../../../main/analysis/signal/resample.ts';

const wave = (samplesAPeriod: number, count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => Math.sin((2 * Math.PI * i) / samplesAPeriod));

test('a slow wave on a grid four times finer is the wave, to a part in a thousand', () => {
  const fine = resampleCubic(wave(32, 200), { step: 0.25, offset: 0, count: 700 });
  const exact = wave(128, 700);
  for (let i = 8; i < 692; i++)
    expect(Math.abs((fine[i] as number) - (exact[i] as number))).toBeLessThan(1e-3);
});

test('every sample that was measured is met exactly, and the ends are held', () => {
  const source = Float32Array.of(3, -1, 4, -1, 5);
  const fine = resampleCubic(source, { step: 0.5, offset: 0, count: 12 });
  expect([0, 2, 4, 6, 8].map((i) => fine[i])).toEqual([...source]);
  expect([fine[10], fine[11]]).toEqual([5, 5]);
});

test('of nothing comes nothing', () => {
  expect([...resampleCubic(new Float32Array(0), { step: 0.5, offset: 0, count: 3 })]).toEqual([0, 0, 0]);
});
