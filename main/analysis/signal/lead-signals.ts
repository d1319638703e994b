// The leads of a recording as the analysis works on them: one common rate, millivolts, gaps bridged for
// filtering and remembered. Of a long recording a window is in memory at a time.

import { LIMB_LEADS } from '../../../shared/signal/lead.ts';
import {
  type Channel,
  INVALID_SAMPLE,
  millivoltScale,
  type Recording,
  rateHz,
  type Warning,
} from '../../../shared/signal/recording.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import { ecgChannels, isAnyCalledEcg } from '../../signal/channels/judge-channels.ts';
import { areLimbLeadsScaled, CONTRADICTION, limbLeadMisfit } from '../../signal/limb-lead-laws.ts';
import { RESAMPLE_REACH, resampleCubic, resampleMask, thin } from './resample.ts';
import { appendRange, type Range, type TimeBase } from './time-base.ts';

const MAX_UNNAMED_LEADS = 12;

export interface LeadFacts {
  /** MDC code, or the file's label where it names no known lead. */
  readonly name: string;
  /** False for modified electrode pairs and unnamed signals: not for twelve-lead measurements. */
  readonly isStandard: boolean;
  /** Its shape is that of the lead it is called, whatever its scale. */
  readonly isShapeKnown: boolean;
  readonly isCalibrated: boolean;
  /** Nothing contradicts its millivolts; where limb leads contradict each other, those of no lead are believed. */
  readonly isScaleKnown: boolean;
}

export interface LeadSignal extends LeadFacts {
  /** Millivolts; invalid samples are bridged by a straight line. */
  readonly mv: Float32Array;
  /** 1 where the sample is missing. */
  readonly invalid: Uint8Array;
  /** 1 where the sample is at a limit of the converter in a run of at least five. */
  readonly saturated: Uint8Array;
}

/**
 * The same window at a lower rate, where envelopes, shapes and rhythms are looked for: whatever the rate of a
 * recording, they are judged alike, and in less time.
 */
export interface CoarseSet extends Omit<TimeBase, 'gaps'> {
  /** So many samples of the recording make one, their mean. */
  readonly step: number;
  readonly leads: readonly (LeadFacts & { readonly mv: Float32Array })[];
}

/** A window of a recording; its samples are counted from the window's start. */
export interface LeadSet extends TimeBase {
  /** Where in the recording the window starts. */
  readonly startSample: number;
  readonly leads: readonly LeadSignal[];
  readonly coarse: CoarseSet;
}

/** The leads of a recording that are analysed, read as windows. */
export interface LeadReader {
  readonly sampleRateHz: number;
  readonly sampleCount: number;
  readonly leads: readonly LeadFacts[];
  readonly warnings: readonly Warning[];
  /** Something says that it is an ECG; where nothing does, a line without beats is no heart that stands still. */
  readonly isCalledEcg: boolean;
  /**
   * @returns the samples of [start, end), which nobody changes: the window of the last call is kept and given again, and
   * so are earlier ones of a short recording
   */
  window(start: number, end: number): LeadSet;
  /** The same recording with some of its leads, in their order. @param leads their indices */
  only(leads: readonly number[]): LeadReader;
}

const SATURATED_RUN = 5;

function bridge(mv: Float32Array, invalid: Uint8Array): void {
  let lastValid = -1;
  for (let i = 0; i < mv.length; i++) {
    if (invalid[i] === 1) continue;
    const value = mv[i] as number;
    const from = lastValid < 0 ? value : (mv[lastValid] as number);
    for (let k = lastValid + 1; k < i; k++)
      mv[k] = from + ((value - from) * (k - lastValid)) / (i - lastValid);
    lastValid = i;
  }
  mv.fill(lastValid < 0 ? 0 : (mv[lastValid] as number), lastValid + 1);
}

function markSaturation(raw: Int32Array, channel: Channel): Uint8Array {
  const saturated = new Uint8Array(raw.length);
  const { digitalMinimum = Number.NEGATIVE_INFINITY, digitalMaximum = Number.POSITIVE_INFINITY } = channel;
  const isAtLimit = (value: number): boolean =>
    value !== INVALID_SAMPLE && (value <= digitalMinimum || value >= digitalMaximum);
  let runStart = 0;
  for (let i = 1; i <= raw.length; i++) {
    if (i < raw.length && raw[i] === raw[runStart]) continue;
    if (i - runStart >= SATURATED_RUN && isAtLimit(raw[runStart] as number)) saturated.fill(1, runStart, i);
    runStart = i;
  }
  return saturated;
}

interface ChosenLead {
  readonly channel: Channel;
  readonly facts: LeadFacts;
}

