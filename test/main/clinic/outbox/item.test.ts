import { expect, test } from 'vitest';
import { ITEM_STEPS, isOpen, mayFollow, newItem } from '../../../../main/clinic/outbox/item.ts';
import { ITEM_STATES } from '../../../../shared/sync-state.ts';

test('every state can be left, and what is done goes only as something new', () => {
  for (const state of ITEM_STATES) expect(ITEM_STEPS[state].length, state).toBeGreaterThan(0);
  expect(ITEM_STEPS.DONE).toEqual(['READY']);
});

test('nothing is sent, or taken for sent, without having been written down before', () => {
  const before = ITEM_STATES.filter((state) => mayFollow(state, 'SENDING') && state !== 'SENDING');
  expect(before).toEqual(['READY']);
  expect(mayFollow('READY', 'WAITING_REPORT')).toBe(false);
  expect(mayFollow('HELD', 'SENDING')).toBe(false);
});

test('whatever waits for a person goes nowhere by itself', () => {
  for (const state of ['HELD', 'REFUSED', 'NEEDS_CHECK', 'STOPPED', 'DONE'] as const)
    expect(isOpen({ ...newItem(1, 'upload', false, 0), state })).toBe(false);
});
