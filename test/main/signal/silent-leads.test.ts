// Which leads have no signal, and when leads were recorded one after another.

import { expect, test } from 'vitest';
import { areInTurn, isSilent } from '../../../main/signal/silent-leads.ts';
import type { LeadQuality } from '../../../shared/analysis-result.ts';

const lead = (
  name: string,
  usableShare: number,
  grade: LeadQuality['grade'],
  flags: LeadQuality['flags'],
): LeadQuality => ({ lead: name, usableShare, grade, flags });

test('leads that were recorded in turn are told from one whose electrode is off beside a gap of all', () => {
  const inTurn = ['I', 'V1', 'V4'].map((name) => lead(name, 0.2, 'poor', ['gap']));
  expect(areInTurn(inTurn)).toBe(true);
  const isOff = [
    lead('I', 0.95, 'good', ['gap']),
    lead('II', 0.7, 'fair', ['gap']),
    lead('V1', 0, 'poor', ['gap']),
  ];
  expect(areInTurn(isOff)).toBe(false);
  expect(isOff.filter(isSilent).map((one) => one.lead)).toEqual(['V1']);
  expect(areInTurn([...inTurn, lead('V6', 0, 'poor', ['flat'])])).toBe(false);
  expect(areInTurn([])).toBe(false);
});
