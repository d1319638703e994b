// From the channels of a device to leads: whole multiples of whole codes, so that nothing is rounded on the
// way into a recording.

import type { LeadCode } from '../../../shared/signal/lead.ts';
import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import type { DeviceChannel, DeviceFormat, LeadSet } from '../device-format.ts';
import { DECIMATED_STEPS, Decimator } from './decimator.ts';
import type { SampleBatch, SampleGap } from './sample-placer.ts';

/** What the numbers of all leads mean. */
export interface LeadScale {
  readonly leadCodes: readonly LeadCode[];
  readonly rateHz: number;
  /** The size of one step of a lead. */
  readonly lsbUv: number;
  readonly digitalMinimum: number;
  readonly digitalMaximum: number;
}

export interface LeadBatch {
  readonly firstSample: number;
  readonly count: number;
  /** Steps of `lsbUv` a lead; INVALID_SAMPLE where the device has no contact. */
  readonly leads: readonly Int32Array[];
  readonly arrivalMs: number | undefined;
  readonly gap: SampleGap | undefined;
  readonly events: SampleBatch['events'];
  /** Bits of leads at a limit of the converter for five samples or more. */
  readonly saturated: number;
}

const SATURATED_RUN = 5;
/** Bits that a recording has for a sample. */
const LIMIT = 2 ** 31 - 1;

function limitsOf(
  channels: readonly DeviceChannel[],
  { leads }: LeadSet,
  factor: number,
): { minimum: number; maximum: number } {
  let [minimum, maximum] = [0, 0];
  for (const { terms } of leads) {
    let [low, high] = [0, 0];
    for (const { channel, weight } of terms) {
      const { zero, minimum: least, maximum: most } = channels[channel] as DeviceChannel;
      const ends = [weight * (least - zero), weight * (most - zero)];
      low += Math.min(...ends);
      high += Math.max(...ends);
    }
    minimum = Math.min(minimum, low * factor);
    maximum = Math.max(maximum, high * factor);
  }
  return { minimum: Math.max(-LIMIT, minimum), maximum: Math.min(LIMIT, maximum) };
}

export class LeadMaker {
  readonly scale: LeadScale;
  readonly #channels: readonly DeviceChannel[];
  readonly #leadSet: LeadSet;
  readonly #factor: number;
  readonly #decimators: readonly Decimator[];
  /** Samples in a row at a limit, a channel. */
  readonly #atLimit: Int32Array;

  constructor(format: DeviceFormat, leadSet: LeadSet) {
    const { channels, rateHz, decimation = 1 } = format;
    const steps = decimation > 1 ? DECIMATED_STEPS : 1;
    const used = leadSet.leads[0]?.terms[0]?.channel ?? 0;
    const { minimum, maximum } = limitsOf(channels, leadSet, steps);
    this.scale = {
      leadCodes: leadSet.leads.map(({ lead }) => lead),
      rateHz: rateHz / decimation,
      lsbUv: (channels[used] as DeviceChannel).lsbUv / leadSet.divisor / steps,
      digitalMinimum: minimum,
      digitalMaximum: maximum,
    };
    this.#channels = channels;
    this.#leadSet = leadSet;
    this.#factor = decimation;
    this.#decimators = decimation > 1 ? channels.map(() => new Decimator(rateHz, decimation)) : [];
    this.#atLimit = new Int32Array(channels.length);
  }

  make(batch: SampleBatch): LeadBatch {
    const saturatedChannels = this.#findSaturation(batch.columns);
    const columns = this.#decimate(batch);
    const factor = this.#factor;
    const steps = factor > 1 ? DECIMATED_STEPS : 1;
    const count = columns[0]?.length ?? 0;
    let saturated = 0;
    const leads = this.#leadSet.leads.map(({ terms }, lead) => {
      const samples = new Int32Array(count);
      for (const { channel, weight } of terms) {
        const { zero } = this.#channels[channel] as DeviceChannel;
        addWeighted(samples, columns[channel] as Int32Array, weight, zero * steps);
        if ((saturatedChannels & (1 << channel)) !== 0) saturated |= 1 << lead;
      }
      return samples;
    });
    const scaled = (sample: number): number => Math.ceil(sample / factor);
    const { gap } = batch;
    return {
      firstSample: scaled(batch.firstSample),
      count,
      leads,
      arrivalMs: batch.arrivalMs,
      gap:
        gap === undefined || factor === 1 ? gap : { ...gap, start: scaled(gap.start), end: scaled(gap.end) },
      events:
        factor === 1
          ? batch.events
          : batch.events.map((event) => ({ ...event, sample: scaled(event.sample) })),
      saturated,
    };
  }

  #decimate({ columns, firstSample, gap }: SampleBatch): readonly Int32Array[] {
    if (this.#factor === 1) return columns;
    return columns.map((column, channel) => {
      const decimator = this.#decimators[channel] as Decimator;
      if (gap !== undefined) decimator.restart();
      return decimator.take(column, firstSample);
    });
  }

  #findSaturation(columns: readonly Int32Array[]): number {
    let mask = 0;
    for (const [channel, column] of columns.entries()) {
      const { minimum, maximum } = this.#channels[channel] as DeviceChannel;
      let run = this.#atLimit[channel] as number;
      for (let i = 0; i < column.length; i++) {
        const code = column[i] as number;
        run = code !== INVALID_SAMPLE && (code <= minimum || code >= maximum) ? run + 1 : 0;
        if (run >= SATURATED_RUN) mask |= 1 << channel;
      }
      this.#atLimit[channel] = run;
    }
    return mask;
  }
}

function addWeighted(target: Int32Array, codes: Int32Array, weight: number, zero: number): void {
  for (let i = 0; i < target.length; i++) {
    const code = codes[i] as number;
    if (code === INVALID_SAMPLE || target[i] === INVALID_SAMPLE) target[i] = INVALID_SAMPLE;
    else target[i] = (target[i] as number) + weight * (code - zero);
  }
}
