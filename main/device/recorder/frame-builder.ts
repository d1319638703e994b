// Cuts the leads of a device into frames of a stream: each frame holds samples that follow one another, and a
// gap ends it early. Samples are counted from the first one of the recording.

import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import type { RecordingEvent } from '../../clinic/streams/records.ts';
import type { Compressors } from '../../signal/compressed-delta/block.ts';
import { widthFor } from '../../signal/compressed-delta/encode-slots.ts';
import { encodeCompressedDelta } from '../../signal/compressed-delta/write-frame.ts';
import type { LeadBatch, LeadScale } from '../link/lead-maker.ts';

export interface BuiltFrame {
  readonly timestampUs: number;
  readonly samples: number;
  readonly bytes: Uint8Array;
  readonly events: readonly RecordingEvent[];
}

/** Limit of the bridge. */
const MOST_EVENTS = 10_000;

/** Timestamp of a sample, from which its number comes back exactly (D73). */
const timestampUsOf = (sample: number, rateHz: number): number => Math.round((sample * 1e6) / rateHz);

/** The sample of a timestamp that `timestampUsOf` made. */
const sampleAt = (timestampUs: number, rateHz: number): number => Math.round((timestampUs * rateHz) / 1e6);

/** The same frame in a recording that begins so many samples later. */
export function laterBy(samples: number, frame: BuiltFrame, rateHz: number): BuiltFrame {
  if (samples === 0) return frame;
  const timestampUs = timestampUsOf(sampleAt(frame.timestampUs, rateHz) - samples, rateHz);
  return { ...frame, timestampUs, events: eventsLaterBy(samples, frame.events) };
}

/**
 * Gaps and anchors of before the beginning belong to the recording before; what holds on holds from the
 * beginning.
 */
export function eventsLaterBy(samples: number, events: readonly RecordingEvent[]): RecordingEvent[] {
  return events
    .filter(({ sample, kind }) => sample >= samples || !(kind === 'anchor' || kind.startsWith('gap.')))
    .map(({ sample, kind, value }) => ({
      sample: Math.max(0, sample - samples),
      kind,
      value: kind.startsWith('gap.') ? value - samples : value,
    }));
}

export const firstSampleOf = (frame: BuiltFrame, rateHz: number): number =>
  sampleAt(frame.timestampUs, rateHz);

export interface FrameBuilderOptions {
  readonly scale: LeadScale;
  readonly frameMs: number;
  /** Number of the device's sample that is the recording's first. */
  readonly base: number;
  readonly compressors: Compressors;
  onFrame(frame: BuiltFrame): void;
}

export class FrameBuilder {
  readonly #scale: LeadScale;
  readonly #frameSamples: number;
  readonly #base: number;
  readonly #compressors: Compressors;
  readonly #onFrame: (frame: BuiltFrame) => void;
  readonly #columns: readonly Int32Array[];
  #count = 0;
  /** The place of the first sample in the columns. */
  #start = 0;
  #events: RecordingEvent[] = [];
  #saturated = 0;
  /** In frames that were given out or are being built. */
  samples = 0;
  lost = 0;
  /** [start, end) of samples without a gap, in order. */
  readonly #stretches: [number, number][] = [];
  /** Number of the sample behind the last one that came or should have come. */
  #reached = 0;

  constructor({ scale, frameMs, base, compressors, onFrame }: FrameBuilderOptions) {
    this.#scale = scale;
    this.#compressors = compressors;
    this.#frameSamples = Math.max(1, Math.round((frameMs * scale.rateHz) / 1000));
    this.#base = base;
    this.#onFrame = onFrame;
    this.#columns = scale.leadCodes.map(() => new Int32Array(this.#frameSamples));
  }

  /** Something that happened, at a sample of the device. */
  note(kind: string, deviceSample: number, value: number): void {
    this.#events.push({ sample: Math.max(0, deviceSample - this.#base), kind, value });
  }

