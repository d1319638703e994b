import { expect, test } from 'vitest';
import {
  deadLeads,
  type Electrode,
  electrodeBit,
  electrodesOf,
  suspectElectrodes,
} from '../../../shared/signal/electrode.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';

/** Screens, 1.6: which leads mean nothing without an electrode. */
test.each<[Electrode, string]>([
  ['RA', 'I II AVR AVL AVF V1 V2 V3 V4 V5 V6'],
  ['LA', 'I III AVR AVL AVF V1 V2 V3 V4 V5 V6'],
  ['LL', 'II III AVR AVL AVF V1 V2 V3 V4 V5 V6'],
  ['RL', 'I II III AVR AVL AVF V1 V2 V3 V4 V5 V6'],
  ['C1', 'V1'],
  ['C6', 'V6'],
])('without %s: %s', (electrode, leads) => {
  const dead = deadLeads(STANDARD_LEADS, electrodeBit(electrode));
  expect(
    STANDARD_LEADS.filter((_, i) => (dead & (1 << i)) !== 0)
      .map((lead) => lead.slice('MDC_ECG_LEAD_'.length))
      .join(' '),
  ).toBe(leads);
});

test('a lead without a usable signal makes its own electrode suspect, all leads make all of them', () => {
  const usable = (bad: readonly string[]): boolean[] =>
    STANDARD_LEADS.map((lead) => !bad.includes(lead.slice('MDC_ECG_LEAD_'.length)));
  expect(electrodesOf(suspectElectrodes(STANDARD_LEADS, usable([])))).toEqual([]);
  expect(electrodesOf(suspectElectrodes(STANDARD_LEADS, usable(['V4'])))).toEqual(['C4']);
  expect(
    electrodesOf(suspectElectrodes(STANDARD_LEADS, usable(STANDARD_LEADS.map((lead) => lead.slice(13))))),
  ).toHaveLength(10);
});
