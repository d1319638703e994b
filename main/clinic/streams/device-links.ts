// What the device behind a waiting or running task reports, and the one command that waits for it (D77 to
// D80).

import type { DeviceView } from '../../../shared/bridge/views.ts';
import { type DeviceCommand, type DeviceState, UNKNOWN_DEVICE_STATE } from '../../../shared/device-state.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { type ClinicContext, change, type Tx, transact } from '../context.ts';
import type { Task } from '../tasks/records.ts';
import type { DeviceLink, DeviceOrders, StreamRow } from './records.ts';

const COMMAND_LIFE_MS = 600_000;
const LOST_AFTER_MS = 30_000;
/** As the centre's screen says: a device that waits for the command starts by itself after ten seconds. */
const AUTO_START_MS = 10_000;

/** What a device does, as far as commands care. */
export type DeviceEvent = 'started' | 'frame' | 'finished' | DeviceState;

/** What shows that a command was obeyed (D78). */
const CLEARED_BY: Readonly<Record<DeviceCommand, readonly DeviceEvent[]>> = {
  START_DEVICE: ['started', 'frame', 'RECORDING', 'finished'],
  STOP_DEVICE: ['RECORDING_COMPLETED', 'UPLOADING', 'finished'],
  RETRY_UPLOADING: ['UPLOADING', 'RECORDING_COMPLETED', 'frame', 'finished'],
};

function maySet(command: DeviceCommand, task: Task, link: DeviceLink): boolean {
  if (command === 'START_DEVICE') return task.state === 'WAITING';
  if (command === 'STOP_DEVICE') return task.state === 'RECEIVING';
  return link.deviceState === 'UPLOADING_FAILED' && (task.state === 'RECEIVING' || task.state === 'WAITING');
}

const without = ({ command: _command, commandMs: _ms, ...rest }: DeviceLink): DeviceLink => ({
  ...rest,
  command: undefined,
  commandMs: undefined,
});

export class DeviceLinks {
  readonly #context: ClinicContext;
  /** When each waiting device first said that it waits, since this start of the program. */
  readonly #waitingSinceMs = new Map<number, number>();

  /** Tasks that may have a command pending: frames come often, and must not look it up each time. */
  readonly #commanded: Set<number>;

  constructor(context: ClinicContext) {
    this.#context = context;
    this.#commanded = new Set(context.store.devices.withCommand());
  }

