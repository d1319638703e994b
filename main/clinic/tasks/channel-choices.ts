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
import type { ChannelsView, PoolFile } from '../ports.ts';
import type { Task } from './records.ts';
import { listTask } from './task-listing.ts';
import { requireSubject } from './task-subject.ts';
import type { Tasks } from './tasks.ts';

/** What the program says of the channels, and what a person said. */
interface TaskChannels extends ChannelsView {
  readonly choice: ChannelChoice | undefined;
  /** So many others have the same list of channels, and nobody has chosen theirs. */
  readonly sameCount: number;
}

interface Choosing {
  readonly choice: ChannelChoice;
  /** Also for the others that have the same list of channels, and for those that come. */
  readonly isForSame: boolean;
  /** The patient whose recording it was shown as. */
  readonly of?: TaskSubject | undefined;
}

/** In which a recording can still be read otherwise. */
const OPEN_STATES = ['QUEUED', 'AWAITING_APPROVAL', 'FAILED'] as const;

const SENTENCES: { readonly [K in ChoiceFault['kind']]: (name: string) => string } = {
  differs: () =>
    'The choice was made for other channels. Name each channel of this recording, in the order of its file.',
  none: () => 'No channel is left. Choose at least one as ECG.',
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
export const noteOfChoice = (taskId: number, choice: ChannelChoice, actor: string): Note => ({
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
  },
});

export class ChannelChoices {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;

  constructor(context: ClinicContext, tasks: Tasks) {
    this.#context = context;
    this.#tasks = tasks;
  }

  /** @throws IsolineError `task_not_found`, `task_state_conflict`, `record_unreadable` */
  async of(organizationId: number | undefined, taskId: number): Promise<TaskChannels> {
    const task = this.#tasks.find(organizationId, taskId);
    const view = await this.#context.pool.channels(this.#filesOf(task));
    return { ...view, choice: task.channels, sameCount: this.#same(task).length };
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
        notes: ids.map((id) => this.#set(tx, id, choice, actor)),
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
    return this.#context.store.tasks
      .withChannels(task.organizationId, channelsKey, OPEN_STATES)
      .filter((id) => id !== task.id);
  }

  #remember(task: Task, choice: ChannelChoice): void {
    const { store, clock } = this.#context;
    const { channelsKey } = this.#tasks.recordingOf(task).facts;
    if (channelsKey !== undefined)
      store.channelChoices.put(task.organizationId, channelsKey, choice, clock.nowMs());
  }

  #set(tx: Tx, taskId: number, choice: ChannelChoice, actor: string): Note {
    const { store } = this.#context;
    const { state } = this.#tasks.find(undefined, taskId);
    if (state === 'PROCESSING')
      throw new IsolineError(
        'task_state_conflict',
        'The recording is being analysed. Try again in a moment.',
      );
    if (state === 'COMPLETED')
      throw new IsolineError(
        'task_state_conflict',
        'The report has been given out, so its channels stay as they are.',
      );
    store.tasks.setChannels(taskId, choice);
    this.#tasks.move(tx, taskId, 'channelsChosen', { attempts: 0 });
    listTask(tx, store, taskId);
    return noteOfChoice(taskId, choice, actor);
  }
}
