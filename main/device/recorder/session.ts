// One recording, one task: what was asked for, and how far it is.

import type { RecordingEntry } from '../../../shared/entry/recording-entry.ts';
import type { IsolineError } from '../../../shared/errors.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import type { FrameBuilder } from './frame-builder.ts';

export interface RecordRequest {
  /** Absent: a task is made for it. */
  readonly taskId?: number | undefined;
  /** Whose recording it is, for a task that is made. */
  readonly entry?: RecordingEntry | undefined;
  /** The page at which somebody asked for it. */
  readonly session?: string | undefined;
  readonly withPast?: boolean | undefined;
  /** Recorded time after which it ends by itself. */
  readonly durationMs?: number | undefined;
}

/** A task whose recording is on the disk and closed. */
export interface TaskSummary {
  readonly taskId: number;
  readonly recordedMs: number;
  readonly recordedSamples: number;
  readonly lostSamples: number;
}

/** A recording that is on the disk and closed, in one task or in several that follow one another. */
export interface RecordingSummary {
  /** The last one. */
  readonly taskId: number;
  readonly taskIds: readonly number[];
  readonly recordedMs: number;
  readonly lostShare: number;
}

const shareOf = (lost: number, samples: number): number => (lost === 0 ? 0 : lost / (lost + samples));

export function summaryOf(parts: readonly TaskSummary[]): RecordingSummary {
  const sum = (count: (part: TaskSummary) => number): number =>
    parts.reduce((total, part) => total + count(part), 0);
  return {
    taskId: parts.at(-1)?.taskId as number,
    taskIds: parts.map(({ taskId }) => taskId),
    recordedMs: sum(({ recordedMs }) => recordedMs),
    lostShare: shareOf(
      sum(({ lostSamples }) => lostSamples),
      sum(({ recordedSamples }) => recordedSamples),
    ),
  };
}

/** What is shorter hides no beat. */
const LEAST_LOST_MS = 200;

export interface Loss {
  readonly lostMs: number;
  /** The longest stretch without a gap. */
  readonly longestMs: number;
}

export class Session {
  readonly builder: FrameBuilder;
  readonly request: RecordRequest;
  /** Whose recording it is: that of the one that it goes on from, whoever is entered meanwhile. */
  readonly entry: RecordingEntry | undefined;
  readonly startedMs: number;
  readonly begun = Promise.withResolvers<number>();
  readonly ended = Promise.withResolvers<TaskSummary>();
  /**
   * The one before it, of the same patient, until its own task is made: a chain of days would hold the memory
   * of all of them.
   */
  previous: Session | undefined;
  /** The one that it rolled over to. */
  next: Session | undefined;
  taskId: number | undefined;
  /** In which its task is. */
  folder: string | undefined;
  /** The task that somebody began. */
  firstTaskId: number | undefined;
  /**
   * Samples by which its task began later than it did: it was ended elsewhere, and goes on in another one.
   */
  laterBy = 0;
  /** Frames that the clinic would not have, and what it said of the last one. */
  refused = 0;
  refusal = '';
  failure: IsolineError | undefined;
  isStopAsked = false;
  /** Who ended it, for the audit. */
  stoppedBy: Promise<string | undefined> | undefined;
  frames = 0;
  recordedSamples = 0;
  bytes = 0;
  readonly warnings: Warning[] = [];

  constructor(
    builder: FrameBuilder,
    request: RecordRequest,
    startedMs: number,
    previous: Session | undefined,
  ) {
    this.previous = previous;
    this.builder = builder;
    this.request = request;
    this.entry = previous === undefined ? request.entry : previous.entry;
    this.startedMs = startedMs;
    // Whoever waits for them hears of it; nobody has to.
    this.begun.promise.catch(() => undefined);
    this.ended.promise.catch(() => undefined);
  }

  /** Its task is there; once more, where it had to go on in another one. */
  begin(taskId: number, folder: string): void {
    this.taskId = taskId;
    this.folder = folder;
    this.firstTaskId ??= this.previous?.firstTaskId ?? taskId;
    this.previous = undefined;
    this.begun.resolve(taskId);
  }

  /** What is missing between its samples; undefined where next to nothing is. */
  lossOf(rateHz: number): Loss | undefined {
    const { missing, longest } = this.builder;
    const [lostMs, longestMs] = [missing, longest].map((samples) => (1000 * samples) / rateHz) as [
      number,
      number,
    ];
    return lostMs < LEAST_LOST_MS ? undefined : { lostMs, longestMs };
  }

  get lostShare(): number {
    return shareOf(this.builder.lost, this.builder.samples);
  }
}
