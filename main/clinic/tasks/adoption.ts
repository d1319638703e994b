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

const IS_GONE: ReadonlySet<string> = new Set(['DELETED', 'CANCELLED']);

export class Adoption {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #organizationId: number;

  constructor(context: ClinicContext, tasks: Tasks, organizationId: number) {
    this.#context = context;
    this.#tasks = tasks;
    this.#organizationId = organizationId;
  }

  /** Once each, however often it is asked for. @returns how many there were */
  async adopt(from: OtherFolder): Promise<number> {
    let taken = 0;
    for (const state of ['QUEUED', 'PROCESSING', 'AWAITING_APPROVAL', 'COMPLETED', 'FAILED'] as const)
      for (const task of from.store.tasks.inState(state))
        if (!IS_GONE.has(task.state) && (await this.#take(from, task))) taken++;
    return taken;
  }

  async #take({ store: other, files }: OtherFolder, task: Task): Promise<boolean> {
    const recording = task.recordingId === undefined ? undefined : other.recordings.byId(task.recordingId);
    if (recording === undefined) return false;
    const { store, files: own, clock } = this.#context;
    if (store.recordings.bySha256(recording.sha256) !== undefined) return false;
    const stored: StoredFile[] = [];
    for (const file of recording.files) {
      const bytes = await files.get(file.sha256);
      // What is not there as it was recorded is not taken for it.
      if (bytes === undefined) return false;
      stored.push({ ...file, sha256: await own.put(bytes) });
    }
    const { fields, isAutoComplete, origin, identity, warnings, patientId: _patient } = task;
    const taskId = await change(this.#context, () => {
      const made = this.#tasks.addRecorded({
        organizationId: this.#organizationId,
        fields,
        isAutoComplete,
        origin,
        files: stored,
        facts: recording.facts,
        warnings,
        actor: 'program',
      });
      const { patientId } = this.#tasks.find(undefined, made.taskId);
      store.tasks.setPatient(made.taskId, { fields, patientId, identity }, clock.nowMs());
      return { result: made.taskId, notes: made.notes };
    });
    this.#tasks.announceQueued(taskId);
    return true;
  }
}
