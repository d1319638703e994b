// What comes of a device, as it is to be drawn: leads that follow from others computed, electrodes without
// contact left out, filtered. The measured samples are kept beside it, so that another filter shows the
// seconds that are on the screen at once.

import type { SamplePiece } from '../../shared/bridge/sample-message.ts';
import type { LeadCode } from '../../shared/signal/lead.ts';
import { type DisplayFilter, DisplayFilterChain } from './display-filter.ts';
import { DisplayRing, GAP_MARK } from './display-ring.ts';
import { type LeadOrder, type ShownLead, shownLeads } from './shown-leads.ts';

/** Room for 150 s of the fastest pacing. */
const MOST_PACES = 512;
/** A frozen picture of 120 s ago can still be drawn in another layout, with the seconds before it. */
const KEPT_SECONDS = 150;

export interface LiveSignalOptions {
  readonly rateHz: number;
  /** What the device measures. */
  readonly leadCodes: readonly LeadCode[];
  readonly filter: DisplayFilter;
  readonly order?: LeadOrder;
}

export class LiveSignal {
  isSimulated = false;
  readonly #leadCodes: readonly LeadCode[];
  readonly #raw: DisplayRing;
  #leads: readonly ShownLead[];
  #ring: DisplayRing;
  #filter: DisplayFilter;
  #chains: readonly DisplayFilterChain[];
  /** Filtered measured leads of one sample. */
  readonly #filtered: Float64Array;
  #deadLeads = 0;
  #order: LeadOrder;
  readonly #paces: number[] = [];

  constructor({ rateHz, leadCodes, filter, order = 'classic' }: LiveSignalOptions) {
    this.#leadCodes = leadCodes;
    this.#raw = new DisplayRing(rateHz, leadCodes.length, KEPT_SECONDS);
    this.#leads = shownLeads(leadCodes, order);
    this.#ring = new DisplayRing(rateHz, this.#leads.length, KEPT_SECONDS);
    this.#filtered = new Float64Array(leadCodes.length);
    this.#order = order;
    this.#filter = filter;
    this.#chains = this.#makeChains();
  }

  get leads(): readonly ShownLead[] {
    return this.#leads;
  }

  /** What is drawn: one lead a shown one. */
  get ring(): DisplayRing {
    return this.#ring;
  }

  /** Pacing spikes of the newest seconds, as samples, oldest first. */
  get paces(): readonly number[] {
    return this.#paces;
  }

  #makeChains(): DisplayFilterChain[] {
    return this.#raw.mv.map(() => new DisplayFilterChain(this.#filter, this.#raw.rateHz));
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
    // A device that restarted counts from zero again.
    if (firstSample < this.#raw.end) this.#paces.length = 0;
    this.#raw.write(firstSample, leads, saturated);
    this.ring.reserve(firstSample, count, this.#shownMarks(saturated));
    this.#compute(firstSample, firstSample + count);
  }

  /** @param samples of the newest pacing spikes, oldest first; those that are known are left out */
  addPaces(samples: readonly number[]): void {
    const newest = this.#paces.at(-1) ?? Number.NEGATIVE_INFINITY;
    // The live analysis goes on telling of those of the patient before.
    for (const sample of samples) if (sample > newest && sample >= this.#raw.begin) this.#paces.push(sample);
    if (this.#paces.length > MOST_PACES) this.#paces.splice(0, this.#paces.length - MOST_PACES);
  }

  /**
   * The seconds that are there pass the new filter from their beginning. @returns whether it is another one
   */
  setFilter(filter: DisplayFilter): boolean {
    if (filter.name === this.#filter.name && filter.mainsHz === this.#filter.mainsHz) return false;
    this.#filter = filter;
    this.#chains = this.#makeChains();
    this.#compute(this.#raw.oldest, this.#raw.end);
    return true;
  }

  /** The seconds that are there stand in the new order. @returns whether it is another one */
  setOrder(order: LeadOrder): boolean {
    if (order === this.#order) return false;
    this.#order = order;
    this.#leads = shownLeads(this.#leadCodes, order);
    const { rateHz, oldest, end, marks, mask } = this.#raw;
    this.#ring = new DisplayRing(rateHz, this.#leads.length, KEPT_SECONDS);
    if (end > oldest) this.#ring.reserve(oldest, end - oldest, 0);
    for (let sample = oldest; sample < end; sample++) {
      const mark = marks[sample & mask] as number;
      this.#ring.marks[sample & mask] = mark === GAP_MARK ? GAP_MARK : this.#shownMarks(mark);
    }
    this.#chains = this.#makeChains();
    this.#compute(oldest, end);
    return true;
  }

  /** What came before now is another patient's. */
  forget(): void {
    this.#raw.forget();
    this.ring.forget();
    this.#paces.length = 0;
    this.#restart();
  }

  #restart(): void {
    for (const chain of this.#chains) chain.restart();
  }

  #shownMarks(measured: number): number {
    let marks = 0;
    for (let i = 0; measured !== 0 && i < this.#leads.length; i++) {
      const { one, two } = this.#leads[i] as ShownLead;
      if ((measured & ((1 << one) | (1 << two))) !== 0) marks |= 1 << i;
    }
    return marks;
  }

  #compute(from: number, to: number): void {
    const { mv: raw, marks, mask } = this.#raw;
    const { mv: shown } = this.ring;
    const filtered = this.#filtered;
    const leads = this.#leads;
    for (let sample = from; sample < to; sample++) {
      const place = sample & mask;
      if (((marks[place] as number) & GAP_MARK) !== 0) {
        this.#restart();
        continue;
      }
      for (let i = 0; i < raw.length; i++)
        filtered[i] = (this.#chains[i] as DisplayFilterChain).next((raw[i] as Float32Array)[place] as number);
      for (let i = 0; i < leads.length; i++) {
        const { one, two, weightOne, weightTwo } = leads[i] as ShownLead;
        (shown[i] as Float32Array)[place] =
          weightOne * (filtered[one] as number) + weightTwo * (filtered[two] as number);
      }
    }
  }
}