  /** Takes samples up to `most` recorded ones. */
  add(batch: LeadBatch, most = Number.POSITIVE_INFINITY): void {
    const { gap, firstSample, count, leads, events, saturated } = batch;
    if (gap !== undefined && gap.end > this.#base) {
      const from = Math.max(gap.start, this.#base);
      this.note(`gap.${gap.kind}`, from, gap.end - this.#base);
      this.lost += gap.end - from;
      this.#reached = Math.max(this.#reached, gap.end - this.#base);
    }
    for (const event of events) this.#noteEvent(event);
    if (saturated !== this.#saturated) this.note('saturated', firstSample, saturated);
    this.#saturated = saturated;
    for (let i = Math.max(0, this.#base - firstSample); i < count && this.samples < most; i++)
      this.#addSample(firstSample + i - this.#base, leads, i);
  }

  #noteEvent(event: LeadBatch['events'][number]): void {
    if (event.kind === 'leadOff') this.note('leadOff', event.sample, event.electrodes);
    else if (event.kind === 'battery') this.note('battery', event.sample, event.percent);
    else if (event.kind !== 'text' && event.kind !== 'fault' && event.kind !== 'recovered')
      this.note(event.kind, event.sample, 1);
  }

  #addSample(sample: number, leads: readonly Int32Array[], i: number): void {
    this.#reached = Math.max(this.#reached, sample + 1);
    // Where the device has no contact it has no value either: nothing is invented for it.
    for (let lead = 0; lead < leads.length; lead++)
      if (leads[lead]?.[i] === INVALID_SAMPLE) {
        this.cut();
        return;
      }
    if (this.#count > 0 && sample !== this.#start + this.#count) this.cut();
    const stretch = this.#stretches.at(-1);
    if (stretch?.[1] === sample) stretch[1]++;
    else this.#stretches.push([sample, sample + 1]);
    if (this.#count === 0) this.#start = sample;
    for (let lead = 0; lead < this.#columns.length; lead++)
      (this.#columns[lead] as Int32Array)[this.#count] = leads[lead]?.[i] as number;
    this.#count++;
    this.samples++;
    if (this.#count === this.#frameSamples) this.cut();
  }

  /** Gives out what there is. */
  cut(): void {
    if (this.#count === 0) return;
    const channels = this.#columns.map((column) => column.slice(0, this.#count));
    let [minimum, maximum] = [0, 0];
    for (const channel of channels)
      for (const value of channel) {
        if (value < minimum) minimum = value;
        if (value > maximum) maximum = value;
      }
    const { rateHz } = this.#scale;
    const bytes = encodeCompressedDelta(
      { channels, sampleRateHz: rateHz, bitsPerSample: widthFor(minimum, maximum) },
      { coding: 'delta', compression: 'zstd' },
      this.#compressors,
    );
    const events = this.takeEvents();
    const frame: BuiltFrame = {
      timestampUs: timestampUsOf(this.#start, rateHz),
      samples: this.#count,
      bytes,
      events,
    };
    this.#count = 0;
    this.#onFrame(frame);
  }

  /** A frame could not be kept: its samples are missing, its events are not. */
  dropped({ timestampUs, samples, events }: BuiltFrame): void {
    const start = sampleAt(timestampUs, this.#scale.rateHz);
    this.#events.push(...events);
    const before = this.#events.findLastIndex(({ kind }) => kind === 'gap.store');
    const gap = this.#events[before];
    // What follows on a gap makes it longer: an hour without a store is one gap.
    if (gap?.value === start) this.#events[before] = { ...gap, value: start + samples };
    else this.#events.push({ sample: start, kind: 'gap.store', value: start + samples });
    this.#cutOut(start, start + samples);
    this.samples -= samples;
    this.lost += samples;
  }

  /** A frame lies near the end, however long the recording is. */
  #cutOut(start: number, end: number): void {
    const behind: [number, number][] = [];
    for (
      let last = this.#stretches.at(-1);
      last !== undefined && last[1] > start;
      last = this.#stretches.at(-1)
    ) {
      this.#stretches.pop();
      if (last[1] > end) behind.unshift([Math.max(last[0], end), last[1]]);
      if (last[0] < start) {
        this.#stretches.push([last[0], start]);
        break;
      }
    }
    this.#stretches.push(...behind);
  }

  /** Samples that are missing, whatever the reason: lost on the way, refused by the store, or without contact. */
  get missing(): number {
    return Math.max(0, this.#reached - this.samples);
  }

  /** Samples of the longest stretch without a gap. */
  get longest(): number {
    return this.#stretches.reduce((most, [start, end]) => Math.max(most, end - start), 0);
  }

  /** Events that no frame has taken along, as many as one call may carry. */
  takeEvents(): RecordingEvent[] {
    return this.#events.splice(0, MOST_EVENTS);
  }
}
