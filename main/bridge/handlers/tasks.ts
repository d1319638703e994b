// Tasks, from a file or a device to the report.

import { type TASK_COMMANDS, TASK_QUERIES } from '../../../shared/bridge/contract/tasks.ts';
import type { TaskRow } from '../../../shared/bridge/views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Caller } from '../../clinic/people/sessions.ts';
import { actorOf, type Person } from '../../clinic/people/users.ts';
import type { ListedTask } from '../../clinic/tasks/records.ts';
import { historyOf } from '../../clinic/tasks/task-history.ts';
import { requireSubject } from '../../clinic/tasks/task-subject.ts';
import type { Answers } from './caller.ts';
import { deskEntryOf } from './desk-entry.ts';
import { taskDetail, taskRow } from './task-row.ts';

type Listed = Pick<ListedTask, 'task' | 'facts' | 'lane' | 'queuedAhead'>;

/** One that somebody has opened is in another lane than the store knows; how many are ahead there is not counted. */
function inItsLane<T extends Listed>({ queue }: Clinic, listed: T): T {
  const isMoved = listed.lane !== undefined && listed.lane !== 'emergency' && queue.isAwaited(listed.task.id);
  return isMoved ? { ...listed, lane: 'awaited', queuedAhead: undefined } : listed;
}

/** What is known of a task beside the store: of its device, and of its analysis. */
function nowOf(
  { streams, queue }: Clinic,
  { task: { id, state }, facts }: Listed,
): Pick<TaskRow, 'isDeviceLost' | 'waitsForLong' | 'progress'> {
  if (state === 'RECEIVING' && streams.isDeviceLost(id)) return { isDeviceLost: true };
  if (state === 'QUEUED' && facts !== undefined && queue.waitsForLong(facts)) return { waitsForLong: true };
  return state === 'PROCESSING' ? given({ progress: queue.progressOf(id) }) : {};
}

const currentRow = (clinic: Clinic, task: ListedTask): TaskRow => ({
  ...taskRow(inItsLane(clinic, task)),
  ...nowOf(clinic, task),
});

/** The rows of some tasks for a page; none where nobody is signed in, or who is may not see them. */
export function rowsFor(clinic: Clinic, session: string, taskIds: readonly number[]): TaskRow[] {
  return clinic.sessions.may(session, TASK_QUERIES['task.list'])
    ? clinic.worklist.some(taskIds).map((task) => currentRow(clinic, task))
    : [];
}

export function taskQueries(clinic: Clinic): Answers<keyof typeof TASK_QUERIES> {
  return {
    'task.list': async (query) => {
      const { tasks, total, isSimilar } = clinic.worklist.list(query);
      return {
        rows: tasks.map((task) => currentRow(clinic, task)),
        total,
        ...(isSimilar && { isSimilar }),
      };
    },
    'task.get': async ({ taskId }) => {
      const task = clinic.tasks.find(undefined, taskId);
      if (task.state === 'QUEUED') clinic.queue.await(taskId);
      const device = clinic.streams.deviceView(task);
      const looked = clinic.worklist.lookAt(taskId);
      return {
        ...taskDetail(inItsLane(clinic, looked)),
        ...nowOf(clinic, looked),
        ...(device !== undefined && { device }),
      };
    },
    'task.history': async ({ taskId }) => {
      const progress = clinic.queue.progressOf(clinic.tasks.find(undefined, taskId).id);
      return { events: historyOf(clinic.context, taskId), ...(progress !== undefined && { progress }) };
    },
    'report.revisions': async ({ taskId }) => ({
      revisions: clinic.reports
        .revisions(taskId)
        .map(({ revision, look: { approval, createdMs } }) =>
          approval.kind === 'approved'
            ? { revision, ...given({ by: approval.by, reason: approval.reason }), atMs: approval.atMs }
            : { revision, atMs: createdMs },
        ),
    }),
    'report.read': async ({ taskId, revision }, { session }) => {
      const read = await clinic.reports.read(taskId, revision);
      await clinic.reading.note(session, 'report.read', taskId);
      return read;
    },
  };
}

