import { expect, test } from 'vitest';
import { type Item, isAside } from '../../../main/clinic/outbox/item.ts';
import { done, heldItem, newItem, sent, setAside } from '../../../main/clinic/outbox/item-states.ts';
import { readItem, writeItem } from '../../../main/store/outbox/outbox-item.ts';

const ready = newItem(7, 'stream', true, 1000, 3);
const waiting = { ...sent(ready, '5', 2000, 7000), polls: 4, severity: 'LOW', absentMs: 3000 };

test.each<[string, Item]>([
  ['held', heldItem(7, 'upload', false, 1000)],
  ['ready', ready],
  ['being sent', { ...ready, state: 'SENDING', centralId: '5', doubt: 'finish' }],
  ['waiting for its report', waiting],
  ['done', done(waiting)],
  ['refused', setAside({ ...waiting, processedMs: 4000 }, 'REFUSED', 'refused')],
])('an item that is %s is read as it was written', (_state, item) => {
  expect(readItem(writeItem(item))).toEqual(item);
});

/** As versions before 3 wrote it: every field in every state. */
const OLDER = {
  ...newItem(7, 'upload', false, 1000),
  stream: { finds: 0, isStarted: false, ackedFrames: 0, isRepeated: false },
  sessions: 1,
  polls: 2,
  sentMs: 1500,
  isReportAvailable: true,
  centralId: '12',
  severity: 'LOW',
};

test.each<[Item['state'], Partial<Record<string, unknown>>, object]>([
  [
    'WAITING_REPORT',
    {},
    { centralId: '12', polls: 2, sentMs: 1500, isReportAvailable: true, severity: 'LOW' },
  ],
  ['DONE', {}, { centralId: '12', severity: 'LOW' }],
  ['STOPPED', { cause: 'noReport' }, { centralId: '12', severity: 'LOW', cause: 'noReport' }],
  ['SENDING', { doubt: 'createTask', centralId: undefined }, { doubt: 'createTask', sessions: 1 }],
])('an item that an older version left in %s keeps what belongs to that', (state, older, kept) => {
  const { isLive: _live, ...text } = { ...OLDER, ...older, state };
  const read = readItem(JSON.stringify(text));
  expect(read).toMatchObject({ id: 7, state, way: 'upload', isLive: false, ...kept });
  expect(Object.keys(read)).not.toContain('stream');
  expect('cause' in read).toBe(isAside(read));
});
