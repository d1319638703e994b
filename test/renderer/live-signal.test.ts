// What is drawn of a device's samples: leads that follow from others, electrodes without contact, gaps,
// another filter in the middle.

import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../main/signal/synthetic/random.ts';
import { DIAGNOSTIC, type DisplayFilter } from '../../renderer/trace/display-filter.ts';
import { LiveSignal } from '../../renderer/trace/live-signal.ts';
import { deadLeads, electrodeBit } from '../../shared/signal/electrode.ts';
import type { LeadCode } from '../../shared/signal/lead.ts';

const RATE_HZ = 500;
const CODES = ['I', 'II', 'V1', 'V6'].map((name) => `MDC_ECG_LEAD_${name}` as LeadCode);
const MUSCLE: DisplayFilter = { name: 'muscle40', mainsHz: 50 };

function play(filter: DisplayFilter, order: 'classic' | 'cabrera' = 'classic') {
  const random = seededRandom(11);
  const signal = new LiveSignal({ rateHz: RATE_HZ, leadCodes: CODES, filter, order });
  let next = 0;
  return {
    signal,
    feed(count: number, { isAfterGap = false, skip = 0, saturated = 0 } = {}): void {
      next += skip;
      const leads = CODES.map(() => Float32Array.from({ length: count }, () => random() * 2 - 1));
      signal.add({
        firstSample: next,
        leads,
        saturated,
        isAfterGap,
        isSimulated: false,
        arrivalMs: 0,
        rateHz: RATE_HZ,
      });
      next += count;
    },
    end: () => next,
    /** By the name of the lead. */
    at(name: string, sample: number): number {
      const place = signal.leads.findIndex(({ code }) => code === `MDC_ECG_LEAD_${name}`);
      return signal.ring.mv[place]![sample & signal.ring.mask]!;
    },
  };
}

describe('leads', () => {
  test('those of the limbs follow from I and II, sample by sample', () => {
    const { feed, at, end, signal } = play(DIAGNOSTIC);
    feed(1000);
    expect(signal.leads.map(({ code }) => code.slice(13))).toEqual([
      'I',
      'II',
      'III',
      'AVR',
      'AVL',
      'AVF',
      'V1',
      'V6',
    ]);
    for (let sample = 0; sample < end(); sample++) {
      const [one, two] = [at('I', sample), at('II', sample)];
      expect(at('III', sample)).toBeCloseTo(two - one, 5);
      expect(at('AVR', sample)).toBeCloseTo(-(one + two) / 2, 5);
      expect(at('AVL', sample)).toBeCloseTo(one - two / 2, 5);
      expect(at('AVF', sample)).toBeCloseTo(two - one / 2, 5);
    }
  });

  test('Cabrera’s series goes around the heart, with aVR the other way up', () => {
    const [classic, cabrera] = [play(DIAGNOSTIC), play(DIAGNOSTIC, 'cabrera')];
    for (const each of [classic, cabrera]) each.feed(300);
    expect(cabrera.signal.leads.map(({ code }) => code.slice(13))).toEqual([
      'AVL',
      'I',
      'AVR',
      'II',
      'AVF',
      'III',
      'V1',
      'V6',
    ]);
    for (const sample of [0, 100, 299]) {
      expect(cabrera.at('AVR', sample)).toBe(-classic.at('AVR', sample));
      expect(cabrera.at('III', sample)).toBe(classic.at('III', sample));
    }
  });

  test('without an electrode the leads that need it have no value, and the others go on', () => {
    const { feed, at, signal } = play(DIAGNOSTIC);
    feed(100);
    signal.setDeadLeads(deadLeads(CODES, electrodeBit('LL')));
    feed(100);
    for (const name of ['II', 'III', 'AVR', 'AVL', 'AVF', 'V1', 'V6']) expect(at(name, 150), name).toBeNaN();
    expect(at('I', 150)).not.toBeNaN();
    signal.setDeadLeads(0);
    feed(100);
    expect(at('V1', 250)).not.toBeNaN();
  });

  test('a lead at its limit marks those that are computed from it', () => {
    const { feed, signal } = play(DIAGNOSTIC);
    feed(10, { saturated: 0b10 });
    const marks = signal.ring.marks[5]!;
    expect(signal.leads.filter((_, i) => (marks & (1 << i)) !== 0).map(({ code }) => code.slice(13))).toEqual(
      ['II', 'III', 'AVR', 'AVL', 'AVF'],
    );
  });
});

test('another filter shows what it would have shown from the beginning, gaps among it', () => {
  const [late, always] = [play(DIAGNOSTIC), play(MUSCLE)];
  for (const each of [late, always]) {
    each.feed(3000);
    each.feed(2000, { isAfterGap: true, skip: 700 });
  }
  late.signal.setFilter(MUSCLE);
  for (const each of [late, always]) each.feed(500);
  for (let sample = 0; sample < late.end(); sample += 7) {
    if (sample >= 3000 && sample < 3700) continue;
    expect([sample, late.at('AVF', sample)]).toEqual([sample, always.at('AVF', sample)]);
  }
  expect(late.at('II', 5000)).not.toBe(play(DIAGNOSTIC).at('II', 5000));
});

describe('another order', () => {
  test('shows the seconds that are there, gaps and limits of the converter among them', () => {
    const [changed, cabrera] = [play(MUSCLE), play(MUSCLE, 'cabrera')];
    for (const each of [changed, cabrera]) {
      each.feed(300);
      each.feed(200, { isAfterGap: true, skip: 50, saturated: 0b10 });
    }
    expect(changed.signal.setOrder('cabrera')).toBe(true);
    expect(changed.signal.setOrder('cabrera')).toBe(false);
    expect(changed.signal.leads).toEqual(cabrera.signal.leads);
    for (const each of [changed, cabrera]) each.feed(100);
    const { ring } = changed.signal;
    expect([ring.oldest, ring.end]).toEqual([cabrera.signal.ring.oldest, cabrera.signal.ring.end]);
    expect(ring.marks).toEqual(cabrera.signal.ring.marks);
    for (let lead = 0; lead < ring.mv.length; lead++)
      for (let sample = 0; sample < ring.end; sample++)
        if (sample < 300 || sample >= 350)
          expect(ring.mv[lead]![sample]).toBe(cabrera.signal.ring.mv[lead]![sample]);
  });

  test('before anything came begins where the device begins, without a gap before it', () => {
    const { signal, feed } = play(DIAGNOSTIC);
    signal.setOrder('cabrera');
    feed(10, { skip: 5000 });
    expect([signal.ring.oldest, signal.ring.end]).toEqual([5000, 5010]);
  });
});

describe('another patient', () => {
  test('finds nothing of the one before', () => {
    const { signal, feed } = play(DIAGNOSTIC);
    feed(1000);
    signal.addPaces([100, 900]);
    signal.forget();
    expect(signal.ring.oldest).toBe(signal.ring.end);
    expect(signal.paces).toEqual([]);
    feed(100);
    expect([signal.ring.oldest, signal.ring.end]).toEqual([1000, 1100]);
    // The live analysis goes on telling of spikes of the one before.
    signal.addPaces([100, 900, 1050]);
    expect(signal.paces).toEqual([1050]);
  });
});
