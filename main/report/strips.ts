// Which piece of which lead stands where on the ECG area. 3 × 4 and a rhythm strip for twelve leads, one
// strip a lead for fewer. Geometry: screens, sections 2.1 and 2.6.

import { ecgChannels } from '../../shared/signal/ecg-channels.ts';
import { type LeadCode, leadName, STANDARD_LEADS } from '../../shared/signal/lead.ts';
import type { Channel, Recording } from '../../shared/signal/recording.ts';

export const SPEED_MM_PER_S = 25;
export const GAIN_MM_PER_MV = 10;
export const PULSE_AREA_MM = 8;
const PAGE_SECONDS = 10;
const MAX_STRIPS = 6;

export interface Cell {
  readonly label: string;
  readonly channel: Channel;
  readonly startSeconds: number;
  readonly seconds: number;
}

export interface Row {
  readonly cells: readonly Cell[];
}

export interface StripLayout {
  readonly rows: readonly Row[];
  /** `sequential`: cells of a row follow each other in time. */
  readonly order: 'sequential' | 'simultaneous';
  readonly leftOut: number;
}

const COLUMNS: readonly (readonly LeadCode[])[] = [0, 3, 6, 9].map((start) =>
  STANDARD_LEADS.slice(start, start + 3),
);

/**
 * Not a modified electrode pair, and no doubt about its polarity: only then is it printed under the lead's
 * own name.
 */
const isStandard = (channel: Channel): boolean =>
  channel.lead !== undefined && !channel.lead.isModified && !channel.lead.isPolarityUnclear;

function findLead(channels: readonly Channel[], code: LeadCode): Channel | undefined {
  return channels.find((channel) => channel.lead?.code === code && isStandard(channel));
}

const nameOf = (channel: Channel): string =>
  channel.lead !== undefined && isStandard(channel) ? leadName(channel.lead.code) : channel.label;

/** @param startSeconds where the ten seconds on paper begin in the recording. */
export function layOutStrips(recording: Recording, startSeconds: number): StripLayout {
  const ecg = ecgChannels(recording.channels);
  const seconds = Math.min(PAGE_SECONDS, recording.durationSeconds - startSeconds);
  const isTwelveLead = STANDARD_LEADS.every((code) => findLead(ecg, code) !== undefined);
  if (!isTwelveLead) {
    const rows = ecg
      .slice(0, MAX_STRIPS)
      .map((channel) => ({ cells: [{ label: nameOf(channel), channel, startSeconds, seconds }] }));
    return { rows, order: 'simultaneous', leftOut: ecg.length - rows.length };
  }
  const part = seconds / COLUMNS.length;
  const rows = [0, 1, 2].map((row) => ({
    cells: COLUMNS.map((column, index) => {
      const channel = findLead(ecg, column[row] as LeadCode) as Channel;
      return { label: nameOf(channel), channel, startSeconds: startSeconds + index * part, seconds: part };
    }),
  }));
  const rhythm = findLead(ecg, 'MDC_ECG_LEAD_II') as Channel;
  return {
    rows: [...rows, { cells: [{ label: 'II', channel: rhythm, startSeconds, seconds }] }],
    order: 'sequential',
    leftOut: 0,
  };
}

/**
 * Start of the first ten seconds in which the signal of the first strip is alive; the beginning where none
 * is.
 */
export function chooseStart(recording: Recording, beatSeconds: readonly number[]): number {
  const last = Math.max(0, recording.durationSeconds - PAGE_SECONDS);
  if (last === 0 || beatSeconds.length === 0) return 0;
  const first = beatSeconds.find((second) => second >= 0) ?? 0;
  return first < PAGE_SECONDS / 2 ? 0 : Math.min(last, Math.floor(first));
}
