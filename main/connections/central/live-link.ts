// Beside the frames of a recording that goes out while it runs: says now and then how the device is, and
// hears what the centre asks of it.

import type { DeviceCommand, DeviceState } from '../../../shared/device-state.ts';

const LOOK_MS = 5000;
/** How the device is, so often: the centre takes it for lost after half a minute (D80). */
const LOOKS_PER_REPORT = 3;

export interface LiveTask {
  readonly taskId: number;
  readonly centralId: string;
  readonly state: DeviceState;
}

export interface LiveLinkWorld {
  /** The tasks whose stream is open there. */
  tasks(): readonly LiveTask[];
  commandOf(centralId: string): Promise<DeviceCommand | 'none' | undefined>;
  report(centralId: string, state: DeviceState): Promise<void>;
  /** @param command undefined: nothing is asked */
  onCommand(taskId: number, command: DeviceCommand | undefined): Promise<void>;
}

export class LiveLink implements AsyncDisposable {
  readonly #world: LiveLinkWorld;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #known = new Set<number>();
  #looks = 0;
  #looking: Promise<void> | undefined;
  #isEnded = false;

  constructor(world: LiveLinkWorld, everyMs = LOOK_MS) {
    this.#world = world;
    this.#timer = setInterval(() => {
      // Where nobody answers, one question at a time is enough.
      this.#looking ??= this.#look()
        .catch(() => undefined)
        .finally(() => {
          this.#looking = undefined;
        });
    }, everyMs).unref();
  }

  async #look(): Promise<void> {
    const tasks = this.#world.tasks();
    const isReportDue = this.#looks++ % LOOKS_PER_REPORT === 0;
    for (const taskId of this.#known)
      if (!tasks.some((task) => task.taskId === taskId)) await this.#forget(taskId);
    for (const { taskId, centralId, state } of tasks) {
      if (this.#isEnded) return;
      this.#known.add(taskId);
      if (isReportDue) await this.#world.report(centralId, state);
      const command = await this.#world.commandOf(centralId);
      // Without an answer, the last command still stands.
      if (command !== undefined && !this.#isEnded)
        await this.#world.onCommand(taskId, command === 'none' ? undefined : command);
    }
  }

  async #forget(taskId: number): Promise<void> {
    this.#known.delete(taskId);
    await this.#world.onCommand(taskId, undefined);
  }

  /** What is being asked is not waited for: nothing depends on it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#timer);
    for (const taskId of this.#known) await this.#forget(taskId).catch(() => undefined);
  }
}
