// Takes over the recordings of another data folder of this workstation, each with whom it is of and how that was said. Its
// findings are made again here.

import { type ClinicContext, change } from '../context.ts';
import type { Files } from '../ports.ts';
import type { Store } from '../store.ts';
import type { StoredFile, Task } from './records.ts';
import type { Tasks } from './tasks.ts';

export interface OtherFolder {
  readonly store: Store;
  readonly files: Pick<Files, 'get'>;
}

/** In which there is a recording. */
const STATES = ['QUEUED', 'PROCESSING', 'AWAITING_APPROVAL', 'COMPLETED', 'FAILED'] as const;

export interface Adopted {
  readonly taken: number;
  /** Here already. */
  readonly known: number;
  /** Not whole, or never put together: they stay in the other folder. */
  readonly left: number;
}

export class Adoption {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #organizationId: number;

  constructor(context: ClinicContext, tasks: Tasks, organizationId: number) {
    this.#context = context;
    this.#tasks = tasks;
    this.#organizationId = organizationId;
  }

  /** Once each, however often it is asked for. */
  async adopt(from: OtherFolder): Promise<Adopted> {
    const adopted = { taken: 0, known: 0, left: from.store.streams.countOpen() };
    for (const state of STATES)
      for (const task of from.store.tasks.inState(state)) adopted[await this.#take(from, task)]++;
    return adopted;
  }

  async #take({ store: other, files }: OtherFolder, task: Task): Promise<keyof Adopted> {
    const recording = task.recordingId === undefined ? undefined : other.recordings.byId(task.recordingId);
    if (recording === undefined) return 'left';
    const { store, files: own } = this.#context;
    if (store.recordings.bySha256(recording.sha256) !== undefined) return 'known';
    const stored: StoredFile[] = [];
    for (const file of recording.files) {
      const bytes = await files.get(file.sha256);
      // What is not there as it was recorded is not taken for it.
      if (bytes === undefined) return 'left';
      stored.push({ ...file, sha256: await own.put(bytes) });
    }
    const { fields, isAutoComplete, origin, identity, channels } = task;
    // Which task has the same recording is told by numbers, and these are others here.
    const warnings = task.warnings.filter(({ code }) => !code.startsWith('same_recording_as'));
    const taskId = await change(this.#context, (tx) => {
      const made = this.#tasks.addRecorded(tx, {
        organizationId: this.#organizationId,
        fields,
        isAutoComplete,
        origin,
        files: stored,
        facts: recording.facts,
        warnings,
        identity,
        channels,
        actor: 'program',
      });
      return { result: made.taskId, notes: made.notes };
    });
    this.#tasks.announceQueued(taskId);
    return 'taken';
  }
}
