// The findings of a task as they stand now: those that were stored last, measured again with whatever somebody has
// corrected since. What is measured again is kept in memory alone: the corrections say it all.

import { IsolineError } from '../../../shared/errors.ts';
import { type Constraints, constraintsOf } from '../../../shared/review/constraints.ts';
import type { MadeCorrection } from '../../../shared/review/corrections.ts';
import type { ClinicContext } from '../context.ts';
import type { AnalysisJob, AnalysisOutput } from '../ports.ts';
import { isLongRecording, type Turn } from './analysis-lanes.ts';
import type { Finding, ReviewDraft } from './records.ts';
import type { Tasks } from './tasks.ts';

/** Recordings whose corrected result is kept: one that is read, and those compared with it. */
const MOST_KEPT = 3;

export interface CurrentFindings {
  readonly finding: Finding;
  readonly draft: ReviewDraft | undefined;
  /** The corrections that count. */
  readonly corrections: readonly MadeCorrection[];
  readonly output: AnalysisOutput;
}

const constraintsKey = (corrections: readonly MadeCorrection[]): string =>
  JSON.stringify(constraintsOf(corrections.map(({ change }) => change)));

interface Measuring {
  readonly key: string;
  readonly abort: AbortController;
  readonly output: Promise<AnalysisOutput>;
}

export class CorrectedFindings {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  /** The one that was asked for last stands last. */
  readonly #measured = new Map<number, Measuring>();

  constructor(context: ClinicContext, tasks: Tasks) {
    this.#context = context;
    this.#tasks = tasks;
  }

  /** @throws IsolineError `task_not_found`, `report_not_available`, `report_damaged` */
  async current(taskId: number): Promise<CurrentFindings> {
    for (;;) {
      const { finding, draft, corrections } = this.stands(taskId);
      try {
        return { finding, draft, corrections, output: await this.#outputOf(finding, corrections) };
      } catch (error) {
        // Somebody corrected more meanwhile: whoever waits gets what stands now.
        if (constraintsKey(this.stands(taskId).corrections) === constraintsKey(corrections)) throw error;
      }
    }
  }

  /** What counts now. @throws IsolineError `task_not_found`, `report_not_available` */
  stands(taskId: number): Pick<CurrentFindings, 'finding' | 'draft' | 'corrections'> {
    const { id } = this.#tasks.find(undefined, taskId);
    const { store } = this.#context;
    const finding = store.findings.latest(id);
    if (finding === undefined)
      throw new IsolineError(
        'report_not_available',
        'There are no findings yet. The analysis has not finished.',
      );
    const draft = store.reviewDrafts.byTask(id);
    const corrections =
      draft === undefined ? finding.corrections : store.reviewDrafts.corrections(id).slice(0, draft.done);
    return { finding, draft, corrections };
  }

  async #outputOf(finding: Finding, corrections: readonly MadeCorrection[]): Promise<AnalysisOutput> {
    const key = constraintsKey(corrections);
    if (key !== constraintsKey(finding.corrections)) return this.#measure(finding, key, corrections);
    // What was corrected meanwhile was taken back: nobody waits for its numbers any more.
    this.#measured.get(finding.taskId)?.abort.abort();
    return this.stored(finding);
  }

  /** @throws IsolineError `report_damaged` */
  async stored({ resultSha256, summary, analysisVersion }: Finding): Promise<AnalysisOutput> {
    const resultJson = await this.#context.files.get(resultSha256);
    if (resultJson === undefined)
      throw new IsolineError(
        'report_damaged',
        'The stored findings are damaged. The recording is safe. Analyse it again.',
      );
    return { resultJson, summary, analysisVersion };
  }

  /** @param constraintsText what was corrected */
  #measure(
    finding: Finding,
    constraintsText: string,
    corrections: readonly MadeCorrection[],
  ): Promise<AnalysisOutput> {
    const { taskId, resultSha256 } = finding;
    const task = this.#tasks.find(undefined, taskId);
    const job = this.#tasks.jobOf(task);
    // Another patient, another setting or a new analysis is another result, whatever was corrected.
    const key = JSON.stringify([constraintsText, resultSha256, job]);
    const known = this.#measured.get(taskId);
    this.#measured.delete(taskId);
    if (known?.key === key) {
      this.#measured.set(taskId, known);
      return known.output;
    }
    known?.abort.abort();
    const abort = new AbortController();
    const constraints = constraintsOf(corrections.map(({ change }) => change));
    // Somebody waits for it; of long ones, one worker is left for the short ones all the same.
    const turn: Turn = {
      lane: 'awaited',
      isLong: isLongRecording(this.#tasks.recordingOf(task).facts),
    };
    const since = constraintsOf(corrections.slice(finding.corrections.length).map(({ change }) => change));
    const output = this.#seenFor(constraints, since, finding).then((seen) =>
      this.#context.pool.analyse({ ...job, constraints, ...seen }, abort.signal, undefined, turn),
    );
    this.#measured.set(taskId, { key, abort, output });
    // What failed is tried again by the next who asks.
    output.catch(() => {
      if (this.#measured.get(taskId)?.key === key) this.#measured.delete(taskId);
    });
    for (const [oldest] of this.#measured) {
      if (this.#measured.size <= MOST_KEPT) break;
      this.#measured.delete(oldest);
    }
    return output;
  }

  /** Families are those of the result in which somebody saw them. */
  async #seenFor(
    { shapes = [] }: Constraints,
    since: Constraints,
    finding: Finding,
  ): Promise<Pick<AnalysisJob, 'seenResultJson' | 'approvedShapes'>> {
    if (!shapes.some(({ isFamily }) => isFamily)) return {};
    const { resultJson } = await this.stored(finding);
    const said = new Set((since.shapes ?? []).map(({ sample }) => sample));
    return {
      seenResultJson: resultJson,
      approvedShapes: shapes.filter(({ isFamily, sample }) => isFamily === true && !said.has(sample)),
    };
  }

  /** Its findings are stored as they are, or it is gone. */
  forget(taskId: number): void {
    this.#measured.get(taskId)?.abort.abort();
    this.#measured.delete(taskId);
  }
}
