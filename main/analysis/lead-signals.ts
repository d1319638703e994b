// The leads of a recording as the analysis works on them: one common rate, millivolts, gaps bridged for
// filtering and remembered. Of a long recording a window is in memory at a time.

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
import { RESAMPLE_REACH, resampleCubic, resampleMask } from './resample.ts';
import { appendRange, type TimeBase } from './time-base.ts';

const MAX_UNNAMED_LEADS = 12;

export interface LeadFacts {
  /** MDC code, or the file's label where it names no known lead. */
  readonly name: string;
  /** False for modified electrode pairs and unnamed signals: not for twelve-lead measurements. */
  readonly isStandard: boolean;
  readonly isCalibrated: boolean;
}

export interface LeadSignal extends LeadFacts {
  /** Millivolts; invalid samples are bridged by a straight line. */
  readonly mv: Float32Array;
  /** 1 where the sample is missing. */
  readonly invalid: Uint8Array;
  /** 1 where the sample is at a limit of the converter in a run of at least five. */
  readonly saturated: Uint8Array;
}

/** A window of a recording; its samples are counted from the window's start. */
export interface LeadSet extends TimeBase {
  /** Where in the recording the window starts. */
  readonly startSample: number;
  readonly leads: readonly LeadSignal[];
}

/** The leads of a recording that are analysed, read as windows. */
export interface LeadReader {
  readonly sampleRateHz: number;
  readonly sampleCount: number;
  readonly leads: readonly LeadFacts[];
  readonly warnings: readonly Warning[];
  /** @returns the samples of [start, end); the window of the last call is kept and given again */
  window(start: number, end: number): LeadSet;
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
  for (let i = 0; i < count; i++) {
    const sample = raw[i] as number;
    if (sample === INVALID_SAMPLE) invalid[i] = 1;
    else mv[i] = sample * scale + offset;
  }
  bridge(mv, invalid);
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

function namedLeads(recording: Recording): ChosenLead[] {
  const channels = ecgChannels(recording.channels);
  const isNamed = channels.some((channel) => channel.lead !== undefined);
  return (isNamed ? channels : channels.slice(0, MAX_UNNAMED_LEADS)).map((channel) => ({
    channel,
    facts: {
      name: channel.lead?.code ?? channel.label,
      isStandard: channel.lead !== undefined && !channel.lead.isModified && !channel.lead.isPolarityUnclear,
      isCalibrated: channel.isCalibrated,
    },
  }));
}

/** Of two channels of one lead the faster one tells more. */
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

/**
 * Opens the leads of a recording at the rate of its fastest one. Slower leads are resampled and repeated ones
 * left out, each with a warning.
 */
export function openLeads(recording: Recording): LeadReader {
  const warnings: Warning[] = [];
  const chosen = withoutRepeated(namedLeads(recording), warnings);
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
  let last: LeadSet | undefined;
  return {
    sampleRateHz,
    sampleCount,
    leads: chosen.map(({ facts }) => facts),
    warnings,
    window(start, end) {
      if (last?.startSample === start && last.sampleCount === end - start) return last;
      const leads = chosen.map((lead) => readLead(lead, sampleRateHz, start, end - start));
      const gaps = commonGaps(leads, end - start);
      last = { sampleRateHz, startSample: start, sampleCount: end - start, leads, gaps };
      return last;
    },
  };
}
