// Frames on their way to the disk. Many of them share one commit: what arrives while a commit runs goes into the next one (D76;
// durability reference, 2.4). A frame is acknowledged by the promise that `append` gives, when its commit is on the disk.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ClinicContext, transact } from './context.ts';
import type { DeviceLinks } from './device-links.ts';
import type { StoredFrame } from './ports.ts';

const MAX_FRAMES = 256;
const MAX_COMMIT_BYTES = 1 << 20;
const MAX_WAITING_BYTES = 8 << 20;

interface WaitingFrame {
  readonly taskId: number;
  readonly frame: StoredFrame;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class FrameLog {
  readonly #context: ClinicContext;
  readonly #links: DeviceLinks;
  #waiting: WaitingFrame[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;

  constructor(context: ClinicContext, links: DeviceLinks) {
    this.#context = context;
    this.#links = links;
  }

  /** Resolves when the frame is on the disk. Waits while eight megabytes are on their way. */
  async append(taskId: number, frame: StoredFrame): Promise<void> {
    while (this.#waitingBytes >= MAX_WAITING_BYTES && this.#running !== undefined) await this.#running;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ taskId, frame, resolve, reject });
    this.#waitingBytes += frame.payload.length;
    this.#running ??= this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    // One turn of the event loop later, so that all that has arrived by then is in the first commit.
    await nextTurn();
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      try {
        await transact(this.#context.store, () => this.#write(group));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      await nextTurn();
    }
    this.#running = undefined;
  }

  #nextGroup(): WaitingFrame[] {
    let [count, bytes] = [0, 0];
    while (count < this.#waiting.length && count < MAX_FRAMES && bytes < MAX_COMMIT_BYTES)
      bytes += (this.#waiting[count++] as WaitingFrame).frame.payload.length;
    this.#waitingBytes -= bytes;
    const group = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return group;
  }

  #write(group: readonly WaitingFrame[]): void {
    const { store, clock } = this.#context;
    const counts = new Map<number, number>();
    for (const { taskId, frame } of group) {
      store.streams.addFrame(taskId, frame);
      counts.set(taskId, (counts.get(taskId) ?? 0) + 1);
    }
    for (const [taskId, count] of counts) {
      store.streams.noteFrames(taskId, count, clock.nowMs());
      this.#links.note(taskId, 'frame');
    }
  }
}
