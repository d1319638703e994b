// Reports: made in the pool, stored by content, given out only when they are what was approved. D90 to D93.

import { createHash } from 'node:crypto';
import { IsolineError } from '../../../shared/errors.ts';
import type { MadeCorrection } from '../../../shared/review/corrections.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import { type ClinicContext, change } from '../context.ts';
import type { ReportJob } from '../ports.ts';
import type { CorrectedFindings } from './corrected-findings.ts';
import type { ReportLook, StoredReport, Task } from './records.ts';
import { patientOf } from './task-patient.ts';
import type { Tasks } from './tasks.ts';

/** Every beat of two days has a hundred pages, which are held in memory. */
const MOST_EVERY_BEAT_MS = 48 * 3_600_000;

export interface StoredPdf {
  readonly pdf: Uint8Array;
  readonly sha256: string;
  readonly approval: ReportLook['approval']['kind'];
}

export class Reports {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #findings: CorrectedFindings;

  constructor(context: ClinicContext, tasks: Tasks, findings: CorrectedFindings) {
    this.#context = context;
    this.#tasks = tasks;
    this.#findings = findings;
  }

  /** How the newest report of a task was approved; undefined where it has none. */
  approvalOf(taskId: number): ReportLook['approval']['kind'] | undefined {
    return this.#context.store.reports.latest(taskId)?.look.approval.kind;
  }

  /** Makes the PDF and stores it durably; the row that names it is the caller's transaction. */
  async make(
    task: Task,
    resultJson: Uint8Array,
    corrections: readonly MadeCorrection[],
    revision: number,
    approval: ReportLook['approval'],
    signal?: AbortSignal,
  ): Promise<Omit<StoredReport, 'taskId' | 'revision'>> {
    const look = await this.#lookNow(task, approval, this.#context.clock.nowMs());
    const pdf = await this.#context.pool.report(
      this.#jobOf(task, { resultJson, corrections, revision, look }),
      signal,
    );
    return { sha256: await this.#context.files.put(pdf), sizeBytes: pdf.length, look };
  }

