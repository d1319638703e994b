import { expect, test } from 'vitest';
import { newItem } from '../../../main/clinic/outbox/item.ts';
import { readItem, writeItem } from '../../../main/store/outbox-item.ts';

test('an item is read as it was written', () => {
  const item = {
    ...newItem(7, 'stream', true, 1000, 3),
    state: 'SENDING',
    centralId: '5',
    doubt: 'finish',
  } as const;
  expect(readItem(writeItem(item))).toEqual(item);
});

test('an item of an older version lacks what was not known then, and is otherwise as it was', () => {
  const { isLive: _live, absentMs: _absent, ...older } = newItem(7, 'upload', false, 1000);
  const text = JSON.stringify({ ...older, state: 'WAITING_REPORT', centralId: '12' });
  expect(readItem(text)).toEqual({
    ...newItem(7, 'upload', false, 1000),
    state: 'WAITING_REPORT',
    centralId: '12',
  });
});
