// The signal of a running device as it comes over the bridge, and the views that draw it. Views come and go;
// the seconds stay.

import type { Bridge } from '../../shared/bridge/contract.ts';
import { decodeSamples } from '../../shared/bridge/sample-message.ts';
import type { LeadCode } from '../../shared/signal/lead.ts';
import { DIAGNOSTIC, type DisplayFilter } from './display-filter.ts';
import { LiveSignal } from './live-signal.ts';
import type { LiveView } from './live-view.ts';
import type { LeadOrder } from './shown-leads.ts';

export interface FedDevice {
  readonly id: string;
  readonly rateHz: number;
  /** What it measures. */
  readonly leads: readonly LeadCode[];
}

export class SignalFeed {
  readonly deviceId: string;
  readonly #signal: LiveSignal;
  readonly #views = new Set<LiveView>();
  readonly #ends: readonly (() => void)[];

  constructor(bridge: Pick<Bridge, 'on'>, { id, rateHz, leads }: FedDevice) {
    this.deviceId = id;
    this.#signal = new LiveSignal({ rateHz, leadCodes: leads, filter: DIAGNOSTIC });
    this.#ends = [
      bridge.on('desk.samples', (message) => {
        const piece = message.id === id ? decodeSamples(message.bytes) : undefined;
        // Pieces of other leads come until the page knows of them.
        if (piece === undefined || piece.rateHz !== rateHz || piece.leads.length !== leads.length) return;
        this.#signal.add(piece);
        for (const view of this.#views) view.arrived();
      }),
      bridge.on('desk.live', (message) => {
        if (message.id === id) this.#signal.addPaces(message.paceSamples);
      }),
    ];
  }

  /** @returns takes the view away again */
  show(view: LiveView): () => void {
    this.#views.add(view);
    view.showSignal(this.#signal);
    return () => {
      this.#views.delete(view);
      view.showSignal(undefined);
    };
  }

  setFilter(filter: DisplayFilter): void {
    if (this.#signal.setFilter(filter)) this.#redraw();
  }

  setOrder(order: LeadOrder): void {
    if (this.#signal.setOrder(order)) this.#redraw();
  }

  /** Bits of measured leads that mean nothing now, because an electrode has no contact. */
  setDeadLeads(mask: number): void {
    this.#signal.setDeadLeads(mask);
  }

  /** What came before now is another patient's. */
  forget(): void {
    this.#signal.forget();
    this.#redraw();
  }

  #redraw(): void {
    for (const view of this.#views) view.redraw();
  }

  close(): void {
    for (const end of this.#ends) end();
  }
}
