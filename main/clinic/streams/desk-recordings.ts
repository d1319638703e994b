// Recordings of the device on the desk. They are streams like those of network devices, with what only this
// workstation knows: the device, the exact place of every sample, what happened meanwhile.

import { IsolineError } from '../../../shared/errors.ts';
import { isPlain } from '../../../shared/plain-text.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import type { RecordedDevice } from '../../../shared/signal/stream-file.ts';
import { type ClinicContext, change } from '../context.ts';
import { type Sessions, WORKSTATION } from '../people/sessions.ts';
import type { DeskEntry, Task } from '../tasks/records.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { DeviceName, KnownDevice, RecordingEvent, StreamParameters } from './records.ts';
import type { Streams } from './streams.ts';

const MOST_DEVICE_ID = 256;

export interface DeskRecordingStart {
  /** Absent: a task without a patient is made, who is assigned later. */
  readonly taskId?: number | undefined;
  /** Whose it is, for a task that is made. */
  readonly entry?: DeskEntry | undefined;
  /** The task that it goes on from: the patient is the same. */
  readonly continues?: number | undefined;
  /** The page at which somebody asked for it. */
  readonly session?: string | undefined;
  readonly parameters: StreamParameters;
  readonly device: RecordedDevice;
  /** When the first sample was. */
  readonly startedMs: number;
}

export interface DeskRecordingEnd {
  readonly device?: RecordedDevice | undefined;
  readonly events: readonly RecordingEvent[];
  readonly warnings: readonly Warning[];
  /** Who ended it, for the audit; undefined where it ended by itself. */
  readonly actor?: string | undefined;
}

/** A recording that nobody ended: the program or the computer stopped in the middle of it. */
export interface InterruptedRecording {
  readonly taskId: number;
  readonly startedMs: number;
  readonly deviceName: string;
  readonly isSimulated: boolean;
  /** From the first to the last sample that is stored. */
  readonly durationMs: number;
}

export class DeskRecordings {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #streams: Streams;
  readonly #sessions: Sessions;
  readonly #organizationId: number;

  constructor(
    context: ClinicContext,
    tasks: Tasks,
    streams: Streams,
    sessions: Sessions,
    organizationId: number,
  ) {
    this.#context = context;
    this.#tasks = tasks;
    this.#streams = streams;
    this.#sessions = sessions;
    this.#organizationId = organizationId;
  }

  /** @returns the task, which is the id of the stream too. */
  async begin(start: DeskRecordingStart): Promise<number> {
    const { parameters, device, startedMs } = start;
    const actor = this.#starterOf(start);
    const id = start.taskId ?? (await this.#makeTask(start, actor));
    const organizationId = this.#organizationOf(id);
    const stream = { taskId: id, parameters, deviceState: 'RECORDING' } as const;
    await this.#streams.start(organizationId, stream, actor, { startedMs, device });
    void this.#keepReserve();
    return id;
  }

  /** Room that lets a recording end in order on a full disk. Nobody waits for it. */
  async #keepReserve(): Promise<void> {
    const { files, log } = this.#context;
    await files
      .keepReserve()
      .catch((error: unknown) =>
        log('reserve.failed', { reason: error instanceof IsolineError ? error.reason : 'internal' }),
      );
  }

