// The leads of a recording as the analysis works on them: one common rate, millivolts, gaps bridged for
// filtering and remembered.

import { ecgChannels } from '../../shared/signal/ecg-channels.ts';
import {
  type Channel,
  INVALID_SAMPLE,
  millivoltScale,
  type Recording,
  rateHz,
  type Warning,
} from '../../shared/signal/recording.ts';
import { warning } from '../../shared/warnings/warning.ts';
import { resampleCubic, resampleMask } from './resample.ts';

/**
 * Lead-samples taken into memory at once: 50 million are 24 h of two leads at 250 Hz, 200 MB. Longer
 * recordings use fewer leads.
 */
const MAX_LEAD_SAMPLES = 50_000_000;
const MAX_UNNAMED_LEADS = 12;
/** Which leads to keep when not all of them fit. */
const PREFERENCE = ['II', 'V5', 'V1', 'I', 'V2', 'V4', 'V6', 'V3', 'AVF', 'III', 'AVL', 'AVR'].map(
  (name) => `MDC_ECG_LEAD_${name}`,
);

export interface LeadSignal {
  /** MDC code, or the file's label where it names no known lead. */
  readonly name: string;
  /** False for modified electrode pairs and unnamed signals: not for twelve-lead measurements. */
  readonly isStandard: boolean;
  readonly isCalibrated: boolean;
  /** Millivolts; invalid samples are bridged by a straight line. */
  readonly mv: Float32Array;
  /** 1 where the sample is missing or at a limit of the converter in a run of at least five. */
  readonly invalid: Uint8Array;
  readonly saturated: Uint8Array;
}

export interface LeadSet {
  readonly sampleRateHz: number;
  readonly sampleCount: number;
  readonly leads: readonly LeadSignal[];
  /** [start, end) where no lead has a sample. */
  readonly gaps: readonly [number, number][];
  readonly warnings: readonly Warning[];
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
  let runStart = 0;
  for (let i = 1; i <= raw.length; i++) {
    if (i < raw.length && raw[i] === raw[runStart]) continue;
    const value = raw[runStart] as number;
    const isAtLimit = value !== INVALID_SAMPLE && (value <= digitalMinimum || value >= digitalMaximum);
    if (isAtLimit && i - runStart >= SATURATED_RUN) saturated.fill(1, runStart, i);
    runStart = i;
  }
  return saturated;
}

interface Grid {
  readonly sampleRateHz: number;
  readonly sampleCount: number;
}

/** A lead at its own rate put on the common one. */
function ontoGrid(lead: LeadSignal, ownRateHz: number, { sampleRateHz, sampleCount }: Grid): LeadSignal {
  if (ownRateHz === sampleRateHz) return lead;
  const step = ownRateHz / sampleRateHz;
  return {
    ...lead,
    mv: resampleCubic(lead.mv, step, sampleCount),
    invalid: resampleMask(lead.invalid, step, sampleCount, 1),
    saturated: resampleMask(lead.saturated, step, sampleCount, 0),
  };
}

function loadLead(channel: Channel, name: string, grid: Grid): LeadSignal {
  const ownRateHz = rateHz(channel.rate);
  const sampleCount = Math.min(
    channel.sampleCount,
    Math.ceil((grid.sampleCount * ownRateHz) / grid.sampleRateHz),
  );
  const lead = readLead(channel, name, ownRateHz === grid.sampleRateHz ? grid.sampleCount : sampleCount);
  return ontoGrid(lead, ownRateHz, grid);
}

function readLead(channel: Channel, name: string, sampleCount: number): LeadSignal {
  const raw = new Int32Array(sampleCount);
  channel.read(0, raw);
  const invalid = new Uint8Array(sampleCount);
  const mv = new Float32Array(sampleCount);
  const { scale, offset } = millivoltScale(channel);
  for (let i = 0; i < sampleCount; i++) {
    const sample = raw[i] as number;
    if (sample === INVALID_SAMPLE) invalid[i] = 1;
    else mv[i] = sample * scale + offset;
  }
  bridge(mv, invalid);
  const isStandard =
    channel.lead !== undefined && !channel.lead.isModified && !channel.lead.isPolarityUnclear;
  return {
    name,
    isStandard,
    isCalibrated: channel.isCalibrated,
    mv,
    invalid,
    saturated: markSaturation(raw, channel),
  };
}

