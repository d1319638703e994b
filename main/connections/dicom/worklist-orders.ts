// The hospital's worklist (DICOM): asked again and again, because it tells nobody of what is new.

import { zonedTime } from '../../../shared/civil-time.ts';
import type { OrderList, Orders } from '../../clinic/orders/orders.ts';
import type { Log, Pool } from '../../clinic/ports.ts';
import { repeat } from '../../clinic/repeat.ts';
import { ConnectionError } from '../../hospital/connection.ts';
import { AssociationRefused, type DicomPeer } from '../../hospital/dimse/association.ts';
import { findInWorklist, SUCCESS } from '../../hospital/dimse/requests.ts';

/** How often it is looked whether it is time to ask. */
const LOOK_MS = 1000;
const ASK_MS = 20_000;
/** Before it, the day before is asked for, too: a night belongs to the evening. */
const EARLY_HOUR = 5;
const DAY_MS = 86_400_000;
const MOST_ENTRIES = 1000;
const WORKLIST: OrderList = { format: 'dicom' };

export interface WorklistSettings {
  /** Undefined: there is none. */
  readonly peer: DicomPeer | undefined;
  /** Examinations of this kind alone; empty for all that are for this workstation. */
  readonly modality: string;
}

/** As DICOM writes days: `20261126`. */
const dayOf = (ms: number): string => zonedTime(ms).isoDay.replaceAll('-', '');

class WorklistWatch {
  readonly #orders: Orders;
  readonly #pool: Pick<Pool, 'readWorklist'>;
  readonly #log: Log;
  #askedMs = Number.NEGATIVE_INFINITY;
  #key = '';

  constructor(orders: Orders, pool: Pick<Pool, 'readWorklist'>, log: Log) {
    this.#orders = orders;
    this.#pool = pool;
    this.#log = log;
  }

  async look(settings: WorklistSettings, signal: AbortSignal): Promise<void> {
    const key = JSON.stringify(settings);
    const isChanged = key !== this.#key;
    this.#key = key;
    if (settings.peer === undefined) {
      if (!isChanged) return;
      this.#orders.leave(WORKLIST);
      this.#orders.note('worklist', false);
      return;
    }
    this.#orders.ask(WORKLIST);
    const nowMs = performance.now();
    if (!isChanged && nowMs - this.#askedMs < ASK_MS) return;
    this.#askedMs = nowMs;
    try {
      await this.#ask(settings.peer, settings.modality, signal);
      this.#orders.note('worklist', false);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #ask(peer: DicomPeer, modality: string, signal: AbortSignal): Promise<void> {
    const { worklistQuery } = await import('../../formats/dicom/worklist.ts');
    const nowMs = Date.now();
    const isEarly = new Date(nowMs).getHours() < EARLY_HOUR;
    const question = {
      modality,
      // Whoever asks for everything asks for what is meant for this workstation.
      stationTitle: modality === '' ? peer.ownTitle : '',
      days: isEarly ? `${dayOf(nowMs - DAY_MS)}-${dayOf(nowMs)}` : dayOf(nowMs),
    };
    const { said, entries, isImplicit } = await findInWorklist(
      peer,
      (wanted) => worklistQuery(question, wanted),
      MOST_ENTRIES,
      signal,
    );
    if (said.status !== SUCCESS) throw new ConnectionError('odd');
    const { orders, unread } = await this.#pool.readWorklist(entries, isImplicit);
    if (unread > 0) this.#log('worklist.unread', { entries: unread });
    await this.#orders.takeList(WORKLIST, orders);
  }

  /** Logged when it begins, not at every question. */
  #fail(error: unknown): void {
    if (!this.#orders.has('worklist')) {
      const reason =
        error instanceof ConnectionError
          ? error.fault
          : error instanceof AssociationRefused
            ? error.why
            : 'unknown';
      this.#log('worklist.failed', { reason });
    }
    this.#orders.note('worklist', true);
  }
}

/** Takes what appears in the worklist, until it is given up. */
export function watchWorklist(
  orders: Orders,
  pool: Pick<Pool, 'readWorklist'>,
  settings: () => WorklistSettings,
  log: Log,
): AsyncDisposable {
  const watch = new WorklistWatch(orders, pool, log);
  return repeat(LOOK_MS, (signal) => watch.look(settings(), signal));
}
