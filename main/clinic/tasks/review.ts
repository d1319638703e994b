// A recording as somebody reads it on a screen.

import { IsolineError } from '../../../shared/errors.ts';
import type { ClinicContext } from '../context.ts';
import type { ReviewMarks, SignalPart, SignalRange } from '../ports.ts';
import type { Tasks } from './tasks.ts';

export class Review {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;

  constructor(context: ClinicContext, tasks: Tasks) {
    this.#context = context;
    this.#tasks = tasks;
  }

  /** @throws IsolineError `task_not_found`, `record_unreadable`; a stream has no signal here before it has ended. */
  signal(taskId: number, range: SignalRange): Promise<SignalPart> {
    const task = this.#tasks.find(undefined, taskId);
    if (task.recordingId === undefined)
      throw new IsolineError(
        'report_not_available',
        'The recording has not ended yet. Watch it under Live leads.',
      );
    return this.#context.pool.signal(this.#tasks.jobOf(task), range);
  }

  /** Of the newest findings. @throws IsolineError `task_not_found`, `report_not_available`, `report_damaged` */
  async marks(taskId: number): Promise<ReviewMarks> {
    this.#tasks.find(undefined, taskId);
    const finding = this.#context.store.findings.latest(taskId);
    if (finding === undefined)
      throw new IsolineError(
        'report_not_available',
        'There are no findings yet. The analysis has not finished.',
      );
    const resultJson = await this.#context.files.get(finding.resultSha256);
    if (resultJson === undefined)
      throw new IsolineError(
        'report_damaged',
        'The stored findings are damaged. The recording is safe. Analyse it again.',
      );
    return this.#context.pool.marks(resultJson);
  }
}
