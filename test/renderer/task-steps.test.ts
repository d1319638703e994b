import { expect, test } from 'vitest';
import { stepsOf } from '../../renderer/screens/worklist/task-steps.ts';
import type { TaskDetail, TaskEventView } from '../../shared/bridge/views.ts';

const task = (state: TaskDetail['state'], more: Partial<TaskDetail> = {}): TaskDetail => ({
  taskId: 1,
  state,
  createdMs: 0,
  patient: {},
  statements: [],
  notAssessed: [],
  quality: [],
  warnings: [],
  indications: [],
  tags: [],
  ...more,
});
const event = (action: TaskEventView['action'], atMs: number, by?: string): TaskEventView => ({
  action,
  atMs,
  ...(by !== undefined && { by }),
});
const RECORDED = [event('task.created', 1), event('stream.started', 2), event('stream.finished', 3)];
const ANALYSED = [...RECORDED, event('task.taken', 4), event('task.analysed', 5)];
const line = (detail: TaskDetail, events: readonly TaskEventView[]): string =>
  stepsOf(detail, events)
    .map(({ name, state, atMs, by }) =>
      [name, state, atMs, by].filter((part) => part !== undefined).join(' '),
    )
    .join(' | ');

test.each<[string, TaskDetail, readonly TaskEventView[], string]>([
  [
    'waits for its device',
    task('WAITING'),
    [event('task.created', 1)],
    'recorded now | queued open | analysed open | approved open | report open',
  ],
  [
    'is recorded',
    task('RECEIVING'),
    RECORDED.slice(0, 2),
    'recorded now | queued open | analysed open | approved open | report open',
  ],
  [
    'is queued',
    task('QUEUED', { durationMs: 1 }),
    RECORDED,
    'recorded done 3 | queued now | analysed open | approved open | report open',
  ],
  [
    'is analysed',
    task('PROCESSING', { durationMs: 1 }),
    ANALYSED.slice(0, 4),
    'recorded done 3 | queued done 4 | analysed now | approved open | report open',
  ],
  [
    'waits for a physician',
    task('AWAITING_APPROVAL', { durationMs: 1 }),
    ANALYSED,
    'recorded done 3 | queued done 4 | analysed done 5 | approved now | report open',
  ],
  [
    'is approved',
    task('COMPLETED', { durationMs: 1 }),
    [...ANALYSED, event('task.approved', 6, 'Dr. Lind')],
    'recorded done 3 | queued done 4 | analysed done 5 | approved done 6 Dr. Lind | report done 6 Dr. Lind',
  ],
  [
    'is approved by nobody',
    task('COMPLETED', { durationMs: 1 }),
    ANALYSED,
    'recorded done 3 | queued done 4 | analysed done 5 | report done 5',
  ],
  [
    'failed',
    task('FAILED', { durationMs: 1, failureReason: 'record_unreadable' }),
    [...RECORDED, event('task.taken', 4), event('task.failed', 5)],
    'recorded done 3 | queued done 4 | analysed failed 5 | approved open | report open',
  ],
  [
    'was tried twice: the last time counts',
    task('AWAITING_APPROVAL', { durationMs: 1 }),
    [...ANALYSED, event('task.assigned', 6), event('task.taken', 7), event('task.analysed', 8)],
    'recorded done 3 | queued done 7 | analysed done 8 | approved now | report open',
  ],
  [
    'was called off before',
    task('CANCELLED'),
    RECORDED.slice(0, 1),
    'recorded cancelled | queued cancelled | analysed cancelled | approved cancelled | report cancelled',
  ],
  [
    'was called off behind',
    task('CANCELLED', { durationMs: 1 }),
    RECORDED,
    'recorded done 3 | queued cancelled | analysed cancelled | approved cancelled | report cancelled',
  ],
])('a task that %s', (_name, detail, events, expected) => {
  expect(line(detail, events)).toBe(expected);
});