function readSamples(channel: Channel, facts: LeadFacts, from: number, count: number): LeadSignal {
  const raw = new Int32Array(count);
  channel.read(from, raw);
  const invalid = new Uint8Array(count);
  const mv = new Float32Array(count);
  const { scale, offset } = millivoltScale(channel);
  let isAnyInvalid = false;
  for (let i = 0; i < count; i++) {
    const sample = raw[i] as number;
    mv[i] = sample * scale + offset;
    if (sample !== INVALID_SAMPLE) continue;
    invalid[i] = 1;
    isAnyInvalid = true;
  }
  if (isAnyInvalid) bridge(mv, invalid);
  return { ...facts, mv, invalid, saturated: markSaturation(raw, channel) };
}

/** A lead, put on the common grid where its own rate is another one. Behind its end, samples are invalid. */
function readLead(
  { channel, facts }: ChosenLead,
  sampleRateHz: number,
  start: number,
  count: number,
): LeadSignal {
  const step = rateHz(channel.rate) / sampleRateHz;
  const from = step === 1 ? start : Math.max(0, Math.floor(start * step) - RESAMPLE_REACH);
  const wanted = step === 1 ? count : Math.ceil((start + count) * step) + RESAMPLE_REACH - from;
  const lead = readSamples(channel, facts, from, Math.max(0, Math.min(wanted, channel.sampleCount - from)));
  const grid = { step, offset: start * step - from, count };
  if (step === 1 && lead.mv.length === count) return lead;
  return {
    ...facts,
    mv: resampleCubic(lead.mv, grid),
    invalid: resampleMask(lead.invalid, grid, 1),
    saturated: resampleMask(lead.saturated, grid, 0),
  };
}

/** Stretches in which every lead lacks its samples. */
function commonGaps(leads: readonly LeadSignal[], sampleCount: number): [number, number][] {
  const gaps: [number, number][] = [];
  if (leads.some(({ invalid }) => !invalid.includes(1))) return gaps;
  let start = -1;
  for (let i = 0; i <= sampleCount; i++) {
    const isMissing = i < sampleCount && leads.every((lead) => lead.invalid[i] === 1);
    if (isMissing && start < 0) start = i;
    if (!isMissing && start >= 0) {
      appendRange(gaps, [start, i]);
      start = -1;
    }
  }
  return gaps;
}

/** 40 Hz, the highest frequency of a shape, is a sixth of it. */
const COARSE_RATE_HZ = 250;

const coarseStep = (sampleRateHz: number): number => Math.max(1, Math.floor(sampleRateHz / COARSE_RATE_HZ));
/** 250 to 500 Hz, or the rate of the recording where that is lower. */
export const coarseRateHz = (sampleRateHz: number): number => sampleRateHz / coarseStep(sampleRateHz);

class Window implements LeadSet {
  readonly sampleRateHz: number;
  readonly startSample: number;
  readonly sampleCount: number;
  readonly leads: readonly LeadSignal[];
  readonly gaps: readonly Range[];
  #coarse: CoarseSet | undefined;

  constructor(startSample: number, leads: readonly LeadSignal[], time: Omit<TimeBase, 'gaps'>) {
    this.startSample = startSample;
    this.sampleRateHz = time.sampleRateHz;
    this.sampleCount = time.sampleCount;
    this.leads = leads;
    this.gaps = commonGaps(leads, time.sampleCount);
  }

  get coarse(): CoarseSet {
    const step = coarseStep(this.sampleRateHz);
    this.#coarse ??= {
      step,
      sampleRateHz: this.sampleRateHz / step,
      sampleCount: Math.floor(this.sampleCount / step),
      leads: step === 1 ? this.leads : this.leads.map((lead) => ({ ...lead, mv: thin(lead.mv, step) })),
    };
    return this.#coarse;
  }
}

export const pickLeads = (set: CoarseSet, leads: readonly number[]): CoarseSet => ({
  ...set,
  leads: set.leads.filter((_, lead) => leads.includes(lead)),
});

/** Where a sample of a window lies among its coarse ones; between two of them, mostly. */
export const toCoarse = (sample: number, { step }: CoarseSet): number => (sample - (step - 1) / 2) / step;
export const fromCoarse = (sample: number, { step }: CoarseSet): number =>
  Math.floor(sample * step + (step - 1) / 2);

/** What is known of the limb leads where they contradict each other: none of them is in millivolts. */
interface LimbTrust {
  readonly isUsable: boolean;
  readonly isShapeKnown: boolean;
}

function namedLeads(channels: readonly Channel[], limb: LimbTrust): ChosenLead[] {
  const isNamed = channels.some((channel) => channel.lead !== undefined);
  return (isNamed ? channels : channels.slice(0, MAX_UNNAMED_LEADS)).map((channel) => {
    const { lead } = channel;
    const isSure = lead !== undefined && !lead.isModified && !lead.isPolarityUnclear;
    const isLimb = lead !== undefined && LIMB_LEADS.includes(lead.code);
    return {
      channel,
      facts: {
        name: lead?.code ?? channel.label,
        isStandard: isSure && (limb.isUsable || !isLimb),
        isShapeKnown: isSure && (limb.isShapeKnown || !isLimb),
        isCalibrated: channel.isCalibrated,
        isScaleKnown: limb.isUsable,
      },
    };
  });
}

