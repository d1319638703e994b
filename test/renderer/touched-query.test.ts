import { expect, test } from 'vitest';
import { isTouched } from '../../renderer/bridge/touched-query.ts';

const asked = (name: string, input: object, data?: object) => ({ queryKey: [name, input], state: { data } });

test.each([
  ['the task that has changed', asked('task.get', { taskId: 7 }), 7, true],
  ['another task', asked('task.get', { taskId: 8 }), 7, false],
  ['the history of another task', asked('task.history', { taskId: 8 }), 7, false],
  [
    'a task that waits for its analysis: fewer may go before it',
    asked('task.get', { taskId: 8 }, { queuedAhead: 2 }),
    7,
    true,
  ],
  ['a task, where any may have changed', asked('task.get', { taskId: 8 }), undefined, true],
  ['a list', asked('task.list', { limit: 100 }), 7, true],
])('%s', (_name, query, changedId, isStale) => {
  expect(isTouched(query, changedId)).toBe(isStale);
});
