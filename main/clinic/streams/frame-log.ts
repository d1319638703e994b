// Frames on their way to the disk. Many of them share one commit: what arrives while a commit runs goes into
// the next one (D76; durability reference, 2.4). A frame is acknowledged by the promise that `append` gives,
// when its commit is on the disk.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ClinicContext, type Tx, transact } from '../context.ts';
import type { DeviceLinks } from './device-links.ts';
import type { DeskFacts, RecordingEvent, StoredFrame } from './records.ts';

const MAX_FRAMES = 256;
const MAX_GATHERING_MS = 4;
/**
 * A share of the time that the last commit took: after a group, a slow disk is worth waiting for those who come a
 * turn late.
 */
const GATHERING_SHARE_OF_COMMIT = 0.25;
const MAX_PATIENCE_MS = 25;
const NOTE_EVERY_MS = 1000;
const MAX_COMMIT_BYTES = 1 << 20;
const MAX_WAITING_BYTES = 8 << 20;

interface WaitingFrame {
  readonly taskId: number;
  readonly frame: StoredFrame;
  readonly events: readonly RecordingEvent[];
  readonly resolve: (isNew: boolean) => void;
  readonly reject: (error: unknown) => void;
}

export class FrameLog {
  readonly #context: ClinicContext;
  readonly #links: DeviceLinks;
  #waiting: WaitingFrame[] = [];
  /** The frames of the device on the desk, which go first (D103). */
  #urgent: WaitingFrame[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;
  /** When each stream's last activity was written down. */
  readonly #notedMs = new Map<number, number>();

  constructor(context: ClinicContext, links: DeviceLinks) {
    this.#context = context;
    this.#links = links;
  }

  /**
   * Resolves when the frame is on the disk: with false where its timestamp was there already and nothing was
   * stored. Waits while eight megabytes are on their way.
   * @param desk of the device on the desk: the frame goes before all others, and its events are stored with
   * it.
   */
  async append(taskId: number, frame: StoredFrame, desk?: DeskFacts): Promise<boolean> {
    if (desk === undefined)
      while (this.#waitingBytes >= MAX_WAITING_BYTES && this.#running !== undefined) await this.#running;
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    (desk === undefined ? this.#waiting : this.#urgent).push({
      taskId,
      frame,
      events: desk?.events ?? [],
      resolve,
      reject,
    });
    if (desk === undefined) this.#waitingBytes += frame.payload.length;
    this.#running ??= this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    await this.#gather(0);
    while (this.#urgent.length + this.#waiting.length > 0) {
      const group = this.#nextGroup();
      const startMs = performance.now();
      try {
        const areNew = await transact(this.#context.store, (tx) => this.#write(tx, group));
        for (const [i, { resolve }] of group.entries()) resolve(areNew[i] === true);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      const commitMs = performance.now() - startMs;
      await this.#gather(
        group.length > 1 ? Math.min(MAX_PATIENCE_MS, commitMs * GATHERING_SHARE_OF_COMMIT) : 0,
      );
    }
    this.#running = undefined;
  }

  /**
   * Lets the event loop turn as long as every turn brings more frames: a lone one pays one turn, many share a
   * commit.
   * @param patienceMs at least so long, also through turns that bring none
   */
  async #gather(patienceMs: number): Promise<void> {
    const startMs = performance.now();
    for (let before = -1; this.#urgent.length === 0; ) {
      const takenMs = performance.now() - startMs;
      const isMoreComing = before < this.#waiting.length && takenMs < MAX_GATHERING_MS;
      if (!isMoreComing && takenMs >= patienceMs) return;
      before = this.#waiting.length;
      await nextTurn();
    }
  }

  #nextGroup(): WaitingFrame[] {
    let [count, bytes] = [0, 0];
    while (count < this.#waiting.length && count < MAX_FRAMES && bytes < MAX_COMMIT_BYTES)
      bytes += (this.#waiting[count++] as WaitingFrame).frame.payload.length;
    this.#waitingBytes -= bytes;
    const group = [...this.#urgent, ...this.#waiting.slice(0, count)];
    this.#urgent = [];
    this.#waiting = this.#waiting.slice(count);
    return group;
  }

  #write(tx: Tx, group: readonly WaitingFrame[]): boolean[] {
    const { store, clock } = this.#context;
    const nowMs = clock.nowMs();
    const areNew = group.map(({ taskId, frame }) => store.streams.addFrame(taskId, frame));
    for (const { taskId, events } of group) if (events.length > 0) store.streams.addEvents(taskId, events);
    // Repeats are no sign of life that means anything.
    const fed = new Set(group.filter((_, i) => areNew[i]).map((each) => each.taskId));
    for (const taskId of fed) {
      this.#links.noteFrame(tx, taskId);
      // For people, who look once a second at most.
      if (Math.abs(nowMs - (this.#notedMs.get(taskId) ?? 0)) < NOTE_EVERY_MS) continue;
      tx.after(() => void this.#notedMs.set(taskId, nowMs));
      store.streams.noteActivity(taskId, nowMs);
    }
    return areNew;
  }

  /** The stream is over. */
  forget(taskId: number): void {
    this.#notedMs.delete(taskId);
  }
}