  #earlierOf({ continues }: DeskRecordingStart): Task | undefined {
    return continues === undefined ? undefined : this.#context.store.tasks.byId(continues);
  }

  /**
   * Who is unknown can be recorded at once, by anybody; under a name only somebody who may.
   * @throws IsolineError `sign_in_needed`, `not_allowed`
   */
  #starterOf(start: DeskRecordingStart): string {
    const { session, entry } = start;
    if (session === undefined) return WORKSTATION;
    const isOfNobody = entry === undefined && this.#earlierOf(start) === undefined;
    return this.#sessions.actor(session, isOfNobody ? 'anybody' : 'record');
  }

  async #makeTask(start: DeskRecordingStart, actor: string): Promise<number> {
    const { entry, device } = start;
    const deviceId = nameOf(device);
    const earlier = this.#earlierOf(start);
    if (earlier !== undefined) return this.#tasks.createLike(earlier, deviceId, actor);
    return this.#tasks.createForDesk(this.#organizationId, deviceId, entry, actor);
  }

  #organizationOf(taskId: number): number {
    return this.#tasks.find(undefined, taskId).organizationId;
  }

  /** Returns when the frame and its events are on the disk. */
  async append(
    taskId: number,
    timestampUs: number,
    bytes: Uint8Array,
    events: readonly RecordingEvent[],
  ): Promise<void> {
    const organizationId = this.#organizationOf(taskId);
    const append = (): Promise<void> =>
      this.#streams.append(organizationId, taskId, timestampUs, bytes, WORKSTATION, { events });
    try {
      await append();
    } catch (error) {
      const isFull = error instanceof IsolineError && error.reason === 'storage_full';
      // What is kept for that lets the recording end in order.
      if (!isFull || !(await this.#context.files.releaseReserve().catch(() => false))) throw error;
      await append();
    }
  }

  /** Ends a recording; its task goes to the analysis. */
  async finish(taskId: number, { actor = WORKSTATION, ...end }: DeskRecordingEnd): Promise<void> {
    await this.#streams.finish(this.#organizationOf(taskId), taskId, actor, end);
  }

  /**
   * Nothing was recorded.
   * @param isTaskOurs it was made for this recording, and goes with it; else it waits again.
   */
  async discardEmpty(taskId: number, isTaskOurs: boolean): Promise<void> {
    const { store } = this.#context;
    if (store.streams.countFrames(taskId) > 0)
      throw new IsolineError(
        'task_state_conflict',
        'The recording is not empty. It can be finished, but not discarded.',
      );
    await this.#streams.closeEmpty(taskId);
    if (!isTaskOurs) return;
    await change(this.#context, (tx) => {
      this.#tasks.move(tx, taskId, 'deleted');
      return {
        result: undefined,
        notes: [
          {
            actor: WORKSTATION,
            action: 'task.deleted',
            subject: `task:${taskId}`,
            detail: { reason: 'empty' },
          },
        ],
      };
    });
    this.#context.publish('task.changed', { taskId });
  }

  /** All that are open; those that run now are known to the caller. */
  open(): InterruptedRecording[] {
    const { store } = this.#context;
    return store.streams.open().flatMap(({ taskId, startedMs, device, parameters }) => {
      if (device === undefined) return [];
      const last = store.streams.lastFrame(taskId);
      const durationMs =
        last === undefined ? 0 : last.timestampUs / 1000 + (1000 * last.samples) / parameters.sampleRateHz;
      return [
        {
          taskId,
          startedMs,
          deviceName: device.name,
          isSimulated: device.isSimulated,
          durationMs: Math.round(durationMs),
        },
      ];
    });
  }

  freeBytes(): Promise<number> {
    return this.#context.files.freeBytes();
  }

  known(identity: string): KnownDevice | undefined {
    return this.#context.store.deskDevices.known(identity);
  }

  /** What the clinic calls its devices. */
  names(): DeviceName[] {
    return this.#context.store.deskDevices.names();
  }

  /** @param name undefined: it is called as it calls itself */
  async setName(identity: string, name: string | undefined, actor: string): Promise<void> {
    const { store } = this.#context;
    await change(this.#context, () => ({
      result: store.deskDevices.setName(identity, name),
      notes: [{ actor, action: 'device.named', subject: `device:${identity}`, detail: { name: name ?? '' } }],
    }));
  }

  async remember(device: KnownDevice): Promise<void> {
    const { store, clock } = this.#context;
    await change(this.#context, () => ({
      result: store.deskDevices.remember(device, clock.nowMs()),
      notes: [
        {
          actor: WORKSTATION,
          action: 'device.remembered',
          subject: `device:${device.driver}`,
          detail: { variant: device.variant },
        },
      ],
    }));
  }
}

/** What a device says of itself may be damaged; that hinders no recording. */
const nameOf = ({ name, serialNumber }: RecordedDevice): string =>
  Array.from(serialNumber === undefined ? name : `${name} ${serialNumber}`)
    .filter(isPlain)
    .slice(0, MOST_DEVICE_ID)
    .join('');
