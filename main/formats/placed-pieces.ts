// Several stretches of one recording, each with leads and a time of its own, as one: the groups of a DICOM file, the sets and series of an aECG.

import { type Channel, type Gap, INVALID_SAMPLE, rateHz } from '../../shared/signal/recording.ts';
import type { Deviations } from './deviations.ts';

export interface Piece {
  readonly startSeconds: number;
  readonly channels: readonly Channel[];
}

export interface PlacedPieces {
  readonly channels: readonly Channel[];
  readonly durationSeconds: number;
  /** Where no channel has samples. */
  readonly gaps: readonly Gap[];
}

/** One channel of one piece, at its place in samples of its own rate. */
interface Part {
  readonly channel: Channel;
  readonly startSample: number;
}

const endOf = ({ channel, startSample }: Part): number => startSample + channel.sampleCount;

const isAlike = (a: Channel, b: Channel): boolean =>
  rateHz(a.rate) === rateHz(b.rate) &&
  a.scale === b.scale &&
  a.offset === b.offset &&
  a.unit === b.unit &&
  a.isCalibrated === b.isCalibrated;

/** The parts of one label, in time; what overlaps another, or has other units or another rate, cannot be joined. */
function joinable(parts: readonly Part[], deviations: Deviations): Part[] {
  const joined: Part[] = [];
  for (const part of [...parts].sort((a, b) => a.startSample - b.startSample)) {
    const last = joined.at(-1);
    if (last === undefined || (isAlike(last.channel, part.channel) && part.startSample >= endOf(last)))
      joined.push(part);
    else deviations.add('series_left_out.overlap', { label: part.channel.label });
  }
  return joined;
}

function readParts(parts: readonly Part[], startSample: number, target: Int32Array): void {
  target.fill(INVALID_SAMPLE);
  const end = startSample + target.length;
  for (const part of parts) {
    const from = Math.max(startSample, part.startSample);
    const to = Math.min(end, endOf(part));
    if (from < to)
      part.channel.read(from - part.startSample, target.subarray(from - startSample, to - startSample));
  }
}

function gapsOf(pieces: readonly Piece[], endSeconds: number, toleranceSeconds: number): Gap[] {
  const gaps: Gap[] = [];
  let coveredSeconds = 0;
  const stretches = pieces.flatMap(({ startSeconds, channels }) =>
    channels.map(
      ({ sampleCount, rate }) => [startSeconds, startSeconds + sampleCount / rateHz(rate)] as const,
    ),
  );
  for (const [start, end] of [...stretches].sort(([a], [b]) => a - b)) {
    if (start > coveredSeconds + toleranceSeconds)
      gaps.push({ startSeconds: coveredSeconds, endSeconds: start });
    coveredSeconds = Math.max(coveredSeconds, end);
  }
  return gaps.filter(({ startSeconds }) => startSeconds < endSeconds);
}

/** Below this share of the whole, a lead was recorded for a part of the time. */
const WHOLE = 0.75;

/** @param pieces in the order of the file, with at least one channel; the first one of them begins at 0 */
export function placePieces(pieces: readonly Piece[], deviations: Deviations): PlacedPieces {
  const parts = pieces.flatMap(({ startSeconds, channels }) =>
    channels.map(
      (channel): Part => ({ channel, startSample: Math.round(startSeconds * rateHz(channel.rate)) }),
    ),
  );
  const byLabel = [...Map.groupBy(parts, ({ channel }) => channel.label).values()];
  // Two channels of one name in one piece are two channels: only what comes later can go on with another.
  const joined = byLabel.flatMap((all) =>
    new Set(all.map(({ startSample }) => startSample)).size === all.length
      ? [joinable(all, deviations)]
      : all.map((part) => [part]),
  );
  const durationSeconds = joined
    .flat()
    .reduce((most, part) => Math.max(most, endOf(part) / rateHz(part.channel.rate)), 0);
  const channels = joined.map((own): Channel => {
    const [first] = own as [Part, ...Part[]];
    const sampleCount = Math.round(durationSeconds * rateHz(first.channel.rate));
    if (own.length === 1 && first.startSample === 0 && first.channel.sampleCount === sampleCount)
      return first.channel;
    return { ...first.channel, sampleCount, read: (start, target) => readParts(own, start, target) };
  });
  const slowest = channels.reduce(
    (least, { rate }) => Math.min(least, rateHz(rate)),
    Number.POSITIVE_INFINITY,
  );
  const gaps = gapsOf(pieces, durationSeconds, 1 / slowest);
  const coveredSeconds =
    durationSeconds - gaps.reduce((sum, gap) => sum + gap.endSeconds - gap.startSeconds, 0);
  const partSeconds = joined.map((own) =>
    own.reduce((sum, { channel }) => sum + channel.sampleCount / rateHz(channel.rate), 0),
  );
  if (partSeconds.every((seconds) => seconds < WHOLE * coveredSeconds))
    deviations.add('leads_in_turn', {
      seconds: Math.round(10 * partSeconds.reduce((most, own) => Math.max(most, own), 0)) / 10,
    });
  return { channels, durationSeconds, gaps };
}
