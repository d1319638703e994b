// How many minutes of a recording the disk has room for.

import type { ClinicConnection } from './clinic-connection.ts';

const LOOK_EVERY_MS = 10_000;
/** A stored frame is a row, later a piece of a file, for a moment both. */
const BYTES_ON_DISK = 2.5;

export class SpaceWatch {
  minutesLeft: number | undefined;
  readonly #clinic: ClinicConnection;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(clinic: ClinicConnection) {
    this.#clinic = clinic;
  }

  /**
   * @param bytesPerSecond what the recording brings
   * @param onLook hears of the minutes left, at once and every ten seconds
   */
  start(bytesPerSecond: () => number, onLook: (minutesLeft: number) => void): void {
    this.stop();
    const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
    this.#timer = timer;
    const look = async (): Promise<void> => {
      const space = await this.#clinic.call('recorder.space', {}).catch(() => undefined);
      if (space === undefined || this.#timer !== timer) return;
      this.minutesLeft = space.freeBytes / (bytesPerSecond() * BYTES_ON_DISK) / 60;
      onLook(this.minutesLeft);
    };
    void look();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