  /** Keeps what a device did. */
  note(tx: Tx, taskId: number, event: Exclude<DeviceEvent, 'frame'>): void {
    const { store, clock } = this.#context;
    const link = store.devices.link(taskId);
    const isObeyed = link.command !== undefined && CLEARED_BY[link.command].includes(event);
    const isReport = event !== 'started' && event !== 'finished';
    if (event !== 'WAITING_FOR_START') tx.after(() => void this.#waitingSinceMs.delete(taskId));
    store.devices.setLink(taskId, {
      ...(isObeyed ? without(link) : link),
      ...(isReport && { deviceState: event }),
      heartbeatMs: clock.nowMs(),
    });
  }

  /** A frame came. It is no report: its time stands with the stream. */
  noteFrame(tx: Tx, taskId: number): void {
    if (!this.#commanded.has(taskId)) return;
    const { store } = this.#context;
    const link = store.devices.link(taskId);
    if (link.command === undefined) tx.after(() => void this.#commanded.delete(taskId));
    else if (CLEARED_BY[link.command].includes('frame')) store.devices.setLink(taskId, without(link));
  }

  /** A device reports its state: that is also its heartbeat. */
  async report(taskId: number, state: DeviceState): Promise<void> {
    const { store, clock } = this.#context;
    const before = store.devices.link(taskId).deviceState;
    await transact(store, (tx) => this.note(tx, taskId, state));
    if (state === 'WAITING_FOR_START' && !this.#waitingSinceMs.has(taskId))
      this.#waitingSinceMs.set(taskId, clock.nowMs());
    if (before !== state) this.#context.publish('task.changed', { taskId });
  }

  /** What the device reads when it asks. Asking is no heartbeat, and clears nothing. */
  async params(task: Task): Promise<DeviceOrders> {
    await this.#startByItself(task);
    const { deviceState, customDurationMs } = this.#context.store.devices.link(task.id);
    return { state: deviceState, command: this.#pending(task.id), durationMs: customDurationMs };
  }

  #pending(taskId: number): DeviceCommand | undefined {
    const { command, commandMs = 0 } = this.#context.store.devices.link(taskId);
    return this.#context.clock.nowMs() - commandMs < COMMAND_LIFE_MS ? command : undefined;
  }

  async #startByItself(task: Task): Promise<void> {
    const sinceMs = this.#waitingSinceMs.get(task.id);
    if (!this.#context.settings()['devices.autoStart'] || sinceMs === undefined || task.state !== 'WAITING')
      return;
    if (this.#context.clock.nowMs() - sinceMs < AUTO_START_MS || this.#pending(task.id) !== undefined) return;
    this.#waitingSinceMs.delete(task.id);
    await this.command(task.id, 'START_DEVICE', 'program');
  }

  /**
   * Sets the one pending command of a task; another one is replaced. @throws IsolineError
   * `task_state_conflict`
   */
  async command(taskId: number, command: DeviceCommand, actor: string): Promise<void> {
    const { store, clock } = this.#context;
    await change(this.#context, (tx) => {
      const task = store.tasks.byId(taskId);
      const link = store.devices.link(taskId);
      if (task === undefined || !maySet(command, task, link))
        throw new IsolineError(
          'task_state_conflict',
          'The device cannot do this while the task is in its current state.',
        );
      store.devices.setLink(taskId, { ...link, command, commandMs: clock.nowMs() });
      tx.after(() => void this.#commanded.add(taskId));
      return {
        result: undefined,
        notes: [{ actor, action: 'device.commanded', subject: `task:${taskId}`, detail: { command } }],
      };
    });
    this.#context.publish('task.changed', { taskId });
  }

  /** How long a device is to record; undefined = until it is stopped (D79). */
  async setDuration(taskId: number, durationMs: number | undefined, actor: string): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, () => {
      const state = store.tasks.byId(taskId)?.state;
      if (state !== 'WAITING' && state !== 'RECEIVING' && state !== 'DRAFT')
        throw new IsolineError(
          'task_state_conflict',
          'The recording has ended. Its duration can no longer be set.',
        );
      store.devices.setLink(taskId, { ...store.devices.link(taskId), customDurationMs: durationMs });
      return {
        result: undefined,
        notes: [
          {
            actor,
            action: 'device.duration_set',
            subject: `task:${taskId}`,
            detail: { durationMs: durationMs ?? 0 },
          },
        ],
      };
    });
    this.#context.publish('task.changed', { taskId });
  }

  /** What a screen shows of the device of a task that waits for it or receives from it. */
  view(task: Task, stream: StreamRow | undefined, frameCount: number): DeviceView | undefined {
    if (task.state !== 'WAITING' && task.state !== 'RECEIVING') return undefined;
    const { store, clock } = this.#context;
    const link = store.devices.link(task.id);
    const seenMs = Math.max(link.heartbeatMs ?? 0, stream?.lastFrameMs ?? 0);
    const pending = this.#pending(task.id);
    return {
      state: link.deviceState ?? UNKNOWN_DEVICE_STATE,
      ...(seenMs > 0 && { seenMs }),
      isLost: task.state === 'RECEIVING' && clock.nowMs() - seenMs > LOST_AFTER_MS,
      ...(pending !== undefined && { command: pending }),
      isCommandIgnored: link.command !== undefined && pending === undefined,
      commands: (['START_DEVICE', 'STOP_DEVICE', 'RETRY_UPLOADING'] as const).filter((command) =>
        maySet(command, task, link),
      ),
      frameCount,
      ...(stream !== undefined && { startedMs: stream.startedMs }),
    };
  }
}
