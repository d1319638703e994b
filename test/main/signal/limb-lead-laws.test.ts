import { expect, test } from 'vitest';
import {
  AGREEMENT,
  areLimbLeadsScaled,
  CONTRADICTION,
  limbLeadMisfit,
} from '../../../main/signal/limb-lead-laws.ts';
import { type Channel, INVALID_SAMPLE, millivoltScale } from '../../../shared/signal/recording.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

const channels = toRecording(twelveLeads(), undefined, 5).channels;
const only = (...labels: string[]): Channel[] => channels.filter(({ label }) => labels.includes(label));

test('leads of one recording obey them within what rounding leaves', () => {
  expect(limbLeadMisfit(channels)).toBeLessThan(AGREEMENT);
});

test.each([20, 80])('noise of %d µV in each lead alone does not break them', (noiseUv) => {
  const noisy = toRecording(twelveLeads({ noiseUv })).channels;
  expect(limbLeadMisfit(noisy)).toBeLessThan(AGREEMENT);
  const wrong = noisy.map((c) => (c.label === 'aVF' ? { ...c, scale: 3 * c.scale } : c));
  expect(limbLeadMisfit(wrong)).toBeGreaterThan(CONTRADICTION);
});

test.each<[string, readonly Channel[]]>([
  [
    'the gain of one lead is wrong',
    channels.map((c) => (c.label === 'aVF' ? { ...c, scale: 4 * c.scale } : c)),
  ],
  [
    'two leads have each other’s name',
    channels.map((c) => {
      const other = { I: 'II', II: 'I' }[c.label];
      return other === undefined ? c : { ...c, lead: only(other)[0]?.lead as Channel['lead'] & object };
    }),
  ],
])('they are broken where %s', (_why, broken) => {
  expect(limbLeadMisfit(broken)).toBeGreaterThan(CONTRADICTION);
});

test('a lead that is stored with reversed sign is turned first', () => {
  const turned = channels.map((c): Channel => {
    if (c.label !== 'aVR') return c;
    const lead = { ...(c.lead as Channel['lead'] & object), isInverted: true };
    return {
      ...c,
      lead,
      read(start, target) {
        c.read(start, target);
        for (let i = 0; i < target.length; i++) target[i] = -(target[i] as number);
      },
    };
  });
  expect(limbLeadMisfit(turned)).toBeLessThan(AGREEMENT);
  expect(limbLeadMisfit(turned, (c) => Math.abs(millivoltScale(c).scale))).toBeGreaterThan(CONTRADICTION);
});

test('electrodes that were put on late do not speak against the rest', () => {
  const late = toRecording(twelveLeads({ durationSeconds: 40 }), (raw, lead) => {
    if (lead === 'MDC_ECG_LEAD_II') for (let i = 0; i < 5000; i++) raw[i] = (i * 7919) % 400;
  });
  expect(limbLeadMisfit(late.channels)).toBeLessThan(AGREEMENT);
});

test.each<[string, readonly Channel[]]>([
  ['two limb leads alone', only('I', 'II', 'V1')],
  ['no lead I', only('II', 'III', 'aVF')],
  [
    'another rate',
    only('I', 'II', 'III').map((c, i) => (i === 1 ? { ...c, rate: { samples: 250, seconds: 1 } } : c)),
  ],
  [
    'samples that are missing everywhere',
    only('I', 'II', 'III').map((c) => ({
      ...c,
      read: (_start: number, target: Int32Array) => void target.fill(INVALID_SAMPLE),
    })),
  ],
])('nothing can be said of %s', (_what, few) => {
  expect(limbLeadMisfit(few)).toBeUndefined();
});

test('leads that are each in a scale of their own are still what they are called', () => {
  const scales = [1, 2.5, 0.7, 3, 0.4, 1.8];
  const scaled = channels.map((c, i) => ({ ...c, scale: (scales[i] ?? 1) * c.scale }));
  expect(limbLeadMisfit(scaled)).toBeGreaterThan(CONTRADICTION);
  expect(areLimbLeadsScaled(scaled)).toBe(true);
  const turned = scaled.map((c) => (c.label === 'aVL' ? { ...c, scale: -c.scale } : c));
  expect(areLimbLeadsScaled(turned)).toBe(false);
  const renamed = scaled.map((c) =>
    c.label === 'II' ? { ...c, lead: only('V2')[0]?.lead as Channel['lead'] & object } : c,
  );
  expect(areLimbLeadsScaled(renamed)).toBe(false);
});
