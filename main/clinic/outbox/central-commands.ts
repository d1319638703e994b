// What a centre asks of a device whose recording goes there while it runs: shown, and obeyed only where that
// is allowed here.

import type { DeviceCommand } from '../../../shared/device-state.ts';
import { type ClinicContext, change } from '../context.ts';

export interface AskedCommand {
  readonly taskId: number;
  readonly command: DeviceCommand;
  readonly isObeyed: boolean;
}

export class CentralCommands {
  readonly #context: ClinicContext;
  readonly #asked = new Map<number, DeviceCommand>();

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  /**
   * @param command undefined: nothing is asked any more
   * @returns whether it is new, and is to be obeyed
   */
  async note(taskId: number, command: DeviceCommand | undefined): Promise<boolean> {
    if (this.#asked.get(taskId) === command) return false;
    if (command === undefined) this.#asked.delete(taskId);
    else this.#asked.set(taskId, command);
    const isObeyed = command !== undefined && this.#isObeyed(command);
    if (command !== undefined)
      await change(this.#context, () => ({
        result: undefined,
        notes: [
          {
            actor: 'program',
            action: 'sync.command_asked',
            subject: `task:${taskId}`,
            detail: { command, isObeyed },
          },
        ],
      }));
    this.#context.publish('sync.changed', {});
    return isObeyed;
  }

  /** A recording begins with a patient who is there: nobody begins it from afar. */
  #isObeyed(command: DeviceCommand): boolean {
    return this.#context.settings()['sync.obey'] && command !== 'START_DEVICE';
  }

  get all(): AskedCommand[] {
    return [...this.#asked].map(([taskId, command]) => ({
      taskId,
      command,
      isObeyed: this.#isObeyed(command),
    }));
  }

  /** The device that records into this task is to be stopped. */
  isToStop(taskId: number): boolean {
    return this.#asked.get(taskId) === 'STOP_DEVICE' && this.#isObeyed('STOP_DEVICE');
  }
}
