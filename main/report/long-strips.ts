// The strips of a long recording: those that somebody chose, or else the most telling one of each kind.

import type { AnalysisResult, Episode } from '../../shared/analysis-result.ts';
import type { LabelledBeats, SampleRange } from '../../shared/long/hour-table.ts';
import { unknownOf, unreadRanges } from '../../shared/long/known-time.ts';
import { countOfKind, programStrips, STRIP_SECONDS, shownOn } from '../../shared/long/strips.ts';
import type { MadeCorrection } from '../../shared/review/corrections.ts';
import { chosenStrips, eventsOf } from '../../shared/review/day-choices.ts';

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

/** Where nothing is known. */
export const unknownRanges = (result: AnalysisResult): readonly SampleRange[] =>
  unknownOf(result.recording.gaps, unreadRanges(result), result.recording.sampleRateHz);

export function longStrips(result: AnalysisResult, corrections: readonly MadeCorrection[] = []): LongStrip[] {
  const { episodes = [], recording } = result;
  const { sampleRateHz, samples } = recording;
  const changes = corrections.map(({ change }) => change);
  const beats = labelledBeats(result);
  const strips =
    chosenStrips(changes) ??
    programStrips({
      sampleRateHz,
      sampleCount: samples,
      beats,
      episodes,
      unknown: unknownRanges(result),
      events: eventsOf(changes).map(({ sample }) => sample),
    });
  const last = Math.max(0, samples - STRIP_SECONDS * sampleRateHz);
  return strips.map((strip) => {
    const startSample = Math.min(last, strip.startSample);
    const { kind, episode } = shownOn({ ...strip, startSample }, episodes, beats, sampleRateHz);
    return {
      kind,
      startSample,
      ...(episode !== undefined && { episode, ofKind: countOfKind(episodes, kind) }),
      ...(strip.note !== undefined && { note: strip.note }),
    };
  });
}