/** Keeps the faster one of two channels of one lead, because it tells more. */
function withoutRepeated(named: readonly ChosenLead[], warnings: Warning[]): ChosenLead[] {
  const isBest = ({ channel, facts }: ChosenLead, index: number): boolean =>
    named.every((other, i) => {
      if (i === index || other.facts.name !== facts.name) return true;
      const faster = rateHz(channel.rate) - rateHz(other.channel.rate);
      return faster > 0 || (faster === 0 && index < i);
    });
  const chosen = named.filter(isBest);
  for (const lead of named)
    if (!chosen.includes(lead)) warnings.push(warning('lead_repeated', { label: lead.channel.label }));
  return chosen;
}

/** The most samples that are kept of all leads together: half an hour of two leads at 500 Hz has fewer. */
const MOST_SAMPLES_KEPT = 1 << 21;
/** Windows see what is around them, and some stages read short ones beside those of all. */
const SHARE_KEPT = 1.5;

/**
 * Windows that were read, with what was made of them. Several stages go over a recording from first to last: where it
 * fits in here as a whole its windows are met again, and where it does not, none is but the last.
 */
class KeptWindows {
  readonly #mostSamples: number;
  /** The one that was asked for longest ago comes first. */
  readonly #windows = new Map<string, LeadSet>();
  #samples = 0;

  constructor(samplesOfRecording: number) {
    this.#mostSamples = samplesOfRecording > MOST_SAMPLES_KEPT ? 0 : SHARE_KEPT * MOST_SAMPLES_KEPT;
  }

  get(start: number, end: number, read: () => LeadSet): LeadSet {
    const key = `${start} ${end}`;
    const known = this.#windows.get(key);
    const set = known ?? read();
    this.#windows.delete(key);
    this.#windows.set(key, set);
    if (known === undefined) this.#samples += set.sampleCount * set.leads.length;
    for (const [oldest, { sampleCount, leads }] of this.#windows) {
      if (oldest === key || this.#samples <= this.#mostSamples) break;
      this.#windows.delete(oldest);
      this.#samples -= sampleCount * leads.length;
    }
    return set;
  }
}

function readerOf(
  chosen: readonly ChosenLead[],
  time: Omit<TimeBase, 'gaps'>,
  about: Pick<LeadReader, 'warnings' | 'isCalledEcg'>,
): LeadReader {
  const windows = new KeptWindows(time.sampleCount * chosen.length);
  const reader: LeadReader = {
    ...time,
    ...about,
    leads: chosen.map(({ facts }) => facts),
    window: (start, end) =>
      windows.get(start, end, () => {
        const sampleCount = end - start;
        const leads = chosen.map((lead) => readLead(lead, time.sampleRateHz, start, sampleCount));
        return new Window(start, leads, { sampleRateHz: time.sampleRateHz, sampleCount });
      }),
    only(leads) {
      const isAll = chosen.every((_, lead) => leads.includes(lead));
      return isAll
        ? reader
        : readerOf(
            chosen.filter((_, lead) => leads.includes(lead)),
            time,
            about,
          );
    },
  };
  return reader;
}

/**
 * Opens the leads of a recording at the rate of its fastest one. Slower leads are resampled and repeated ones
 * left out, each with a warning.
 */
export function openLeads(recording: Recording): LeadReader {
  const warnings: Warning[] = [];
  const channels = ecgChannels(recording.channels);
  const isUsable =
    (limbLeadMisfit(channels.filter(({ isCalibrated }) => isCalibrated)) ?? 0) <= CONTRADICTION;
  const limb = { isUsable, isShapeKnown: isUsable || areLimbLeadsScaled(channels) };
  const chosen = withoutRepeated(namedLeads(channels, limb), warnings);
  if (!isUsable) warnings.push(warning('limb_leads_contradict'));
  const sampleRateHz = Math.max(0, ...chosen.map(({ channel }) => rateHz(channel.rate)));
  for (const { channel } of chosen)
    if (rateHz(channel.rate) !== sampleRateHz)
      warnings.push(
        warning('lead_resampled', {
          label: channel.label,
          rateHz: rateHz(channel.rate),
          analysedHz: sampleRateHz,
        }),
      );
  for (const { facts } of chosen)
    if (!facts.isCalibrated) warnings.push(warning('uncalibrated', { label: facts.name }));
  for (const { channel } of chosen) {
    if (channel.lead?.isInverted) warnings.push(warning('lead_inverted', { label: channel.label }));
    if (channel.lead?.isPolarityUnclear) warnings.push(warning('lead_polarity', { label: channel.label }));
  }
  const sampleCount = Math.max(
    0,
    ...chosen.map(({ channel }) => Math.round((channel.sampleCount * sampleRateHz) / rateHz(channel.rate))),
  );
  const isCalledEcg = isAnyCalledEcg(recording.channels);
  return readerOf(chosen, { sampleRateHz, sampleCount }, { warnings, isCalledEcg });
}
