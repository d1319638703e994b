// Which piece of which lead stands where on the ECG's paper, and how far its trace reaches.

import { gainMmPerMv, type PaperGain, USUAL_GAIN_MM_PER_MV } from '../../shared/review/paper-gain.ts';
import { type LeadCode, leadName, STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { type Channel, type Recording, rateHz, readMillivolts } from '../../shared/signal/recording.ts';
import { median, quantile } from '../../shared/signal/statistics.ts';
import { ecgChannels } from '../signal/channels/judge-channels.ts';
import { REACH_STEP_MM, type RowReach } from './ecg-rows.ts';

export const SPEED_MM_PER_S = 25;
/** The pulse stands in it, before the signal. */
export const PULSE_AREA_MM = 10;
export const PAGE_SECONDS = 10;

export interface Piece {
  /** The name of its lead; or since when, where it goes on from the line above; or empty, where it stands elsewhere. */
  readonly label: string;
  readonly isNamed: boolean;
  readonly isCalibrated: boolean;
  /** From where the signal begins on the paper. */
  readonly xMm: number;
  readonly widthMm: number;
  /** Above the zero line, one a sample; NaN where the sample is missing. */
  readonly heightsMm: Float64Array;
  readonly stepMm: number;
  readonly gainMmPerMv: number;
}

export interface Row {
  readonly pieces: readonly Piece[];
  readonly reach: RowReach;
}

/**
 * Not a modified electrode pair, and no doubt about its polarity: only then is it printed under the lead's own name.
 */
const isStandard = (channel: Channel): boolean =>
  channel.lead !== undefined && !channel.lead.isModified && !channel.lead.isPolarityUnclear;

export const nameOf = (channel: Channel): string =>
  channel.lead !== undefined && isStandard(channel) ? leadName(channel.lead.code) : channel.label;

export const leadsOf = (recording: Recording): readonly Channel[] => ecgChannels(recording.channels);

const findLead = (channels: readonly Channel[], code: LeadCode): Channel | undefined =>
  channels.find((channel) => channel.lead?.code === code && isStandard(channel));

/** The twelve standard leads in their order; undefined where one is missing. */
export function twelveLeadsOf(recording: Recording): readonly Channel[] | undefined {
  const channels = leadsOf(recording);
  const found = STANDARD_LEADS.flatMap((code) => findLead(channels, code) ?? []);
  return found.length === STANDARD_LEADS.length ? found : undefined;
}

interface PieceOptions {
  readonly startSeconds: number;
  readonly seconds: number;
  readonly xMm?: number;
  readonly label?: string;
  readonly speedMmPerS?: number;
  readonly gain?: PaperGain;
}

/** The zero line is the median of the piece. */
export function pieceOf(channel: Channel, options: PieceOptions): Piece {
  const { startSeconds, seconds, xMm = 0, label = nameOf(channel) } = options;
  const { speedMmPerS = SPEED_MM_PER_S, gain: paperGain = '10' } = options;
  // Nobody chooses the gain of a lead without a scale: its pulse is as high as the shape beside it is drawn.
  const mmPerMv = channel.isCalibrated ? gainMmPerMv(paperGain, channel.lead?.code) : USUAL_GAIN_MM_PER_MV;
  const fs = rateHz(channel.rate);
  const mv = readMillivolts(channel, Math.round(startSeconds * fs), Math.round(seconds * fs));
  const valid = mv.filter(Number.isFinite);
  const zero = median(valid) ?? 0;
  // Without a scale only the shape can be shown: most of it within one millivolt's height, and the label says so.
  const span = channel.isCalibrated ? 1 : (quantile(valid, 0.995) ?? 0) - (quantile(valid, 0.005) ?? 0);
  const gain = span === 0 ? mmPerMv : mmPerMv / span;
  return {
    label,
    isNamed: label === nameOf(channel),
    isCalibrated: channel.isCalibrated,
    xMm,
    widthMm: seconds * speedMmPerS,
    heightsMm: Float64Array.from(mv, (value) => (value - zero) * gain),
    stepMm: speedMmPerS / fs,
    gainMmPerMv: mmPerMv,
  };
}

export function rowOf(pieces: readonly Piece[]): Row {
  const end = pieces.reduce((most, { xMm, widthMm }) => Math.max(most, xMm + widthMm), 0);
  const steps = Math.ceil(end / REACH_STEP_MM) + 1;
  const [above, below] = [new Float64Array(steps), new Float64Array(steps)];
  for (const { xMm, heightsMm, stepMm } of pieces)
    for (const [i, height] of heightsMm.entries()) {
      if (!Number.isFinite(height)) continue;
      const k = Math.min(steps - 1, Math.max(0, Math.floor((xMm + i * stepMm) / REACH_STEP_MM)));
      if (height > (above[k] as number)) above[k] = height;
      if (-height > (below[k] as number)) below[k] = -height;
    }
  return { pieces, reach: { above, below } };
}

/** A stretch of the recording, and how high it is drawn. */
export interface Stretch {
  readonly startSeconds: number;
  readonly seconds: number;
  readonly gain: PaperGain;
}

/** Twelve leads as rows of columns that follow each other in time: three rows of four, or six of two. */
export function inColumns(
  leads: readonly Channel[],
  rows: 3 | 6,
  { startSeconds, seconds, gain }: Stretch,
): Row[] {
  const columns = leads.length / rows;
  const part = seconds / columns;
  return Array.from({ length: rows }, (_, row) =>
    rowOf(
      Array.from({ length: columns }, (_, column) =>
        pieceOf(leads[rows * column + row] as Channel, {
          startSeconds: startSeconds + column * part,
          seconds: part,
          xMm: column * part * SPEED_MM_PER_S,
          gain,
        }),
      ),
    ),
  );
}

/** Leads that run along the whole page. */
export const wholeRow = (channel: Channel, stretch: Stretch): Row => rowOf([pieceOf(channel, stretch)]);

/** Start of the first ten seconds in which the first lead is alive; the beginning where none is. */
export function chooseStart(recording: Recording, beatSeconds: readonly number[]): number {
  const last = Math.max(0, recording.durationSeconds - PAGE_SECONDS);
  if (last === 0 || beatSeconds.length === 0) return 0;
  const first = beatSeconds.find((second) => second >= 0) ?? 0;
  return first < PAGE_SECONDS / 2 ? 0 : Math.min(last, Math.floor(first));
}
