// A person says which channels of a recording are ECG. The file stays as it came; what is read of it changes, so it is analysed again.

import type { TaskSubject } from '../../../shared/bridge/views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import {
  type ChannelChoice,
  type ChoiceFault,
  chosenText,
  faultOfChoice,
  LEAST_ECG_RATE_HZ,
} from '../../../shared/signal/channel-choice.ts';
import { type ClinicContext, change, type Note, type Tx } from '../context.ts';
import type { Enrolment } from '../outbox/enrolment.ts';
import type { ChannelsView, PoolFile } from '../ports.ts';
import { isCorrected } from './corrections.ts';
import type { Task } from './records.ts';
import { listTask } from './task-listing.ts';
import { requireSubject } from './task-subject.ts';
import type { Tasks } from './tasks.ts';

/** What the program says of the channels, and what a person said. */
interface TaskChannels extends ChannelsView {
  readonly choice: ChannelChoice | undefined;
  /** So many others have the same list of channels, and nobody has chosen theirs. */
  readonly sameCount: number;
  /** Somebody has corrected its findings: these go with the reading that they were made in. */
  readonly isCorrected: boolean;
}

interface Choosing {
  readonly choice: ChannelChoice;
  /** Also for the others that have the same list of channels, and for those that come. */
  readonly isForSame: boolean;
  /** The patient whose recording it was shown as. */
  readonly of?: TaskSubject | undefined;
}

/** In which a recording can still be read otherwise. */
const OPEN_STATES = ['QUEUED', 'PROCESSING', 'AWAITING_APPROVAL', 'FAILED'] as const;

const SENTENCES: { readonly [K in ChoiceFault['kind']]: (name: string) => string } = {
  differs: () =>
    'The choice was made for other channels. Name each channel of this recording, in the order of its file.',
  none: () => 'No channel is left. Choose at least one as ECG.',
  rate: () => 'The file does not say how many samples a second it has. Say it, the same for all channels.',
  slow: (name) =>
    `"${name}" has less than ${LEAST_ECG_RATE_HZ} samples a second, which show no ECG. Leave it out.`,
  twice: (name) => `Two channels are named ${name}. Name one of them otherwise, or leave it out.`,
};

/** @throws IsolineError `invalid_channels` */
export function requireFit({ channels }: ChannelsView, choice: ChannelChoice): void {
  const fault = faultOfChoice(channels, choice);
  if (fault === undefined) return;
  throw new IsolineError('invalid_channels', SENTENCES[fault.kind]('name' in fault ? fault.name : ''));
}

/** What was used, and what was left out. */
export const noteOfChoice = (
  taskId: number,
  choice: ChannelChoice,
  actor: string,
  isForSame: boolean,
): Note => ({
  actor,
  action: 'task.channels_chosen',
  subject: `task:${taskId}`,
  detail: {
    used: choice
      .filter(({ as }) => as !== undefined)
      .map((each) => `${chosenText(each)}${each.isTurned ? ' (turned over)' : ''}`)
      .join(', '),
    leftOut: choice
      .filter(({ as }) => as === undefined)
      .map(({ label }) => label)
      .join(', '),
    ...(isForSame && { forSame: true }),
  },
});

export class ChannelChoices {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;

  readonly #enrolment: Enrolment;

  constructor(context: ClinicContext, tasks: Tasks, enrolment: Enrolment) {
    this.#context = context;
    this.#tasks = tasks;
    this.#enrolment = enrolment;
  }

  /** @throws IsolineError `task_not_found`, `task_state_conflict`, `record_unreadable` */
  async of(organizationId: number | undefined, taskId: number): Promise<TaskChannels> {
    const task = this.#tasks.find(organizationId, taskId);
    const view = await this.#context.pool.channels(this.#filesOf(task));
    return {
      ...view,
      choice: task.channels,
      sameCount: this.#same(task).length,
      isCorrected: isCorrected(this.#context.store.reviewDrafts.byTask(taskId)),
    };
  }

  /** @throws IsolineError `task_not_found`, `task_state_conflict`, `invalid_channels`, `patient_changed` */
  async choose(
    organizationId: number | undefined,
    taskId: number,
    { choice, isForSame, of }: Choosing,
    actor: string,
  ): Promise<void> {
    const { store, pool } = this.#context;
    requireFit(await pool.channels(this.#filesOf(this.#tasks.find(organizationId, taskId))), choice);
    const changed = await change(this.#context, (tx) => {
      const task = this.#tasks.find(organizationId, taskId);
      requireSubject(store, task, of);
      const others = isForSame ? this.#same(task) : [];
      if (isForSame) this.#remember(task, choice);
      const ids = [taskId, ...others];
      return {
        result: ids,
        notes: ids.flatMap((id) => this.#set(tx, id, choice, { actor, isForSame })),
      };
    });
    for (const id of changed) {
      this.#context.publish('channels.changed', { taskId: id });
      this.#tasks.announceQueued(id);
    }
  }

  #filesOf(task: Task): readonly PoolFile[] {
    return this.#tasks.jobOf(task).files;
  }

  #same(task: Task): number[] {
    const { channelsKey } = this.#tasks.recordingOf(task).facts;
    if (channelsKey === undefined) return [];
    const { channelChoices, tasks } = this.#context.store;
    return tasks
      .withChannels(task.organizationId, channelsKey, {
        states: OPEN_STATES,
        // What was said of all of them can be said otherwise of all of them.
        remembered: channelChoices.of(task.organizationId, channelsKey),
      })
      .filter((id) => id !== task.id);
  }

  #remember(task: Task, choice: ChannelChoice): void {
    const { store, clock } = this.#context;
    const { channelsKey } = this.#tasks.recordingOf(task).facts;
    if (channelsKey !== undefined)
      store.channelChoices.put(task.organizationId, channelsKey, choice, clock.nowMs());
  }

  #set(
    tx: Tx,
    taskId: number,
    choice: ChannelChoice,
    { actor, isForSame }: { readonly actor: string; readonly isForSame: boolean },
  ): Note[] {
    const { store } = this.#context;
    const { state } = this.#tasks.find(undefined, taskId);
    if (state === 'COMPLETED')
      throw new IsolineError(
        'task_state_conflict',
        'The report has been given out, so its channels stay as they are.',
      );
    store.tasks.setChannels(taskId, choice);
    this.#tasks.move(tx, taskId, 'channelsChosen', { attempts: 0 });
    listTask(tx, store, taskId);
    this.#enrolment.patientChanged(tx, taskId);
    // Places and values that were corrected are those of another reading.
    const draft = store.reviewDrafts.byTask(taskId);
    if (draft !== undefined) store.reviewDrafts.remove(taskId);
    const dropped = { corrections: (draft?.done ?? 0) - (draft?.carried ?? 0) };
    return [
      noteOfChoice(taskId, choice, actor, isForSame),
      ...(isCorrected(draft)
        ? [{ actor, action: 'review.discarded' as const, subject: `task:${taskId}`, detail: dropped }]
        : []),
    ];
  }
}
