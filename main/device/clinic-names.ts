// What the clinic calls the devices at this desk: asked once, changed here, written by the clinic alone.

import { DeviceNames } from './device-names.ts';
import type { ClinicConnection } from './recorder/clinic-connection.ts';

export class ClinicNames {
  readonly #clinic: Pick<ClinicConnection, 'call'>;
  readonly #onChange: () => void;
  readonly #names = new DeviceNames();
  #learning: Promise<void> | undefined;

  constructor(clinic: Pick<ClinicConnection, 'call'>, onChange: () => void) {
    this.#clinic = clinic;
    this.#onChange = onChange;
  }

  /** Nobody waits for it: until the clinic has answered, devices are called as they call themselves. */
  learn(): void {
    this.#learning ??= this.#clinic.call('recorder.deviceNames', {}).then(
      ({ names }) => {
        for (const { identity, name } of names) this.#names.setOwn(identity, name);
        this.#onChange();
      },
      () => {
        this.#learning = undefined;
      },
    );
  }

  /** @param name an empty one takes the clinic's name away */
  async rename(id: string, name: string, session: string): Promise<void> {
    await this.#learning;
    await this.#clinic.call('recorder.nameDevice', { identity: id, name, session });
    this.#names.setOwn(id, name === '' ? undefined : name);
    this.#onChange();
  }

  numbered: DeviceNames['numbered'] = (devices) => this.#names.numbered(devices);

  /** It does not come back: its numbers may be given again. */
  forget(id: string): void {
    this.#names.forget(id);
  }
}
