// The centre in memory, as the rules know it: a creation makes something each time it is asked for, a draft
// is found late, a frame has its place once. It knows the truth that the sender can only ask for.

import { type Call, isOfDelivery, type Outcome } from '../../../../main/clinic/outbox/call.ts';
import type { Load } from '../../../../main/clinic/outbox/item.ts';

interface Upload {
  readonly owner: number;
  receivedBytes: number;
}

interface Task {
  readonly owner: number;
  readonly createdMs: number;
  readonly processedMs: number;
  /** Frames that it was finished with, for the stream way. */
  readonly frames: number | undefined;
}

interface Draft {
  readonly owner: number;
  readonly createdMs: number;
  isStarted: boolean;
  readonly frames: Set<number>;
}

export class CentreModel {
  readonly uploads = new Map<string, Upload>();
  readonly tasks = new Map<string, Task>();
  readonly drafts = new Map<string, Draft>();
  /** Creations that the network, not the sender, made twice. */
  readonly doubled = new Map<number, number>();
  readonly #findDelayMs: number;
  readonly #processingMs: number;
  #nextId = 1;

  constructor(findDelayMs: number, processingMs: number) {
    this.#findDelayMs = findDelayMs;
    this.#processingMs = processingMs;
  }

  #id(): string {
    return String(this.#nextId++);
  }

  #makeTask(id: string, owner: number, nowMs: number, frames: number | undefined): void {
    this.tasks.set(id, { owner, createdMs: nowMs, processedMs: nowMs + this.#processingMs, frames });
  }

  /** Examinations that were made of one recording. */
  examinations(owner: number): number {
    let count = 0;
    for (const task of this.tasks.values()) if (task.owner === owner) count++;
    return count - (this.doubled.get(owner) ?? 0);
  }

  /** What happens when the request arrives. */
  take(owner: number, call: Call, load: Load, nowMs: number): Outcome {
    if (isOfDelivery(call)) throw new Error('a central service is not asked that');
    switch (call.kind) {
      case 'createUpload': {
        const id = this.#id();
        this.uploads.set(id, { owner, receivedBytes: 0 });
        return { kind: 'done', id };
      }
      case 'chunk':
        return this.#takeChunk(call);
      case 'createTask': {
        const upload = this.uploads.get(call.uploadId);
        if (upload === undefined) return { kind: 'absent' };
        if (upload.receivedBytes < load.sizeBytes) return { kind: 'refused', message: 'incomplete' };
        const id = this.#id();
        this.#makeTask(id, owner, nowMs, undefined);
        return { kind: 'done', id };
      }
      case 'findDraft': {
        const found = [...this.drafts].find(
          ([, draft]) => draft.owner === owner && draft.createdMs + this.#findDelayMs <= nowMs,
        );
        return found === undefined ? { kind: 'absent' } : { kind: 'done', id: found[0] };
      }
      case 'createDraft': {
        const id = this.#id();
        this.drafts.set(id, { owner, createdMs: nowMs, isStarted: false, frames: new Set() });
        return { kind: 'done', id };
      }
      case 'status': {
        const task = this.tasks.get(call.centralId);
        if (task === undefined) return { kind: 'absent' };
        const isProcessed = nowMs >= task.processedMs;
        return { kind: 'done', isProcessed, isReportAvailable: isProcessed };
      }
      case 'report':
        return this.tasks.has(call.centralId) ? { kind: 'done' } : { kind: 'absent' };
      default:
        return this.#takeStream(call, nowMs);
    }
  }

  #takeChunk({ uploadId, offsetBytes, lengthBytes }: Call & { kind: 'chunk' }): Outcome {
    const upload = this.uploads.get(uploadId);
    if (upload === undefined) return { kind: 'absent' };
    if (offsetBytes > upload.receivedBytes) throw new Error('a chunk was left out');
    upload.receivedBytes = Math.max(upload.receivedBytes, offsetBytes + lengthBytes);
    return { kind: 'done' };
  }

  #takeStream(call: Call & { kind: 'start' | 'frame' | 'finish' | 'params' }, nowMs: number): Outcome {
    const draft = this.drafts.get(call.centralId);
    if (draft === undefined) return { kind: 'absent' };
    switch (call.kind) {
      case 'start':
        if (draft.isStarted) return { kind: 'conflict' };
        draft.isStarted = true;
        return { kind: 'done' };
      case 'frame':
        if (draft.frames.has(call.index)) return { kind: 'conflict' };
        draft.frames.add(call.index);
        return { kind: 'done' };
      case 'params':
        return { kind: 'done' };
      case 'finish':
        this.drafts.delete(call.centralId);
        this.#makeTask(call.centralId, draft.owner, nowMs, draft.frames.size);
        return { kind: 'done' };
    }
  }
}
