// What comes of a device, as it is to be drawn: leads that follow from others computed, electrodes without contact left out, filtered.
// The measured samples are kept beside it, so that another filter shows the seconds that are on the screen at once.

import type { SamplePiece } from '../../shared/bridge/sample-message.ts';
import { DisplayRing, GAP_MARK } from '../../shared/signal/display-ring.ts';
import type { LeadCode } from '../../shared/signal/lead.ts';
import { type DisplayFilter, DisplayFilterChain } from '../../shared/signal/live/display-filter.ts';
import { type LeadOrder, type ShownLead, shownLeads } from '../../shared/signal/shown-leads.ts';

const KEPT_SECONDS = 60;

export interface LiveSignalOptions {
  readonly rateHz: number;
  /** What the device measures. */
  readonly leadCodes: readonly LeadCode[];
  readonly filter: DisplayFilter;
  readonly order?: LeadOrder;
}

export class LiveSignal {
  readonly leads: readonly ShownLead[];
  /** What is drawn: one lead a shown one. */
  readonly ring: DisplayRing;
  isSimulated = false;
  readonly #raw: DisplayRing;
  #chains: readonly DisplayFilterChain[];
  /** Filtered measured leads of one sample. */
  readonly #filtered: Float64Array;
  #deadLeads = 0;

  constructor({ rateHz, leadCodes, filter, order }: LiveSignalOptions) {
    this.leads = shownLeads(leadCodes, order);
    this.#raw = new DisplayRing(rateHz, leadCodes.length, KEPT_SECONDS);
    this.ring = new DisplayRing(rateHz, this.leads.length, KEPT_SECONDS);
    this.#filtered = new Float64Array(leadCodes.length);
    this.#chains = this.#makeChains(filter);
  }

  #makeChains(filter: DisplayFilter): DisplayFilterChain[] {
    return this.#raw.mv.map(() => new DisplayFilterChain(filter, this.#raw.rateHz));
  }

  /** Bits of measured leads that mean nothing now, because an electrode has no contact. */
  setDeadLeads(mask: number): void {
    this.#deadLeads = mask;
  }

  add({ firstSample, leads, saturated, isAfterGap, isSimulated }: SamplePiece): void {
    this.isSimulated = isSimulated;
    const count = leads[0]?.length ?? 0;
    for (let lead = 0; lead < leads.length; lead++)
      if ((this.#deadLeads & (1 << lead)) !== 0) (leads[lead] as Float32Array).fill(Number.NaN);
    if (isAfterGap || firstSample !== this.#raw.end) this.#restart();
    this.#raw.write(firstSample, leads, saturated);
    this.ring.reserve(firstSample, count, this.#shownMarks(saturated));
    this.#filter(firstSample, firstSample + count);
  }

  /** The seconds that are there pass the new filter from their beginning. */
  setFilter(filter: DisplayFilter): void {
    this.#chains = this.#makeChains(filter);
    this.#filter(this.#raw.oldest, this.#raw.end);
  }

  #restart(): void {
    for (const chain of this.#chains) chain.restart();
  }

  #shownMarks(measured: number): number {
    let marks = 0;
    for (let i = 0; measured !== 0 && i < this.leads.length; i++) {
      const { one, two } = this.leads[i] as ShownLead;
      if ((measured & ((1 << one) | (1 << two))) !== 0) marks |= 1 << i;
    }
    return marks;
  }

  #filter(from: number, to: number): void {
    const { mv: raw, marks, mask } = this.#raw;
    const { mv: shown } = this.ring;
    const filtered = this.#filtered;
    for (let sample = from; sample < to; sample++) {
      const place = sample & mask;
      if (((marks[place] as number) & GAP_MARK) !== 0) {
        this.#restart();
        continue;
      }
      for (let i = 0; i < raw.length; i++)
        filtered[i] = (this.#chains[i] as DisplayFilterChain).next((raw[i] as Float32Array)[place] as number);
      for (let i = 0; i < this.leads.length; i++) {
        const { one, two, weightOne, weightTwo } = this.leads[i] as ShownLead;
        (shown[i] as Float32Array)[place] = weightOne * (filtered[one] as number) + weightTwo * (filtered[two] as number);
      }
    }
  }
}
