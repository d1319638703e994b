// Gives out a recording, or what was found in it, as a file for another program. Who took it is part of the record (SEC53).

import { gdtCharacterSet } from '../../../shared/character-set.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { type ExportFormat, isSignalFormat, type SignalFormat } from '../../../shared/export-formats.ts';
import { type ClinicContext, change } from '../context.ts';
import type { ExportedFile } from '../ports.ts';
import { examinationResult } from './examination-result.ts';
import type { Reports } from './reports.ts';
import type { Tasks } from './tasks.ts';
import type { Worklist } from './worklist.ts';

export class Exports {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #worklist: Worklist;
  readonly #reports: Reports;

  constructor(context: ClinicContext, tasks: Tasks, worklist: Worklist, reports: Reports) {
    this.#context = context;
    this.#tasks = tasks;
    this.#worklist = worklist;
    this.#reports = reports;
  }

  /** @throws IsolineError `task_not_found`, `report_not_available` before it is there, `format_unsuitable` */
  async export(taskId: number, format: ExportFormat, actor: string): Promise<ExportedFile> {
    const file = await this.#make(taskId, format);
    await change(this.#context, () => ({
      result: undefined,
      notes: [{ actor, action: 'recording.exported', subject: `task:${taskId}`, detail: { format } }],
    }));
    return file;
  }

  async #make(taskId: number, format: ExportFormat): Promise<ExportedFile> {
    // Never a patient's name in a file name.
    const name = `ecg-${taskId}`;
    if (isSignalFormat(format)) return this.#signal(taskId, format, name);
    const whole = { warnings: [] };
    if (format === 'json') return { name: `${name}.json`, bytes: await this.#result(taskId), ...whole };
    if (format === 'gdt') return { name: `${name}.gdt`, bytes: await this.#gdt(taskId), ...whole };
    return { name: `${name}-every-beat.pdf`, bytes: await this.#reports.everyBeat(taskId), ...whole };
  }

  #signal(taskId: number, format: SignalFormat, name: string): Promise<ExportedFile> {
    const task = this.#tasks.find(undefined, taskId);
    if (task.recordingId === undefined)
      throw new IsolineError('report_not_available', 'The recording has not ended yet. Save it when it has.');
    return this.#context.pool.exportRecording({ ...this.#tasks.jobOf(task), format, name });
  }

  /** As it was frozen with the newest findings (`docs/analysis-result.schema.json`). */
  async #result(taskId: number): Promise<Uint8Array> {
    const { store, files } = this.#context;
    const finding = store.findings.latest(this.#tasks.find(undefined, taskId).id);
    const bytes = finding === undefined ? undefined : await files.get(finding.resultSha256);
    if (bytes === undefined)
      throw new IsolineError('report_not_available', 'There is no result of this recording yet.');
    return bytes;
  }

  /** What a practice system reads counts as a result there: it is given only what was approved. */
  async #gdt(taskId: number): Promise<Uint8Array> {
    if (this.#tasks.find(undefined, taskId).state !== 'COMPLETED')
      throw new IsolineError(
        'report_not_available',
        'There is no result for the practice system yet. Approve the ECG first.',
      );
    const { patient, approval } = await this.#reports.read(taskId);
    const order = this.#context.store.orders.ofTask(taskId).at(-1);
    const result = examinationResult(this.#worklist.lookAt(taskId), patient, approval, order);
    const set = order?.characterSet ?? this.#context.settings()['orders.characterSet'];
    return this.#context.pool.writeGdt(result, gdtCharacterSet(set));
  }
}
