// What every writer offers, and what they all need to know of a recording before they begin.

import { IsolineError } from '../../shared/errors.ts';
import {
  type Channel,
  type Gap,
  INVALID_SAMPLE,
  type Recording,
  rateHz,
  type SampleRate,
  type Warning,
} from '../../shared/signal/recording.ts';
import { warning } from '../../shared/warnings/warning.ts';
import type { Deviations } from './deviations.ts';
import { liesInGap } from './gaps.ts';
import { MAX_RUNS, type SampleRun } from './missing-runs.ts';

/** The next bytes of one of the files of the record. Files may be written in turns. */
export interface OutputPiece {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** Pieces in the order in which they are to be written; at the end, what could not be kept exactly. */
export type RecordOutput = Generator<OutputPiece, readonly Warning[]>;

export interface RecordWriter {
  /** As given with `--format`. */
  readonly name: string;
  /** Extensions of file names that mean this format. */
  readonly extensions: readonly string[];
  /** Other files that the record may bring along, or that a reader would take for a part of it. */
  companions(fileName: string): readonly string[];
  /** Loads what only this format needs; before the first `write`. */
  prepare?(): Promise<void>;
  /**
   * @param fileName what the person asked for; a record of several files takes its base name
   * @throws IsolineError `format_unsuitable` where the format can't hold the recording
   */
  write(recording: Recording, fileName: string): RecordOutput;
}

export const unsuitable = (message: string): IsolineError => new IsolineError('format_unsuitable', message);

/** What one reading of a channel tells. A channel without valid samples has the range 0 … 0. */
export interface ChannelSurvey {
  readonly minimum: number;
  readonly maximum: number;
  /** At most `MAX_RUNS` + 1: whoever has to write them down refuses more. */
  readonly missing: readonly SampleRun[];
}

/**
 * Seconds of all channels that are read at a time: one pass over the file, whatever the number of channels.
 */
const BLOCK_SECONDS = 20;
const MAX_BLOCK_SAMPLES = 1 << 20;

class SurveyedChannel {
  readonly missing: { start: number; end: number }[] = [];
  minimum = Number.POSITIVE_INFINITY;
  maximum = Number.NEGATIVE_INFINITY;

  take(samples: Int32Array, start: number): void {
    let { minimum, maximum } = this;
    for (let i = 0; i < samples.length; i++) {
      const sample = samples[i] as number;
      if (sample === INVALID_SAMPLE) this.miss(start + i, start + i + 1);
      else {
        if (sample < minimum) minimum = sample;
        if (sample > maximum) maximum = sample;
      }
    }
    this.minimum = minimum;
    this.maximum = maximum;
  }

  miss(start: number, end: number): void {
    const last = this.missing.at(-1);
    if (last?.end === start) last.end = end;
    else if (this.missing.length <= MAX_RUNS) this.missing.push({ start, end });
  }

  result(): ChannelSurvey {
    const isEmpty = this.minimum > this.maximum;
    return {
      minimum: isEmpty ? 0 : this.minimum,
      maximum: isEmpty ? 0 : this.maximum,
      missing: this.missing,
    };
  }
}

const secondsAt = (rate: SampleRate, sample: number): number => (sample * rate.seconds) / rate.samples;

/**
 * Calls `take` with every channel's samples, stretch after stretch of time. The array is used again for the
 * next call. With `skip`, stretches that lie in a gap as a whole are not read, but told.
 */
export function eachBlock(
  channels: readonly Channel[],
  take: (channelIndex: number, startSample: number, samples: Int32Array) => void,
  gaps: readonly Gap[] = [],
  skip?: (channelIndex: number, startSample: number, count: number) => void,
): void {
  const perBlock = channels.map(({ rate }) =>
    Math.max(1, Math.min(MAX_BLOCK_SAMPLES, Math.ceil(rateHz(rate) * BLOCK_SECONDS))),
  );
  const block = new Int32Array(Math.max(0, ...perBlock));
  const blocks = Math.max(
    0,
    ...channels.map(({ sampleCount }, i) => Math.ceil(sampleCount / (perBlock[i] as number))),
  );
  for (let index = 0; index < blocks; index++) {
    for (const [i, channel] of channels.entries()) {
      const start = index * (perBlock[i] as number);
      const count = Math.min(perBlock[i] as number, channel.sampleCount - start);
      if (count <= 0) continue;
      if (
        skip !== undefined &&
        liesInGap(gaps, secondsAt(channel.rate, start), secondsAt(channel.rate, start + count))
      ) {
        skip(i, start, count);
        continue;
      }
      const samples = block.subarray(0, count);
      channel.read(start, samples);
      take(i, start, samples);
    }
  }
}

export function surveyChannels({ channels, gaps }: Recording): ChannelSurvey[] {
  const surveyed = channels.map(() => new SurveyedChannel());
  eachBlock(
    channels,
    (index, start, samples) => surveyed[index]?.take(samples, start),
    gaps,
    (index, start, count) => surveyed[index]?.miss(start, start + count),
  );
  return surveyed.map((channel) => channel.result());
}

/**
 * @throws IsolineError `format_unsuitable` where missing samples can't be written down one run after another
 */
export function requireFewRuns(surveys: readonly ChannelSurvey[], formatName: string): void {
  if (surveys.reduce((sum, { missing }) => sum + missing.length, 0) > MAX_RUNS)
    throw unsuitable(
      `The recording misses samples in too many places for ${formatName}. Convert it to WFDB or FLAC.`,
    );
}

/** The one rate of all channels. @throws IsolineError `format_unsuitable` where there are several */
export function requireOneRate(
  channels: readonly Channel[],
  formatName: string,
): { readonly rate: Channel['rate']; readonly sampleCount: number } {
  const first = channels[0];
  if (first === undefined) throw unsuitable('The recording has no signals to write.');
  if (channels.some(({ rate }) => Math.abs(rateHz(rate) / rateHz(first.rate) - 1) > 1e-12))
    throw unsuitable(
      `The recording has signals of different sample rates, which ${formatName} cannot hold. Convert it to EDF+ or WFDB.`,
    );
  return { rate: first.rate, sampleCount: Math.max(...channels.map(({ sampleCount }) => sampleCount)) };
}

/** Formats without time zones hold a start time as what the clock showed, which only UTC is known of here. */
export const ZONE_LOST: Warning = warning('zone_lost');

/** For formats that hold missing samples and no list of gaps. */
export function noteGaps({ gaps = [] }: Recording, deviations: Deviations): void {
  if (gaps.length > 0) deviations.add('gaps_as_missing', { count: gaps.length });
}

/** `name.hea` → `name`; folders are not part of a name. */
export const baseName = (fileName: string): string => fileName.replace(/\.[^.]*$/, '');
