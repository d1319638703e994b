// How a stream begins: for a task that is named, or for one that waits for its device (D70 to D72).

import { IsolineError } from '../../../shared/errors.ts';
import type { RecordedDevice } from '../../../shared/signal/stream-file.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import { type ClinicContext, change, type Note, type Tx } from '../context.ts';
import type { Task } from '../tasks/records.ts';
import { listTask } from '../tasks/task-listing.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { DeviceLinks } from './device-links.ts';
import type { StreamRow, StreamStart } from './records.ts';
import { haveSameParameters } from './stream-parameters.ts';
import { notFound, step, warn } from './stream-rules.ts';

const MAX_OPEN = 64;
/** A device that asks by its name for a stream with frames must have been heard of so lately (D71). */
const RECENT_MS = 600_000;

/** What a recording of this workstation knows of its beginning. */
export interface DeskStart {
  /** When its first sample was, by the clock of this computer. */
  readonly startedMs: number;
  readonly device: RecordedDevice;
}

export class StreamStarts {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #links: DeviceLinks;

  constructor(context: ClinicContext, tasks: Tasks, links: DeviceLinks) {
    this.#context = context;
    this.#tasks = tasks;
    this.#links = links;
  }

  /** The stream of a device that knows only itself (D70). */
  find(organizationId: number, deviceId: string): number {
    const { store } = this.#context;
    const found = (['WAITING', 'RECEIVING'] as const)
      .map((state) => store.tasks.latestOfDevice(organizationId, deviceId.trim(), state)?.id ?? 0)
      .reduce((a, b) => Math.max(a, b));
    if (found === 0) throw notFound();
    return found;
  }

  /** Opens a stream, or goes on with one that was opened in the same way (D71, D72). @returns its id. */
  async start(organizationId: number, start: StreamStart, actor: string, desk?: DeskStart): Promise<number> {
    const taskId = await change(this.#context, (tx) => {
      const task = this.#taskToStart(organizationId, start);
      const stream = this.#context.store.streams.byId(task.id);
      if (stream?.state === 'open' && desk !== undefined) this.#requireSameStart(stream, desk);
      const notes =
        stream?.state === 'open'
          ? this.#startAgain(stream, start)
          : this.#startNew(tx, task, start, actor, desk);
      if (start.deviceState !== undefined) this.#links.note(tx, task.id, start.deviceState);
      this.#links.note(tx, task.id, 'started');
      return { result: task.id, notes };
    });
    this.#context.publish('task.changed', { taskId });
    return taskId;
  }

  #taskToStart(organizationId: number, start: StreamStart): Task {
    const { store, clock } = this.#context;
    if (start.taskId !== undefined) {
      const task = store.tasks.byId(start.taskId);
      if (task === undefined || task.organizationId !== organizationId || task.state === 'DELETED')
        throw new IsolineError('unknown_task', 'The task for this stream does not exist.');
      return task;
    }
    const deviceId = start.deviceId?.trim() ?? '';
    if (deviceId === '')
      throw new IsolineError('invalid_task_id', 'Name the task by "task_id", or the device by "device_id".');
    const waiting = store.tasks.latestOfDevice(organizationId, deviceId, 'WAITING');
    if (waiting !== undefined) return waiting;
    const receiving = store.tasks.latestOfDevice(organizationId, deviceId, 'RECEIVING');
    const stream = receiving === undefined ? undefined : store.streams.byId(receiving.id);
    const isOurs = stream !== undefined && haveSameParameters(stream.parameters, start.parameters);
    const isRecent = stream?.lastFrameMs === undefined || clock.nowMs() - stream.lastFrameMs < RECENT_MS;
    if (receiving === undefined || !isOurs || !isRecent)
      throw new IsolineError(
        'no_waiting_task',
        'No task is waiting for this device. Create one for the patient first.',
      );
    return receiving;
  }

  #startNew(tx: Tx, task: Task, start: StreamStart, actor: string, desk: DeskStart | undefined): Note[] {
    const { store, clock } = this.#context;
    // What was interrupted at this workstation must never keep the next patient from being recorded.
    if (desk === undefined && store.streams.countOpen() >= MAX_OPEN)
      throw new IsolineError('task_state_conflict', `${MAX_OPEN} streams are open. Finish one first.`);
    step('absent', 'started');
    this.#tasks.move(tx, task.id, 'streamStarted');
    const { startedMs = clock.nowMs(), device } = desk ?? {};
    const { parameters, totalFrames = 0, deviceId } = start;
    store.streams.add({ taskId: task.id, parameters, totalFrames, startedMs, device });
    if (task.fields.deviceId === undefined && deviceId !== undefined)
      store.tasks.setFields(task.id, { ...task.fields, deviceId });
    listTask(tx, store, task.id);
    this.#tasks.consider(tx, task.id);
    if (start.isScalePartial === true) warn(tx, store, task.id, warning('scaling_incomplete'));
    return [
      {
        actor,
        action: 'stream.started',
        subject: `task:${task.id}`,
        detail: { leads: parameters.leadCodes.length },
      },
    ];
  }

  /**
   * The desk begins a recording a second time where the first answer was lost; never does it go on in one
   * that holds something.
   */
  #requireSameStart({ taskId, startedMs }: StreamRow, desk: DeskStart): void {
    if (startedMs === desk.startedMs && this.#context.store.streams.countFrames(taskId) === 0) return;
    throw new IsolineError(
      'stream_already_started',
      `Task ${taskId} holds a recording that was not ended: finish it, and record into another task.`,
    );
  }

  #startAgain(stream: StreamRow, { parameters, totalFrames }: StreamStart): Note[] {
    if (!haveSameParameters(stream.parameters, parameters))
      throw new IsolineError(
        'stream_already_started',
        'The stream was started with other parameters. Finish it first.',
      );
    step(stream.state, 'startedAgain');
    if (totalFrames !== undefined) this.#context.store.streams.setTotalFrames(stream.taskId, totalFrames);
    return [];
  }
}
