// What the domain needs of the store for tasks, recordings and what was found in them.

import type { AnalysisLane } from '../../../shared/analysis-lane.ts';
import type { Reason } from '../../../shared/errors.ts';
import type { MadeCorrection } from '../../../shared/review/corrections.ts';
import type { Severity } from '../../../shared/severity.ts';
import type { ChannelChoice } from '../../../shared/signal/channel-choice.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import type { TaskState } from '../../../shared/task-state.ts';
import type { TaskFields } from '../../ground/task-fields.ts';
import type { SearchTerms } from '../patients/patient-words.ts';
import type {
  Consultation,
  CriticalSeen,
  Download,
  Finding,
  ListedTask,
  RecordingRow,
  Rejection,
  ReviewDraft,
  StoredReport,
  Task,
} from './records.ts';

export interface KeptSince {
  /** When the first of it came. */
  readonly firstMs: number | undefined;
  /** The size of recordings and reports. */
  readonly bytes: number;
  readonly results: number;
  /** Some of these, by content. */
  readonly newestResults: readonly string[];
}

export interface RecordingStore {
  byId(id: number): RecordingRow | undefined;
  bySha256(sha256: string): RecordingRow | undefined;
  /** Whether any recording has a file of this content. */
  usesFile(sha256: string): boolean;
  add(recording: Omit<RecordingRow, 'id'>, createdMs: number): number;
  /** What came in since then, and what was made of it. */
  keptSince(sinceMs: number): KeptSince;
}

export interface TaskListing extends Pick<Task, 'severity' | 'firstFinding' | 'isSimulated'> {
  readonly words: readonly string[];
}

export interface TaskFilter {
  readonly terms: SearchTerms;
  readonly states?: readonly TaskState[] | undefined;
  readonly sinceMs?: number | undefined;
  readonly lowestSeverity?: Severity | undefined;
  /** Without those of the simulator. */
  readonly isRealOnly?: boolean | undefined;
  readonly isPatientMissing?: boolean | undefined;
  readonly newestId?: number | undefined;
  /** Tasks that stand at the top of the list, in this order, if they match. */
  readonly first?: readonly number[] | undefined;
}

export interface TaskStore {
  byId(id: number): Task | undefined;
  byRecording(recordingId: number): Task[];
  add(
    task: Omit<
      Task,
      | 'id'
      | 'attempts'
      | 'failureReason'
      | 'severity'
      | 'firstFinding'
      | 'rejection'
      | 'criticalSeen'
      | 'isSimulated'
    >,
  ): number;
  setState(id: number, state: TaskState, change: { failureReason?: Reason; attempts?: number }): void;
  setRecording(id: number, recordingId: number): void;
  setFields(id: number, fields: TaskFields): void;
  setRejection(id: number, rejection: Rejection): void;
  setCriticalSeen(id: number, seen: CriticalSeen): void;
  ofPatient(patientId: number): number[];
  moveToPatient(ids: readonly number[], patientId: number): void;
  /** Keeps the patient that stood there before beside the new one. */
  setPatient(id: number, patient: Pick<Task, 'fields' | 'patientId' | 'identity'>, nowMs: number): void;
  setChannels(id: number, channels: ChannelChoice): void;
  /**
   * Tasks of the organization whose recordings have such a list of channels, and whose channels nobody has chosen by themselves.
   * @param remembered what was said of all of them
   */
  withChannels(
    organizationId: number,
    channelsKey: string,
    of: { readonly states: readonly TaskState[]; readonly remembered: ChannelChoice | undefined },
  ): number[];
  setWarnings(id: number, warnings: readonly Warning[]): void;
  /** Whether there is any task, or an upload that is to become one. */
  hasAny(): boolean;
  /** The one with the greatest id. */
  latestOfDevice(organizationId: number, deviceId: string, state: TaskState): Task | undefined;
  /** What the worklist finds it by; undefined for a task that is not shown any more. */
  setListing(id: number, listing: TaskListing | undefined): void;
  /** Tasks before one that no listing was made for, the newest first. */
  unlisted(limit: number, before?: number): number[];
  /** The newest first, and how many there are in all. */
  list(
    filter: TaskFilter,
    limit: number,
    offset: number,
  ): { readonly tasks: ListedTask[]; readonly total: number };
  /** Words of the index that begin with a letter. */
  wordsFrom(letter: string): string[];
  /** In the order of their ids here; in a few questions, however many they are. */
  listed(ids: readonly number[]): ListedTask[];
  /**
   * Whose analysis comes next: of those that were asked for, else by lane and age.
   * @param asked tasks that somebody waits for @param isFit passes by those that may not begin now
   */
  nextQueued(asked: readonly number[], isFit: (task: QueuedTask) => boolean): QueuedTask | undefined;
  /** The one that is read behind this one, the gravest and then the oldest first; begins again behind the last. */
  nextToRead(behind: number | undefined): number | undefined;
  countToRead(): number;
  inState(state: TaskState): Task[];
  countByState(): ReadonlyMap<TaskState, number>;
}

