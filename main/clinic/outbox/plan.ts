// Which call comes next for an item. It reads only what is stored, so that the same call comes next after a
// restart.

import type { Call } from './call.ts';
import {
  type ByDelivery,
  type ByStream,
  type ByUpload,
  type GoingItem,
  type Item,
  isGoing,
  type Load,
} from './item.ts';

/** An upload that took longer is started again: the centre forgets it (D127). */
const SESSION_MS = 86_400_000;

export interface SendOptions {
  /** The size of the next chunk (D127). */
  readonly chunkBytes: number;
}

function planUpload(
  { upload, doubt }: GoingItem<ByUpload>,
  { sizeBytes }: Load,
  { chunkBytes }: SendOptions,
  nowMs: number,
): Call {
  // A task that may be there is asked for again by the same upload, and by no other.
  if (upload !== undefined && doubt === 'createTask') return { kind: 'createTask', uploadId: upload.id };
  if (upload === undefined || nowMs - upload.createdMs >= SESSION_MS) return { kind: 'createUpload' };
  const { id: uploadId, ackedBytes } = upload;
  if (ackedBytes >= sizeBytes) return { kind: 'createTask', uploadId };
  return {
    kind: 'chunk',
    uploadId,
    offsetBytes: ackedBytes,
    lengthBytes: Math.min(chunkBytes, sizeBytes - ackedBytes),
  };
}

function planStream(
  { centralId, stream, doubt }: GoingItem<ByStream>,
  { frames, isFinished }: Load,
): Call | undefined {
  if (centralId === undefined) return { kind: doubt === 'createDraft' ? 'findDraft' : 'createDraft' };
  if (doubt === 'start' || doubt === 'finish') return { kind: 'params', centralId, after: doubt };
  if (!stream.isStarted) return { kind: 'start', centralId };
  if (stream.ackedFrames < frames) return { kind: 'frame', centralId, index: stream.ackedFrames };
  return isFinished ? { kind: 'finish', centralId } : undefined;
}

function planDelivery({ revision, sentObjects }: GoingItem<ByDelivery>, { objects }: Load): Call | undefined {
  if (objects === undefined) return undefined;
  // No object of another reading is there yet.
  return { kind: 'object', index: revision === objects.revision ? sentObjects.length : 0, of: objects };
}

/** Undefined where it waits: for a person, for frames, or for nothing any more. */
export function planCall(item: Item, load: Load, options: SendOptions, nowMs: number): Call | undefined {
  if (!isGoing(item)) return planWaiting(item);
  switch (item.way) {
    case 'upload':
      return planUpload(item, load, options, nowMs);
    case 'stream':
      return planStream(item, load);
    case 'delivery':
      return planDelivery(item, load);
  }
}

function planWaiting(item: Item): Call | undefined {
  if (item.state !== 'WAITING_REPORT') return undefined;
  const { centralId } = item;
  if (item.way === 'delivery') return { kind: 'confirm', centralId, objects: item.sentObjects };
  return { kind: item.isReportAvailable ? 'report' : 'status', centralId };
}
