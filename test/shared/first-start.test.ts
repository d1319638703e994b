// What the first start has asked, as one setting holds it.

import { expect, test } from 'vitest';
import { FIRST_START_OPEN, readFirstStart, writeFirstStart } from '../../shared/first-start.ts';
import { parseSetting } from '../../shared/settings.ts';

test('what is written is read again, and nothing else is taken', () => {
  const state = { isOpen: true, done: ['language', 'screen'], later: ['storage'] } as const;
  const text = writeFirstStart(state);
  expect(parseSetting('start.steps', text)).toBe(text);
  expect(readFirstStart(text)).toEqual(state);
  expect(readFirstStart(FIRST_START_OPEN)).toEqual({ isOpen: true, done: [], later: [] });
  // Folders of before it, and those that no person opens, are never asked.
  expect(readFirstStart('')).toEqual({ isOpen: false, done: [], later: [] });
  for (const wrong of ['open now', 'language', 'open later:', 'done done'])
    expect(() => parseSetting('start.steps', wrong)).toThrow();
});