/** Stretches in which every lead lacks its samples. */
function commonGaps(leads: readonly LeadSignal[], sampleCount: number): [number, number][] {
  const gaps: [number, number][] = [];
  let start = -1;
  for (let i = 0; i <= sampleCount; i++) {
    const isMissing = i < sampleCount && leads.every((lead) => lead.invalid[i] === 1);
    if (isMissing && start < 0) start = i;
    if (!isMissing && start >= 0) {
      gaps.push([start, i]);
      start = -1;
    }
  }
  return gaps;
}

/**
 * A gap longer than this breaks an R-R interval; a shorter one can hide no beat (analysis reference, section
 * 2).
 */
const GAP_BREAKS_SECONDS = 0.2;

export function spansGap(set: LeadSet, from: number, to: number): boolean {
  return set.gaps.some(
    ([start, end]) => end - start > GAP_BREAKS_SECONDS * set.sampleRateHz && start < to && end > from,
  );
}

interface NamedChannel {
  readonly channel: Channel;
  readonly name: string;
}

function chooseChannels(recording: Recording): NamedChannel[] {
  const channels = ecgChannels(recording.channels);
  const isNamed = channels.some((channel) => channel.lead !== undefined);
  return (isNamed ? channels : channels.slice(0, MAX_UNNAMED_LEADS)).map((channel) => ({
    channel,
    name: channel.lead?.code ?? channel.label,
  }));
}

/**
 * Loads the leads of a recording at the rate of its fastest one. Slower leads are resampled and repeated ones
 * left out, each with a warning; so are leads beyond what fits into memory.
 */
export function loadLeads(recording: Recording): LeadSet {
  const warnings: Warning[] = [];
  let chosen = chooseChannels(recording);
  const sampleRateHz = Math.max(0, ...chosen.map(({ channel }) => rateHz(channel.rate)));
  // Of two channels of one lead the faster one tells more.
  const isBest = ({ channel, name }: NamedChannel, index: number): boolean => {
    const others = chosen.filter((other, i) => other.name === name && i !== index);
    return others.every((other) => {
      const faster = rateHz(channel.rate) - rateHz(other.channel.rate);
      return faster > 0 || (faster === 0 && index < chosen.indexOf(other));
    });
  };
  const repeated = chosen.filter((entry, index) => !isBest(entry, index));
  for (const { channel } of repeated) warnings.push(warning('lead_repeated', { label: channel.label }));
  chosen = chosen.filter((entry) => !repeated.includes(entry));
  for (const { channel } of chosen)
    if (rateHz(channel.rate) !== sampleRateHz)
      warnings.push(
        warning('lead_resampled', {
          label: channel.label,
          rateHz: rateHz(channel.rate),
          analysedHz: sampleRateHz,
        }),
      );
  const samplesOf = (channel: Channel): number =>
    Math.round((channel.sampleCount * sampleRateHz) / rateHz(channel.rate));
  const longest = Math.max(0, ...chosen.map(({ channel }) => samplesOf(channel)));
  const sampleCount = Math.min(longest, MAX_LEAD_SAMPLES);
  if (sampleCount < longest) {
    const percent = Math.floor((100 * sampleCount) / longest);
    warnings.push(warning('analysis_cut', { percent }));
  }
  const fitting = Math.max(1, Math.floor(MAX_LEAD_SAMPLES / Math.max(1, sampleCount)));
  if (chosen.length > fitting) {
    const rank = (name: string): number =>
      PREFERENCE.includes(name) ? PREFERENCE.indexOf(name) : PREFERENCE.length;
    const kept = [...chosen].sort((a, b) => rank(a.name) - rank(b.name)).slice(0, fitting);
    chosen = chosen.filter((entry) => kept.includes(entry));
    warnings.push(warning('leads_left_out', { count: chosen.length }));
  }
  const leads = chosen.map(({ channel, name }) => loadLead(channel, name, { sampleRateHz, sampleCount }));
  for (const lead of leads)
    if (!lead.isCalibrated) warnings.push(warning('uncalibrated', { label: lead.name }));
  for (const { channel } of chosen) {
    if (channel.lead?.isInverted) warnings.push(warning('lead_inverted', { label: channel.label }));
    if (channel.lead?.isPolarityUnclear) warnings.push(warning('lead_polarity', { label: channel.label }));
  }
  return { sampleRateHz, sampleCount, leads, gaps: commonGaps(leads, sampleCount), warnings };
}