export function taskCommands(clinic: Clinic): Answers<keyof typeof TASK_COMMANDS> {
  return { ...importCommands(clinic), ...deviceCommands(clinic), ...judgeCommands(clinic) };
}

function importCommands({ imports }: Clinic) {
  return {
    'import.open': async ({ files }, { session }) => ({ importId: await imports.open(files, session) }),
    'import.write': async ({ importId, fileIndex, offsetBytes, bytes }, { session }) => {
      await imports.write(importId, fileIndex, offsetBytes, bytes, session);
      return {};
    },
    'import.finish': async ({ importId, autoComplete }, caller) =>
      imports.finish(importId, autoComplete, caller),
    'import.cancel': async ({ importId }, { session }) => {
      await imports.cancel(importId, session);
      return {};
    },
  } satisfies Partial<Answers<keyof typeof TASK_COMMANDS>>;
}

/** Commands to network devices: what a task's own device is told. */
function deviceCommands({ devices, streams, tasks }: Clinic) {
  return {
    'device.command': async ({ taskId, command }, { actor }) => {
      await devices.command(taskId, command, actor);
      return {};
    },
    'device.setDuration': async ({ taskId, durationMs }, { actor }) => {
      await devices.setDuration(taskId, durationMs, actor);
      return {};
    },
    'stream.finish': async ({ taskId }, { actor }) => {
      await streams.finish(tasks.find(undefined, taskId).organizationId, taskId, actor);
      return {};
    },
  } satisfies Partial<Answers<keyof typeof TASK_COMMANDS>>;
}

function judgeCommands(clinic: Clinic) {
  /** Somebody who has shown once more who it is, just now or within the time that was set for that (SEC53). */
  const signer = async (
    { person, session }: Caller,
    secret: string | undefined,
  ): Promise<{ name: string; actor: string }> => {
    if (secret === undefined && clinic.sessions.confirmedForMs(session) === undefined)
      throw new IsolineError('secret_needed', 'Type your PIN or password.');
    const confirmed =
      secret === undefined
        ? (person as Person)
        : await clinic.users.confirm(person as Person, secret, clinic.seats.whereIs(session));
    return { name: confirmed.name, actor: actorOf(confirmed) };
  };
  return {
    'task.assign': async ({ entry, ...assigning }, { actor }) => {
      await clinic.assignment.assign(
        { ...assigning, entry: deskEntryOf(entry, clinic.context.clock.nowMs()) },
        actor,
      );
      return {};
    },
    'task.retry': async ({ taskId }, { actor }) => {
      await clinic.tasks.retry(taskId, actor);
      return {};
    },
    'task.delete': async ({ taskId, reason, of }, { session }) => {
      await clinic.deletion.delete(taskId, reason, session, of);
      return {};
    },
    'task.approve': async ({ taskId, secret, reason, of, ...seen }, caller) => {
      const confirmed = clinic.sessions.confirming(caller.session);
      const by = await signer(caller, secret);
      requireSubject(clinic.context.store, clinic.tasks.find(undefined, taskId), of);
      await clinic.approvals.approve(taskId, seen, { ...by, isConfirmedNow: secret !== undefined }, reason);
      if (secret !== undefined) confirmed();
      return {};
    },
    'task.acknowledge': async ({ taskId, revision }, caller) => {
      await clinic.criticals.acknowledge(taskId, revision, caller);
      return {};
    },
    'task.reject': async ({ taskId, reason, secret, of }, caller) => {
      const by = await signer(caller, secret);
      requireSubject(clinic.context.store, clinic.tasks.find(undefined, taskId), of);
      await clinic.approvals.reject(taskId, reason, by);
      return {};
    },
    'recording.export': async ({ taskId, format }, { actor }) => clinic.exports.export(taskId, format, actor),
    'report.saved': async ({ taskId }, { session }) => {
      clinic.tasks.find(undefined, taskId);
      await clinic.reading.note(session, 'report.saved', taskId);
      return {};
    },
  } satisfies Partial<Answers<keyof typeof TASK_COMMANDS>>;
}
