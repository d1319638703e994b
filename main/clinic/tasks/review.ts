// A recording as somebody reads it on a screen, with what was corrected in it.

import { MOST_BEATS_PICTURED } from '../../../shared/bridge/contract/day.ts';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { NOT_IN_OLD_VERSIONS } from '../../../shared/findings/codes.ts';
import { readFindings } from '../../../shared/review/read-findings.ts';
import type { ClinicContext } from '../context.ts';
import type {
  AnalysisJob,
  BeatPictures,
  PicturesWanted,
  ReviewMarks,
  ReviewReading,
  RowsWanted,
  SignalPart,
  SignalRange,
  SignalRows,
  SignalStrip,
} from '../ports.ts';
import type { CorrectedFindings } from './corrected-findings.ts';
import { isCorrected } from './corrections.ts';
import type { ReviewDraft } from './records.ts';
import type { Tasks } from './tasks.ts';

export class Review {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #findings: CorrectedFindings;

  constructor(context: ClinicContext, tasks: Tasks, findings: CorrectedFindings) {
    this.#context = context;
    this.#tasks = tasks;
    this.#findings = findings;
  }

  /** @throws IsolineError `task_not_found`, `record_unreadable`; a stream has no signal here before it has ended. */
  signal(taskId: number, range: SignalRange): Promise<SignalPart> {
    return this.#context.pool.signal(this.#recorded(taskId), range);
  }

  /** What a small picture shows. @throws as `signal` */
  strip(taskId: number): Promise<SignalStrip> {
    return this.#context.pool.strip(this.#recorded(taskId));
  }

  #recorded(taskId: number): AnalysisJob {
    const task = this.#tasks.find(undefined, taskId);
    if (task.recordingId === undefined)
      throw new IsolineError(
        'report_not_available',
        'The recording has not ended yet. Watch it under Live leads.',
      );
    return this.#tasks.jobOf(task);
  }

  /**
   * The marks of the findings as they stand.
   * @throws IsolineError `task_not_found`, `report_not_available`, `report_damaged`
   */
  async marks(taskId: number): Promise<ReviewMarks> {
    const { output } = await this.#findings.current(taskId);
    return this.#context.pool.marks(output.resultJson);
  }

  /**
   * A recording of an hour or more as its findings were stored; what was corrected since is not in it.
   * @throws IsolineError `task_not_found`, `report_not_available`, `report_damaged`
   */
  async day(taskId: number): Promise<CallOutput<'day.get'>> {
    const { finding } = this.#findings.stands(taskId);
    const { resultJson } = await this.#findings.stored(finding);
    const { revision, corrections } = finding;
    return { revision, carried: corrections.length, ...(await this.#context.pool.day(resultJson)) };
  }

  /** Nothing is measured for it. @throws IsolineError `task_not_found`, `report_not_available` */
  corrections(taskId: number, actor: string): CallOutput<'day.corrections'> {
    const { draft, corrections } = this.#findings.stands(taskId);
    return {
      version: draft?.version ?? 0,
      corrections: [...corrections],
      ...this.#heldOf(taskId, draft, actor),
    };
  }

  /** @throws as `signal` */
  rows(taskId: number, wanted: RowsWanted): Promise<SignalRows> {
    return this.#context.pool.rows(this.#recorded(taskId), wanted);
  }

  /** @throws IsolineError `invalid_request`, and as `signal` */
  beatPictures(taskId: number, wanted: PicturesWanted): Promise<BeatPictures> {
    if (wanted.samples.length > 4 * MOST_BEATS_PICTURED)
      throw new IsolineError('invalid_request', `At most ${MOST_BEATS_PICTURED} beats are drawn at once.`);
    return this.#context.pool.beatPictures(this.#recorded(taskId), wanted);
  }

  #heldOf(
    taskId: number,
    draft: ReviewDraft | undefined,
    actor: string,
  ): Pick<ReviewReading, 'undoneCount' | 'holder'> {
    if (draft === undefined) return { undoneCount: 0 };
    return {
      undoneCount: this.#context.store.reviewDrafts.countCorrections(taskId) - draft.done,
      ...(isCorrected(draft) &&
        draft.holder !== actor && { holder: { name: draft.holderName, sinceMs: draft.sinceMs } }),
    };
  }

  /** What to read next. @param behind the one that is read now */
  next(behind: number | undefined): { readonly taskId?: number; readonly waiting: number } {
    const { tasks } = this.#context.store;
    const taskId = tasks.nextToRead(behind);
    return { waiting: tasks.countToRead(), ...(taskId !== undefined && { taskId }) };
  }

  /** @param actor who reads @throws IsolineError `task_not_found`, `report_not_available`, `report_damaged` */
  async reading(taskId: number, actor: string): Promise<ReviewReading> {
    const { finding, draft, corrections, output } = await this.#findings.current(taskId);
    const { summary } = output;
    const { statements, rejected, severity, severityReason } = readFindings(summary, corrections);
    return {
      revision: finding.revision,
      version: draft?.version ?? 0,
      corrections: [...corrections],
      isCorrected: isCorrected(draft),
      ...this.#heldOf(taskId, draft, actor),
      measurements: summary.measurements,
      statements: [...statements],
      rejected: [...rejected],
      notAssessed: [...(summary.notAssessed ?? NOT_IN_OLD_VERSIONS)],
      ...(severity !== undefined && { severity }),
      ...(severityReason !== undefined && { severityReason }),
    };
  }
}
