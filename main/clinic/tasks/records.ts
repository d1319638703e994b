// A task, the recording behind it, and what was found in it.

import type { AnalysisLane } from '../../../shared/analysis-lane.ts';
import type { AnalysisResult, Measurements, Statement } from '../../../shared/analysis-result.ts';
import type { Identity } from '../../../shared/entry/recording-entry.ts';
import type { Reason } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/language.ts';
import type { MadeCorrection } from '../../../shared/review/corrections.ts';
import type { Severity } from '../../../shared/severity.ts';
import type { ChannelChoice } from '../../../shared/signal/channel-choice.ts';
import type { PatientFacts, Warning } from '../../../shared/signal/recording.ts';
import type { ItemState } from '../../../shared/sync-state.ts';
import type { TaskState } from '../../../shared/task-state.ts';
import type { StatedTask, TaskFields } from '../../ground/task-fields.ts';

export interface StoredFile {
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** What the reader said of a recording when it came in. */
export interface RecordingFacts {
  readonly format: string;
  readonly leadCount: number;
  readonly durationMs: number;
  readonly startMs?: number;
  readonly isStartZoneKnown?: boolean;
  readonly deviceId?: string;
  readonly isSimulated?: boolean;
  readonly patient: PatientFacts;
  readonly warnings: readonly Warning[];
  /** Equal for equal lists of channels; absent in what older versions stored. */
  readonly channelsKey?: string;
}

export interface RecordingRow {
  readonly id: number;
  /** Identity of the content: of the file, or of the list of its files where there are several. */
  readonly sha256: string;
  readonly files: readonly StoredFile[];
  readonly facts: RecordingFacts;
}

/** A reviewer did not accept what was found, or recorded. */
export interface Rejection {
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

/** Whose a recording is, as somebody at this workstation says it. */
export interface DeskEntry extends StatedTask {
  readonly identity: Partial<Identity>;
  /** The order that it is for. */
  readonly orderId?: number | undefined;
}

/** Somebody knows that it is critical. */
export interface CriticalSeen {
  /** Empty where nobody has an account. */
  readonly by: string;
  readonly atMs: number;
  /** The revision of the findings: newer ones are told again. */
  readonly revision: number;
}

/** What one reader asks another about a recording. */
export interface Consultation {
  readonly consultationId: number;
  readonly taskId: number;
  readonly fromUserId: number;
  readonly toUserId: number;
  readonly note: string;
  /** The place that it is about. */
  readonly atSample: number | undefined;
  readonly askedMs: number;
  readonly answer: string | undefined;
  readonly answeredMs: number | undefined;
  /** The answer was read, or the question taken back. */
  readonly closedMs: number | undefined;
}

/** What a list says of the newest findings in one line. */
export interface FirstFinding extends Pick<Statement, 'code' | 'text' | 'values'> {
  /** So many others tell something abnormal. */
  readonly more: number;
}

export interface Task {
  readonly id: number;
  /** Made with the task, the same in every copy of the data (D122). */
  readonly localId: string;
  readonly organizationId: number;
  readonly recordingId: number | undefined;
  /** Absent where nobody said whom it is of. */
  readonly patientId: number | undefined;
  readonly state: TaskState;
  readonly isAutoComplete: boolean;
  readonly origin: 'v3' | 'import';
  /**
   * How the patient of a recording on the desk was identified; nothing in it: not yet. Absent for tasks that
   * are not of the desk.
   */
  readonly identity: Partial<Identity> | undefined;
  readonly fields: TaskFields;
  readonly warnings: readonly Warning[];
  /** Which of its channels are ECG, where a person has said so. */
  readonly channels: ChannelChoice | undefined;
  readonly createdMs: number;
  readonly attempts: number;
  readonly failureReason: Reason | undefined;
  /** The severity of the newest findings. */
  readonly severity: Severity | undefined;
  readonly firstFinding: FirstFinding | undefined;
  readonly rejection: Rejection | undefined;
  readonly criticalSeen: CriticalSeen | undefined;
  /** Its signal comes from no patient who is there. */
  readonly isSimulated: boolean;
}

/** The part of a result that lists and panels show; the whole is a file. */
export interface FindingSummary {
  readonly measurements: Measurements;
  readonly statements: readonly Statement[];
  /** Absent in findings of older versions. */
  readonly notAssessed?: AnalysisResult['notAssessed'];
  readonly severity?: Severity;
  readonly quality: AnalysisResult['quality'];
  readonly warnings: readonly Warning[];
}

export interface Finding {
  readonly taskId: number;
  readonly revision: number;
  readonly analysisVersion: string;
  readonly resultSha256: string;
  /** As the program states it, with the corrections that it was measured by. */
  readonly summary: FindingSummary;
  /** What a person changed before it was approved; over the summary, never in it. */
  readonly corrections: readonly MadeCorrection[];
  readonly createdMs: number;
}

/** Changes of a reading that nobody has approved yet. */
export interface ReviewDraft {
  readonly taskId: number;
  /** Who changes it; others are told. */
  readonly holder: string;
  readonly holderName: string;
  readonly sinceMs: number;
  /** Another one with every step. */
  readonly version: number;
  /** So many corrections were approved with the findings already; these are not undone. */
  readonly carried: number;
  /** So many count; those behind them were undone. */
  readonly done: number;
}

/** What the bytes of a report depend on beside recording and findings. */
export interface ReportLook {
  readonly approval:
    | { readonly kind: 'preliminary' }
    | { readonly kind: 'automatic' }
    | { readonly kind: 'approved'; readonly by: string; readonly atMs: number; readonly reason?: string };
  readonly paper: 'A4' | 'Letter';
  /** Absent in reports of older versions, which were in English. */
  readonly language?: Language;
  readonly productVersion: string;
  readonly createdMs: number;
  readonly clinic?: string;
  /** SHA-256 of the picture. */
  readonly logo?: string;
  readonly twelveLeads?: '3x4' | '6x2';
  /** The rhythm leads of the setting, separated by commas. */
  readonly rhythmLeads?: string;
  /** The recording and the result are attached to the file. */
  readonly carriesRecording?: boolean;
  /** What was known of the task when it was made; absent in reports of older versions, which say nothing of recordings. */
  readonly warnings?: readonly Warning[];
}

export interface StoredReport {
  readonly taskId: number;
  readonly revision: number;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Kept, so that a lost report can be made again exactly. */
  readonly look: ReportLook;
}

/** A frozen file that is given out in chunks (D48). */
export interface Download {
  readonly id: string;
  readonly organizationId: number;
  readonly sha256: string;
  readonly totalSizeBytes: number;
  readonly usedMs: number;
}

/** With all that a list shows of it. */
export interface ListedTask {
  readonly task: Task;
  readonly facts: RecordingFacts | undefined;
  /** Since when it is critical and waits for a physician. */
  readonly criticalSinceMs: number | undefined;
  /** The revision of its newest findings. */
  readonly criticalRevision: number | undefined;
  /** While it waits for its analysis: how many go before it. */
  readonly queuedAhead: number | undefined;
  /** As long as it is queued. */
  readonly lane: AnalysisLane | undefined;
  /** The name of the device on the desk. */
  readonly deviceName: string | undefined;
  /** Who signed the newest report. */
  readonly approvedBy: string | undefined;
  /** On its way to a central service, if it is meant for one. */
  readonly central: CentralState | undefined;
}

export interface CentralState {
  readonly state: ItemState;
  /** As it is judged there, in the words of there. */
  readonly severity: string | undefined;
  readonly hasReport: boolean;
}
