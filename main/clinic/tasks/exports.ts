// Gives out a recording as a file for another program. Who took it is part of the record (SEC53).

import { IsolineError } from '../../../shared/errors.ts';
import type { ExportFormat } from '../../../shared/export-formats.ts';
import { type ClinicContext, change } from '../context.ts';
import type { ExportedFile } from '../ports.ts';
import type { Tasks } from './tasks.ts';

export class Exports {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;

  constructor(context: ClinicContext, tasks: Tasks) {
    this.#context = context;
    this.#tasks = tasks;
  }

  /** @throws IsolineError `task_not_found`, `report_not_available` before it has ended, `format_unsuitable` */
  async export(taskId: number, format: ExportFormat, actor: string): Promise<ExportedFile> {
    const task = this.#tasks.find(undefined, taskId);
    if (task.recordingId === undefined)
      throw new IsolineError('report_not_available', 'The recording has not ended yet. Save it when it has.');
    // Never a patient's name in a file name.
    const name = `ecg-${taskId}`;
    const file = await this.#context.pool.exportRecording({ ...this.#tasks.jobOf(task), format, name });
    await change(this.#context, () => ({
      result: undefined,
      notes: [{ actor, action: 'recording.exported', subject: `task:${taskId}`, detail: { format } }],
    }));
    return file;
  }
}