/** A task that waits for its analysis. */
export interface QueuedTask {
  readonly task: Task;
  readonly lane: AnalysisLane;
  /** Seconds of signal over all leads, as far as they are known. */
  readonly leadSeconds: number;
}

/** What people said of lists of channels, for all recordings that have such. */
export interface ChannelChoiceStore {
  of(organizationId: number, channelsKey: string): ChannelChoice | undefined;
  put(organizationId: number, channelsKey: string, choice: ChannelChoice, nowMs: number): void;
}

export interface DownloadStore {
  byId(id: string): Download | undefined;
  add(download: Download): void;
  touch(id: string, nowMs: number): void;
  removeUnusedSince(limitMs: number): void;
}

export interface FindingStore {
  latest(taskId: number): Finding | undefined;
  ofRevision(taskId: number, revision: number): Finding | undefined;
  add(finding: Finding): void;
}

export interface ReportStore {
  /** The newest first. */
  all(taskId: number): StoredReport[];
  /** The report with these bytes. */
  bySha256(sha256: string): StoredReport | undefined;
  latest(taskId: number): StoredReport | undefined;
  add(report: StoredReport): void;
}

export interface ReviewDraftStore {
  byTask(taskId: number): ReviewDraft | undefined;
  put(draft: ReviewDraft): void;
  /** All of them in order, with those behind that were undone. */
  corrections(taskId: number): MadeCorrection[];
  countCorrections(taskId: number): number;
  addCorrection(taskId: number, place: number, correction: MadeCorrection): void;
  cutCorrections(taskId: number, fromPlace: number): void;
  /** With its corrections. */
  remove(taskId: number): void;
}

export interface ConsultationStore {
  byId(id: number): Consultation | undefined;
  /** Questions that nobody has closed, the oldest first. */
  ofTask(taskId: number): Consultation[];
  /** Questions that somebody has to answer, and answers that this person has not read. */
  waitingFor(userId: number): Consultation[];
  add(
    question: Pick<Consultation, 'taskId' | 'fromUserId' | 'toUserId' | 'note' | 'atSample' | 'askedMs'>,
  ): void;
  set(consultation: Consultation): void;
}

export interface ErasureStore {
  /**
   * Inside a transaction: everything of a deleted task but its tombstone, and its patient where nothing else
   * is of that one.
   */
  eraseTask(taskId: number): void;
  /** One more file that is to go. */
  forgetFile(sha256: string): void;
  /** SHA-256 of files that are to go. */
  pendingFiles(): string[];
  /** Whether any row needs the file. */
  isNamed(sha256: string): boolean;
  /** It is gone. */
  settleFile(sha256: string): void;
  /** Takes what was deleted out of the search index and the log. */
  scrub(): void;
}
