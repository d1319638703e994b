// The strips of a long recording: the best one of each kind of episode, the gravest first, and the usual rhythm.

import { type AnalysisResult, type Episode, MOST_OF_A_KIND } from '../../shared/analysis-result.ts';

export interface LongStrip {
  /** The kind, in the report's words. */
  readonly kind: string;
  readonly startSample: number;
  readonly episode?: Episode;
  /** How many there are of this kind in the recording: `34`, or `200+` where the list of them was cut. */
  readonly ofKind?: string;
}

export const STRIP_SECONDS = 7.2;
/** Before what a strip shows. */
const LEAD_IN_SECONDS = 1.5;
const BY_GRAVITY = ['VF', 'ASYS', 'VT', 'PAUSE', 'AFIB', 'SVTA', 'BRADY', 'TACHY'] as const;

function within(sample: number, { recording }: AnalysisResult): number {
  const { sampleRateHz, samples } = recording;
  const last = samples - STRIP_SECONDS * sampleRateHz;
  return Math.max(0, Math.min(last, sample - LEAD_IN_SECONDS * sampleRateHz));
}

export function longStrips(result: AnalysisResult): LongStrip[] {
  const { episodes = [], beats } = result;
  const best = BY_GRAVITY.flatMap((code) => {
    const all = episodes.filter((each) => each.code === code);
    const episode = all.find(({ isBest }) => isBest);
    if (episode === undefined) return [];
    const ofKind = all.length < MOST_OF_A_KIND ? String(all.length) : `${MOST_OF_A_KIND}+`;
    return [{ kind: code, startSample: within(episode.startSample, result), episode, ofKind }];
  });
  const single = (['V', 'S'] as const).flatMap((label) => {
    const isShown = best.some(({ kind }) => kind === (label === 'V' ? 'VT' : 'SVTA'));
    const beat = isShown ? undefined : beats.find((each) => each.label === label);
    return beat === undefined ? [] : [{ kind: label, startSample: within(beat.sample, result) }];
  });
  const usual = beats.find(({ label }) => label === 'N') ?? beats[0];
  return [
    ...best,
    ...single,
    { kind: 'FIRST', startSample: usual === undefined ? 0 : within(usual.sample, result) },
  ];
}
