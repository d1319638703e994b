// What can be said of an ECG while it runs: beats, heart rate with its validity, quality of each lead, arms
// exchanged, pacing spikes. Streaming, bounded, no object a sample.

import type { LeadCode } from '../../../shared/signal/lead.ts';
import { ArrestWatch } from '../../../shared/signal/live/arrest-watch.ts';
import type { LiveFindings, NoRateReason } from '../../../shared/signal/live/live-findings.ts';
import { MainsHum } from '../../../shared/signal/live/mains-hum.ts';
import { RateWatch } from '../../../shared/signal/live/rate-watch.ts';
import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import { BeatDetector } from './beat-detector.ts';
import { HeartRateMeter } from './heart-rate.ts';
import { LeadQuality } from './lead-quality.ts';
import { LimbSwapDetector } from './limb-swap.ts';
import { PaceDetector } from './pace-detector.ts';

const MARKS_KEPT = 32;

export interface LiveOptions {
  readonly rateHz: number;
  readonly leadCodes: readonly LeadCode[];
  readonly lsbUv: number;
}

export interface LivePiece {
  readonly firstSample: number;
  readonly leads: readonly Int32Array[];
  /** Something is missing right before it. */
  readonly isAfterGap: boolean;
  /** Bits of leads at a limit of the converter. */
  readonly saturated: number;
}

export class LiveAnalysis {
  readonly #options: LiveOptions;
  readonly #detector: BeatDetector;
  readonly #meter: HeartRateMeter;
  readonly #qualities: readonly LeadQuality[];
  readonly #swap: LimbSwapDetector;
  readonly #pace: PaceDetector;
  readonly #hum: MainsHum;
  readonly #arrests: ArrestWatch;
  readonly #rates: RateWatch;
  readonly #mv: Float64Array;
  /** 1 for leads that count: connected, within their limits, and not mere noise. */
  readonly #isCounted: Uint8Array;
  #beats: number[] = [];
  #paces: number[] = [];
  #sample = 0;
  /** Bits of leads that mean nothing now, because an electrode is off. */
  deadLeads = 0;

  constructor(options: LiveOptions) {
    const { rateHz, leadCodes } = options;
    this.#options = options;
    this.#detector = new BeatDetector(rateHz, leadCodes.length);
    this.#meter = new HeartRateMeter(rateHz);
    this.#qualities = leadCodes.map(() => new LeadQuality(rateHz));
    this.#swap = new LimbSwapDetector(rateHz, leadCodes);
    this.#pace = new PaceDetector(rateHz);
    this.#hum = new MainsHum(rateHz, leadCodes.length);
    this.#arrests = new ArrestWatch(rateHz, leadCodes.length);
    this.#rates = new RateWatch(rateHz, leadCodes.length);
    this.#mv = new Float64Array(leadCodes.length);
    this.#isCounted = new Uint8Array(leadCodes.length);
  }

  push({ firstSample, leads, isAfterGap, saturated }: LivePiece): void {
    if (isAfterGap) this.#restart(firstSample);
    const mvPerStep = this.#options.lsbUv / 1000;
    const count = leads[0]?.length ?? 0;
    for (let i = 0; i < count; i++) {
      this.#sample = firstSample + i;
      for (let lead = 0; lead < leads.length; lead++) {
        const step = leads[lead]?.[i] as number;
        const isUsable = step !== INVALID_SAMPLE && (saturated & (1 << lead)) === 0;
        // A lead that has no value keeps its last one: a jump to zero would look like a beat.
        const mv = isUsable ? step * mvPerStep : (this.#mv[lead] as number);
        this.#mv[lead] = mv;
        const quality = this.#qualities[lead] as LeadQuality;
        quality.next(mv, isUsable);
        this.#isCounted[lead] =
          isUsable && quality.word !== 'veryNoisy' && (this.deadLeads & (1 << lead)) === 0 ? 1 : 0;
      }
      this.#next();
    }
  }

  #next(): void {
    const sample = this.#sample;
    if (this.#pace.next(this.#mv)) keep(this.#paces, sample);
    this.#swap.next(this.#mv, sample);
    this.#hum.next(this.#mv);
    this.#arrests.next(this.#mv, this.#isCounted);
    this.#rates.next(this.#mv, sample);
    const beat = this.#detector.next(this.#mv, sample, this.#isCounted);
    if (beat === undefined) return;
    keep(this.#beats, beat);
    this.#meter.add(beat);
    this.#rates.beat(beat);
    this.#swap.beat(beat);
  }

  /** The device itself saw a pacing spike. */
  markPace(sample: number): void {
    keep(this.#paces, sample);
  }

  /** Another patient, or the device was away: earlier findings no longer count. */
  forget(): void {
    this.#restart(this.#sample);
    for (const quality of this.#qualities) quality.restart();
    this.#swap.restart();
    this.#beats = [];
    this.#paces = [];
  }

  #restart(sample: number): void {
    this.#arrests.restart();
    this.#rates.restart();
    this.#detector.restart();
    this.#meter.restart(sample);
    this.#pace.restart();
    this.#hum.restart();
  }

  /** @param hindrance why there can be no rate, whatever was found. */
  findings(hindrance?: NoRateReason): Omit<LiveFindings, 'id' | 'pastMs'> {
    const quality = this.#qualities.map(({ word }) => word);
    const rate = this.#meter.rateAt(this.#sample);
    const isSilent = quality.length > 0 && quality.every((word) => word === 'noSignal');
    const isNoisy =
      quality.length > 0 && quality.every((word) => word === 'noSignal' || word === 'veryNoisy');
    const hum = this.#hum.disturbing;
    const limbOrder = this.#swap.order;
    const isOff = quality.length > 0 && quality.every((_, lead) => (this.deadLeads & (1 << lead)) !== 0);
    const arrest = hindrance === undefined && !isOff ? this.#arrests.arrest : undefined;
    const isStarting = 'reason' in rate && rate.reason === 'starting';
    const bpm = 'bpm' in rate ? rate.bpm : undefined;
    const isReadable = hindrance === undefined && !isOff && !isNoisy && !isSilent;
    const rateAlarm = isReadable && arrest === undefined ? this.#rates.alarm(this.#sample, bpm) : undefined;
    const reason =
      hindrance ??
      (isOff
        ? 'leadOff'
        : (arrest ?? (isStarting ? 'starting' : isSilent ? 'noSignal' : isNoisy ? 'noisy' : undefined)));
    return {
      ...(reason !== undefined
        ? { noRateReason: reason }
        : 'bpm' in rate
          ? { heartRateBpm: rate.bpm }
          : { noRateReason: rate.reason }),
      ...(arrest !== undefined && { arrest }),
      ...(rateAlarm !== undefined && { rateAlarm }),
      quality,
      ...(limbOrder !== undefined && { limbOrder }),
      ...(hum !== undefined && { hum }),
      beatSamples: [...this.#beats],
      paceSamples: [...this.#paces],
    };
  }
}

function keep(marks: number[], sample: number): void {
  marks.push(sample);
  if (marks.length > MARKS_KEPT) marks.shift();
}
