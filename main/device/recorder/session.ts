// One recording, one task: what was asked for, and how far it is.

import type { IsolineError } from '../../../shared/errors.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import type { FrameBuilder } from './frame-builder.ts';

export interface RecordRequest {
  /** Absent: a task is made for it. */
  readonly taskId?: number | undefined;
  readonly withPast?: boolean | undefined;
  /** Recorded time after which it ends by itself. */
  readonly durationMs?: number | undefined;
}

/** A recording that is on the disk and closed. */
export interface RecordingSummary {
  readonly taskId: number;
  readonly recordedMs: number;
  readonly lostShare: number;
}

export class Session {
  readonly builder: FrameBuilder;
  readonly request: RecordRequest;
  readonly startedMs: number;
  readonly begun = Promise.withResolvers<number>();
  readonly ended = Promise.withResolvers<RecordingSummary>();
  taskId: number | undefined;
  /** Samples by which its task began later than it did: it was ended elsewhere, and goes on in another one. */
  laterBy = 0;
  /** Frames that the clinic would not have, and what it said of the last one. */
  refused = 0;
  refusal = '';
  failure: IsolineError | undefined;
  frames = 0;
  recordedSamples = 0;
  bytes = 0;
  readonly warnings: Warning[] = [];

  constructor(builder: FrameBuilder, request: RecordRequest, startedMs: number) {
    this.builder = builder;
    this.request = request;
    this.startedMs = startedMs;
    // Whoever waits for them hears of it; nobody has to.
    this.begun.promise.catch(() => undefined);
    this.ended.promise.catch(() => undefined);
  }

  get lostShare(): number {
    const { lost, samples } = this.builder;
    return lost === 0 ? 0 : lost / (lost + samples);
  }
}
