import { expect, test } from 'vitest';
import { ITEM_STEPS, isOpen, mayFollow } from '../../../../main/clinic/outbox/item.ts';
import { done, heldItem, newItem, sent, setAside } from '../../../../main/clinic/outbox/item-states.ts';
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
  const held = heldItem(1, 'upload', false, 0);
  const aside = (['REFUSED', 'NEEDS_CHECK', 'STOPPED'] as const).map((state) =>
    setAside(held, state, 'byPerson'),
  );
  const going = newItem(1, 'upload', false, 0);
  const waiting = sent(going, '5', 0, 0);
  expect([held, ...aside, done(waiting)].filter(isOpen)).toEqual([]);
  expect([going, waiting].filter(isOpen)).toHaveLength(2);
});

test('an item that is set aside keeps what is known of its task, and nothing of the way there', () => {
  const waiting = { ...sent(newItem(1, 'stream', false, 0), '5', 0, 5000), severity: 'LOW', absentMs: 1 };
  const aside = setAside(waiting, 'STOPPED', 'goneAtCentre');
  expect(aside).toMatchObject({ state: 'STOPPED', centralId: '5', severity: 'LOW', cause: 'goneAtCentre' });
  for (const field of ['absentMs', 'polls', 'sentMs', 'intent', 'doubt'])
    expect(aside).not.toHaveProperty(field);
});
