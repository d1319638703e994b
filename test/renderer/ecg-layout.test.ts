import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LAYOUTS, layoutEcg, pulseWidthMm } from '../../renderer/trace/ecg-layout.ts';

const anyField = fc.record({
  widthPx: fc.integer({ min: 400, max: 3800 }),
  heightPx: fc.integer({ min: 300, max: 2100 }),
  leadCount: fc.integer({ min: 1, max: 15 }),
  kind: fc.constantFrom(...LAYOUTS),
  lead: fc.integer({ min: 0, max: 20 }),
  scale: fc.record({
    pxPerMm: fc.double({ min: 2.5, max: 12, noNaN: true }),
    speedMmPerS: fc.constantFrom(12.5, 25, 50),
    gainMmPerMv: fc.constantFrom(5, 10, 20),
  }),
});

test('whatever the field: every lead stands in it once, in order, no strip reaches into the next, and the pulse has its room', () => {
  fc.assert(
    fc.property(anyField, (field) => {
      const { strips, columns } = layoutEcg(field);
      const leads = strips.flatMap(({ cells }) => cells.map(({ lead }) => lead));
      const expected =
        field.kind === 'single'
          ? [Math.min(field.lead, field.leadCount - 1)]
          : Array.from({ length: field.leadCount }, (_, i) => i);
      expect(leads).toEqual(expected);
      const pulsePx = pulseWidthMm(field.scale.speedMmPerS) * field.scale.pxPerMm;
      for (const [i, { left, cells }] of strips.entries()) {
        const begin = i === 0 ? 0 : strips[i - 1]!.left + columns;
        // A field that has no room for a strip shows one column of it, and the pulses as far as they fit.
        if (columns > 1) expect(left - begin).toBeGreaterThanOrEqual(Math.floor(pulsePx));
        if (columns > 1)
          expect(left + columns).toBeLessThanOrEqual(Math.ceil(((i + 1) * field.widthPx) / strips.length));
        for (const { top, height, baselineY } of cells) {
          expect(top).toBeGreaterThanOrEqual(0);
          expect(top + height).toBeLessThanOrEqual(field.heightPx + 1);
          expect(baselineY).toBeGreaterThan(top);
          expect(baselineY).toBeLessThan(top + height);
        }
      }
    }),
  );
});

test.each([
  ['12x1', 12, [12]],
  ['6x2', 12, [6, 6]],
  ['3x4', 12, [3, 3, 3, 3]],
  ['6x2', 8, [4, 4]],
  ['6x2', 3, [3]],
  ['single', 12, [1]],
] as const)('%s of %i leads', (kind, leadCount, rows) => {
  const scale = { pxPerMm: 3.6, speedMmPerS: 25, gainMmPerMv: 10 };
  const { strips } = layoutEcg({ widthPx: 920, heightPx: 540, leadCount, kind, lead: 0, scale });
  expect(strips.map(({ cells }) => cells.length)).toEqual(rows);
});
