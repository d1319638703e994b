// What holds of every stream: which step may follow which, and which frames fit it (D73 to D76).

import { IsolineError } from '../../../shared/errors.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import { MAX_STREAM_FRAMES } from '../../../shared/signal/stream-file.ts';
import { blockBytes, type DeltaHeader } from '../../signal/compressed-delta/header.ts';
import type { Tx } from '../context.ts';
import type { Store } from '../store.ts';
import type { StreamParameters, StreamRow } from './records.ts';
import { nextStreamState, type StreamEvent } from './stream-state.ts';

const MAX_SECONDS = 35 * 86_400;
const MAX_DECODED_BYTES = 16 << 20;
const RATE_TOLERANCE = 1e-6;

export const notFound = (): IsolineError =>
  new IsolineError('stream_not_found', 'This stream does not exist.');

export const invalidFrame = (why: string): IsolineError =>
  new IsolineError('invalid_frame', `The frame is not a valid Compressed Delta frame. ${why}`);

/** @throws IsolineError `stream_not_found` where the step may not follow */
export function step(state: 'absent' | StreamRow['state'], event: StreamEvent): void {
  if (nextStreamState(state, event) === undefined) throw notFound();
}

/** Adds a warning to the task, once. */
export function warn(_tx: Tx, store: Store, taskId: number, added: Warning): void {
  const warnings = store.tasks.byId(taskId)?.warnings ?? [];
  if (!warnings.some(({ code }) => code === added.code))
    store.tasks.setWarnings(taskId, [...warnings, added]);
}

/** A stream that frames come to. */
export interface FilledStream {
  readonly parameters: StreamParameters;
  readonly frameCount: number;
  readonly pending: { readonly size: number };
}

/** @throws IsolineError `frame_mismatch`, `frame_out_of_range`, `invalid_frame` */
export function requireFits(
  { parameters, frameCount, pending }: FilledStream,
  timestampUs: number,
  header: DeltaHeader,
): void {
  if (header.channels !== parameters.leadCodes.length)
    throw new IsolineError(
      'frame_mismatch',
      `The frame has ${header.channels} channels, the stream was started with ${parameters.leadCodes.length} leads.`,
    );
  if (Math.abs(header.sampleRateHz - parameters.sampleRateHz) > RATE_TOLERANCE * parameters.sampleRateHz)
    throw new IsolineError('frame_mismatch', 'The sample rate of the frame differs from that of the stream.');
  if (blockBytes(header) > MAX_DECODED_BYTES)
    throw invalidFrame(`It states more than ${MAX_DECODED_BYTES} bytes of samples.`);
  if (timestampUs / 1e6 + header.samples / header.sampleRateHz > MAX_SECONDS)
    throw new IsolineError(
      'frame_out_of_range',
      'The frame ends more than 35 days after the start of the stream.',
    );
  if (frameCount + pending.size >= MAX_STREAM_FRAMES)
    throw new IsolineError(
      'frame_out_of_range',
      `The stream already has ${MAX_STREAM_FRAMES} frames and accepts no more.`,
    );
}
