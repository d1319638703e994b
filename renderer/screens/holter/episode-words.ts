// Episodes in words: what they are, how grave, how long.

import { t } from 'i18next';
import type { Severity } from '../../../shared/severity.ts';
import { decimalText, shareText } from '../../parts/format-number.ts';
import type { DayReading } from './model/read-day.ts';
import type { ReadEpisode } from './model/read-episodes.ts';

const SEVERITY_OF: Readonly<Record<ReadEpisode['code'], Severity>> = {
  VF: 'CRITICAL',
  ASYS: 'CRITICAL',
  VT: 'IMPORTANT',
  AFIB: 'IMPORTANT',
  PAUSE: 'IMPORTANT',
  SVTA: 'MODERATE',
  BRADY: 'LOW',
  TACHY: 'LOW',
};
export const severityOf = ({ code }: Pick<ReadEpisode, 'code'>): Severity => SEVERITY_OF[code];

const GRAVITY: readonly Severity[] = ['CRITICAL', 'IMPORTANT', 'MODERATE', 'LOW'];
/** These want eyes: they are never accepted all at once. */
export const NEEDS_EYES: ReadonlySet<string> = new Set(['VF', 'ASYS', 'VT', 'AFIB', 'PAUSE']);

export const nameOfEpisode = ({ code }: Pick<ReadEpisode, 'code'>): string => t(`holter.episode.${code}`);

/** `3.7 s`, `47 min`, `2 min 12 s`. */
export function lengthOf({ startSample, endSample }: ReadEpisode, { day }: DayReading): string {
  const seconds = (endSample - startSample) / day.sampleRateHz;
  if (seconds < 60) return `${decimalText(seconds, 1)} s`;
  const whole = Math.round(seconds);
  return whole >= 3600 || whole % 60 === 0
    ? `${Math.floor(whole / 3600) > 0 ? `${Math.floor(whole / 3600)} h ` : ''}${Math.round((whole % 3600) / 60)} min`
    : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** What can be said beside its name. */
export function factsOf(episode: ReadEpisode, { episodes, day }: DayReading): string {
  const { code, beats, bpm, startSample, state } = episode;
  if (state === 'moved' || state === 'drawn') return t(`holter.state.${state}`);
  if (code === 'PAUSE') {
    const reach = 2 * day.sampleRateHz;
    const isAfterFibrillation = episodes.some(
      (other) =>
        other.code === 'AFIB' &&
        other.state !== 'rejected' &&
        Math.abs(other.endSample - startSample) < reach,
    );
    return t(isAfterFibrillation ? 'holter.afterFibrillation' : 'holter.causeUnknown');
  }
  return [
    beats === undefined ? '' : t('review.beatCount', { count: beats }),
    bpm === undefined ? '' : `${bpm} /min`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The gravest first, the most telling of its kind before the others, then by time. */
export const inOrder = (episodes: readonly ReadEpisode[]): ReadEpisode[] =>
  episodes.toSorted(
    (a, b) =>
      GRAVITY.indexOf(severityOf(a)) - GRAVITY.indexOf(severityOf(b)) ||
      Number(b.isBest) - Number(a.isBest) ||
      a.startSample - b.startSample,
  );

/** The share of the readable time in fibrillation. */
export function burdenText({ fibrillation, unknown, day }: DayReading): string {
  const length = (ranges: readonly (readonly [number, number])[]): number =>
    ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  return shareText(length(fibrillation) / Math.max(1, day.samples - length(unknown)));
}
