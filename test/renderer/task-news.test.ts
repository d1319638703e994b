import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { listAfter, takeIn } from '../../renderer/bridge/task-news.ts';
import type { TaskQuery, TaskRow } from '../../shared/bridge/views.ts';

const task = (taskId: number, more: Partial<TaskRow> = {}): TaskRow => ({
  taskId,
  state: 'AWAITING_APPROVAL',
  createdMs: 1000 * taskId,
  patient: { lastName: 'Rivera' },
  ...more,
});
const all: TaskQuery = { limit: 100 };
const shown = { rows: [task(9), task(7), task(5)], total: 3 };
const approved = task(7, { state: 'COMPLETED', severity: 'LOW' });

describe('a list after a task has changed', () => {
  test('shows its new row in the same place', () => {
    expect(listAfter(shown, all, approved)).toEqual({ rows: [task(9), approved, task(5)], total: 3 });
  });

  test.each<[string, TaskQuery, TaskRow]>([
    ['it has left the states that are asked for', { ...all, states: ['AWAITING_APPROVAL'] }, approved],
    ['words are looked for', { ...all, text: 'riv' }, approved],
    ['it is new', all, task(10)],
    ['it is on another page of a filtered list', { ...all, isRealOnly: true, offset: 100 }, task(4)],
    ['it fits now and did not before', { ...all, lowestSeverity: 'LOW' }, task(6, { severity: 'CRITICAL' })],
  ])('is asked for again where %s', (_why, asked, row) => {
    expect(listAfter(shown, asked, row)).toBeUndefined();
  });

  test('is asked for again while others wait in the queue: fewer may go before them', () => {
    const list = { rows: [task(9, { state: 'QUEUED', queuedAhead: 1 }), task(7)], total: 2 };
    expect(listAfter(list, all, approved)).toBeUndefined();
  });

  test.each<[string, TaskQuery, TaskRow, number]>([
    ['it is on another page', all, task(3), 5000],
    ['it is of a day that is not asked for', { ...all, sinceMs: 4000 }, task(3), 3],
    [
      'a short list does not ask for its state',
      { ...all, states: ['AWAITING_APPROVAL'] },
      { ...approved, taskId: 6 },
      3,
    ],
    ['somebody reads, and it is newer', { ...all, newestId: 9 }, task(10), 3],
    ['it has no severity yet, and the list asks for some', { ...all, lowestSeverity: 'NONE' }, task(6), 3],
  ])('stays as it is where %s', (_why, asked, row, total) => {
    const list = { ...shown, total };
    expect(listAfter(list, asked, row)).toBe(list);
  });
});

/** Questions on screen, and how often each was asked once `news` have come. */
async function askedAfter(
  questions: readonly (readonly [name: string, input: object, data: object])[],
  ...news: Parameters<typeof takeIn>[1][]
): Promise<{ readonly asked: string[]; readonly queries: QueryClient }> {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const asked: string[] = [];
  const ends = questions.map(([name, input, data]) => {
    queries.setQueryData([name, input], data);
    const queryFn = async () => {
      asked.push(`${name} ${JSON.stringify(input)}`);
      return data;
    };
    return new QueryObserver(queries, { queryKey: [name, input], queryFn }).subscribe(() => undefined);
  });
  for (const each of news) takeIn(queries, each);
  await Promise.resolve();
  for (const end of ends) end();
  return { asked: asked.sort(), queries };
}

describe('what is on screen when a task has changed', () => {
  test('only what is about that task is asked for again', async () => {
    const { asked, queries } = await askedAfter(
      [
        ['task.list', all, shown],
        ['task.get', { taskId: 7 }, task(7)],
        ['task.get', { taskId: 8 }, task(8)],
        ['task.history', { taskId: 7 }, { events: [] }],
        ['desk.interrupted', {}, { recordings: [{ taskId: 3 }] }],
      ],
      { taskId: 7, row: approved },
    );
    expect(asked).toEqual(['task.get {"taskId":7}', 'task.history {"taskId":7}']);
    expect(queries.getQueryData<typeof shown>(['task.list', all])?.rows[1]).toEqual(approved);
  });

  test('a task that waits for its analysis is asked for with every other: fewer may go before it', async () => {
    const { asked } = await askedAfter(
      [['task.get', { taskId: 8 }, task(8, { state: 'QUEUED', queuedAhead: 2 })]],
      { taskId: 7, row: approved },
    );
    expect(asked).toEqual(['task.get {"taskId":8}']);
  });

  test.each<[string, Parameters<typeof takeIn>[1]]>([
    ['no task is named', {}],
    ['the task is gone, or is not for whoever looks', { taskId: 7 }],
  ])('lists are asked for again where %s', async (_why, news) => {
    const { asked } = await askedAfter(
      [
        ['task.list', all, shown],
        ['desk.interrupted', {}, { recordings: [] }],
      ],
      news,
    );
    expect(asked).toEqual(['desk.interrupted {}', `task.list ${JSON.stringify(all)}`]);
  });

  test('recordings that nobody ended are asked for again with one that is received, or is among them', async () => {
    const question = ['desk.interrupted', {}, { recordings: [{ taskId: 7 }] }] as const;
    for (const row of [approved, task(8, { state: 'RECEIVING' })])
      expect((await askedAfter([question], { taskId: row.taskId, row })).asked).toHaveLength(1);
  });

  test('a list that is being asked for is asked for once more: its answer may be from before', async () => {
    const { asked } = await askedAfter([['task.list', all, shown]], {}, { taskId: 7, row: approved });
    expect(asked).toHaveLength(2);
  });
});
