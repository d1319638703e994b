// The strips of a long recording: those that somebody chose, or else the most telling one of each kind.

import type { AnalysisResult, Episode } from '../../shared/analysis-result.ts';
import type { LabelledBeats } from '../../shared/long/hour-table.ts';
import { countOfKind, programStrips, STRIP_SECONDS } from '../../shared/long/strips.ts';
import type { MadeCorrection } from '../../shared/review/corrections.ts';
import { chosenStrips, eventsOf } from '../../shared/review/day-choices.ts';
import { unreadRanges } from './rr-intervals.ts';

export interface LongStrip {
  /** The kind, in the report's words. */
  readonly kind: string;
  readonly startSample: number;
  readonly episode?: Episode;
  /** How many there are of this kind in the recording: `34`, or `200+` where the list of them was cut. */
  readonly ofKind?: string;
  /** What somebody wrote below it. */
  readonly note?: string;
}

export const labelledBeats = ({ beats }: AnalysisResult): LabelledBeats => ({
  samples: Uint32Array.from(beats, ({ sample }) => sample),
  labels: Uint8Array.from(beats, ({ label }) => label.charCodeAt(0)),
});

/** Where nothing is known: in order, none over another. */
export const unknownRanges = (result: AnalysisResult): readonly (readonly [number, number])[] =>
  [...result.recording.gaps, ...unreadRanges(result)].sort((a, b) => a[0] - b[0]);

export function longStrips(result: AnalysisResult, corrections: readonly MadeCorrection[] = []): LongStrip[] {
  const { episodes = [], recording } = result;
  const { sampleRateHz, samples } = recording;
  const changes = corrections.map(({ change }) => change);
  const strips =
    chosenStrips(changes) ??
    programStrips({
      sampleRateHz,
      sampleCount: samples,
      beats: labelledBeats(result),
      episodes,
      unknown: unknownRanges(result),
      events: eventsOf(changes).map(({ sample }) => sample),
    });
  const last = Math.max(0, samples - STRIP_SECONDS * sampleRateHz);
  return strips.map(({ kind, startSample, ofSample, note }) => {
    const episode = episodes.find(
      ({ code, startSample: from, endSample: to }) =>
        code === kind && ofSample !== undefined && ofSample >= from && ofSample <= to,
    );
    return {
      kind,
      startSample: Math.min(last, startSample),
      ...(episode !== undefined && { episode, ofKind: countOfKind(episodes, kind) }),
      ...(note !== undefined && { note }),
    };
  });
}