  async #lookNow(
    { warnings }: Task,
    approval: ReportLook['approval'],
    createdMs: number,
  ): Promise<ReportLook> {
    const settings = this.#context.settings();
    const { 'report.paper': paper, 'report.language': language } = settings;
    const { 'report.clinic': clinic, 'report.logo': logo } = settings;
    return {
      approval,
      paper,
      language,
      productVersion: this.#context.productVersion,
      createdMs,
      ...(clinic !== '' && { clinic }),
      // A report without its picture is better than none; and its look says so, to be made again like this.
      ...(logo !== '' && (await this.#context.files.holds(logo)) && { logo }),
      twelveLeads: settings['report.twelveLeads'],
      rhythmLeads: settings['report.rhythmLeads'],
      warnings,
      // Nobody files a preliminary one.
      ...(settings['report.recording'] && approval.kind !== 'preliminary' && { carriesRecording: true }),
    };
  }

  /**
   * The report of a completed task for /v3. @throws IsolineError `task_not_found`, `report_not_available`.
   */
  async fetch(organizationId: number, taskId: number): Promise<StoredPdf> {
    const task = this.#tasks.find(organizationId, taskId);
    if (task.state !== 'COMPLETED')
      throw new IsolineError(
        'report_not_available',
        'The report is not available yet. Poll the status until report_available is true.',
      );
    return this.#stored(task);
  }

  /** All that were given out, the newest first. */
  revisions(taskId: number): readonly StoredReport[] {
    return this.#context.store.reports.all(this.#tasks.find(undefined, taskId).id);
  }

  /** Who read what is part of the record (D34). */
  async noteRead(taskId: number, actor: string): Promise<void> {
    await change(this.#context, () => ({
      result: undefined,
      notes: [{ actor, action: 'report.read', subject: `task:${taskId}`, detail: {} }],
    }));
  }

  /** What a screen shows: the stored report, of the newest revision where none is named, or before approval a preliminary one, which is never stored. */
  async read(
    taskId: number,
    revision?: number,
  ): Promise<{ pdf: Uint8Array; approval: ReportLook['approval']['kind']; patient: PatientFacts }> {
    const task = this.#tasks.find(undefined, taskId);
    const patient = patientOf(
      task.fields,
      task.recordingId === undefined ? {} : this.#tasks.recordingOf(task).facts.patient,
    );
    if (task.state === 'COMPLETED') {
      const { pdf, approval } = await this.#stored(task, revision);
      return { pdf, approval, patient };
    }
    if (task.state !== 'AWAITING_APPROVAL')
      throw new IsolineError(
        'report_not_available',
        'There is no report yet. The analysis has not finished.',
      );
    const pdf = await this.#context.pool.report(await this.#preliminaryJob(task));
    return { pdf, approval: 'preliminary', patient };
  }

  /** The whole recording on paper, a minute a line; never stored. @throws IsolineError `report_not_available` */
  async everyBeat(taskId: number): Promise<Uint8Array> {
    const task = this.#tasks.find(undefined, taskId);
    if ((this.#tasks.recordingOf(task).facts.durationMs ?? 0) > MOST_EVERY_BEAT_MS)
      throw new IsolineError(
        'format_unsuitable',
        'This recording is too long for every beat on paper. Export it, and print a part of it.',
      );
    const job = task.state === 'COMPLETED' ? await this.#approvedJob(task) : await this.#preliminaryJob(task);
    return this.#context.pool.report({
      ...job,
      look: { ...job.look, carriesRecording: false },
      isEveryBeat: true,
    });
  }

  /** With what was corrected so far. */
  async #preliminaryJob(task: Task): Promise<ReportJob> {
    const { finding, corrections, output } = await this.#findings.current(task.id);
    const look = await this.#lookNow(task, { kind: 'preliminary' }, finding.createdMs);
    const { resultJson } = output;
    return this.#jobOf(task, { resultJson, corrections, look, revision: finding.revision });
  }

  /** With what was approved, whatever was corrected since. */
  async #approvedJob(task: Task, report = this.#context.store.reports.latest(task.id)): Promise<ReportJob> {
    const finding = report && this.#context.store.findings.ofRevision(task.id, report.revision);
    if (report === undefined || finding === undefined)
      throw new IsolineError('report_damaged', 'The report of this task is missing.');
    const resultJson = await this.#context.files.get(finding.resultSha256);
    if (resultJson === undefined)
      throw new IsolineError('report_damaged', 'The report and its findings are damaged.');
    const { corrections, revision } = finding;
    return this.#jobOf(task, { resultJson, corrections, revision, look: report.look });
  }

  /** A missing or damaged PDF is made again from its findings and must come out the same (D92, D93). */
  async #stored(task: Task, revision?: number): Promise<StoredPdf> {
    const { reports } = this.#context.store;
    const report =
      revision === undefined
        ? reports.latest(task.id)
        : reports.all(task.id).find((each) => each.revision === revision);
    if (report === undefined) throw new IsolineError('report_damaged', 'The report of this task is missing.');
    const approval = report.look.approval.kind;
    const pdf = await this.#context.files.get(report.sha256);
    if (pdf !== undefined) return { pdf, sha256: report.sha256, approval };
    this.#context.log('report.remade', { taskId: task.id });
    const again = await this.#context.pool.report(await this.#approvedJob(task, report));
    const sha256 = createHash('sha256').update(again).digest('hex');
    if (sha256 !== report.sha256)
      throw new IsolineError('report_damaged', 'The report is damaged and could not be restored.');
    await this.#context.files.put(again);
    return { pdf: again, sha256, approval };
  }

  #jobOf(task: Task, made: Pick<ReportJob, 'resultJson' | 'corrections' | 'look' | 'revision'>): ReportJob {
    return {
      ...this.#tasks.jobOf(task),
      ...(task.fields.recordingTimeZone !== undefined && { timeZone: task.fields.recordingTimeZone }),
      ...made,
      ...(made.look.logo !== undefined && { logoPath: this.#context.files.path(made.look.logo) }),
      ...(task.fields.indications !== undefined && { indications: task.fields.indications }),
      taskId: task.id,
    };
  }
}
