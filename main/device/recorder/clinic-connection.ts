// The recorder's way to the clinic thread. The thread may die and come back, or be busy: what is asked is
// asked again until it is answered.

import { setTimeout as wait } from 'node:timers/promises';
import { BridgeClient } from '../../../shared/bridge/client.ts';
import type { CallInput, CallOutput, RecorderCall } from '../../../shared/bridge/contract.ts';
import type { BridgePort } from '../../../shared/bridge/messages.ts';
import { IsolineError, type Reason } from '../../../shared/errors.ts';
import { STORAGE_REASONS } from '../../ground/storage-fault.ts';

const PAUSE_MS = 100;
/** Will pass by itself, or when somebody makes room. */
const PASSING: readonly Reason[] = ['bridge_closed', ...STORAGE_REASONS, 'starting', 'shutting_down'];

/** What nobody foresaw may pass, too; a bug does not. */
const MOST_TRIES = 20;

export class ClinicConnection {
  readonly #connect: () => BridgePort;
  readonly #onLost: () => void;
  #client: BridgeClient;
  #isFresh = true;

  /** @param onLost the clinic thread is gone; it will be asked again when it is back. */
  constructor(connect: () => BridgePort, onLost: () => void) {
    this.#connect = connect;
    this.#onLost = onLost;
    this.#client = new BridgeClient(connect());
  }

  /** @throws IsolineError as the clinic answers, `bridge_closed` when it is away */
  async call<K extends RecorderCall>(name: K, input: CallInput<K>): Promise<CallOutput<K>> {
    try {
      const output = await this.#client.call(name, input);
      this.#isFresh = true;
      return output;
    } catch (error) {
      if (error instanceof IsolineError && error.reason === 'bridge_closed') {
        if (this.#isFresh) this.#onLost();
        this.#isFresh = false;
        this.#client = new BridgeClient(this.#connect());
      }
      throw error;
    }
  }

  /**
   * Asks until the clinic has decided.
   * @param onTrouble hears of each time that it could not.
   * @throws IsolineError with the clinic's decision
   */
  async callPatiently<K extends RecorderCall>(
    name: K,
    input: CallInput<K>,
    signal: AbortSignal,
    onTrouble: (reason: Reason) => void = () => undefined,
  ): Promise<CallOutput<K>> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.call(name, input);
      } catch (error) {
        const isPassing =
          error instanceof IsolineError &&
          (PASSING.includes(error.reason) || (error.reason === 'internal' && tries < MOST_TRIES));
        if (!isPassing || signal.aborted) throw error;
        onTrouble(error.reason);
      }
      await wait(PAUSE_MS, undefined, { signal });
    }
  }
}
