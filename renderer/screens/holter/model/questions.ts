// What the program asks of a day: groups of beats that could as well be of another class, and the episodes that the report hangs on. In
// the order of what an answer would change; the rest is taken as read, and counted.

import type { Episode } from '../../../../shared/analysis-result.ts';
import type { DayReading, ReadFamily } from './read-day.ts';
import type { ReadEpisode } from './read-episodes.ts';

export interface BeatsQuestion {
  readonly kind: 'beats';
  /** The same as long as it is the same question. */
  readonly key: string;
  readonly family: ReadFamily;
  /** What they are taken for. */
  readonly label: string;
  /** What they could as well be. */
  readonly next: string;
  /** Indices, in order. */
  readonly beats: readonly number[];
  readonly weight: number;
}

export interface EpisodeQuestion {
  readonly kind: 'episode';
  readonly key: string;
  readonly episode: ReadEpisode;
  readonly weight: number;
}

export type Question = BeatsQuestion | EpisodeQuestion;

export interface Questions {
  readonly questions: readonly Question[];
  /** Beats that nobody is asked about although they are unsure. */
  readonly leftBeats: number;
}

const MOST_QUESTIONS = 20;
/** Fewer beats change nothing that somebody reads, unless a limit hangs on them. */
const LEAST_BEATS = 3;
/** An answer that crosses a limit of the report counts so many times. */
const CROSSING = 10;
const BURDEN_LIMIT = 0.1;
const LONG_PAUSE_MS = 3000;
const NEAR_PAUSE_MS = 200;
/** What an episode weighs, in beats. */
const EPISODE_WEIGHT: Partial<Record<Episode['code'], number>> = {
  VF: 5000,
  ASYS: 4000,
  VT: 3000,
  AFIB: 2000,
  PAUSE: 1000,
};

const countOf = (labels: Uint8Array, letter: string): number => {
  const code = letter.charCodeAt(0);
  let count = 0;
  for (const label of labels) if (label === code) count++;
  return count;
};

interface Group {
  readonly family: ReadFamily;
  readonly label: string;
  readonly next: string;
  readonly beats: number[];
}

/** Unsure beats of one family, of one class, that could be of one other. */
function groupsOf({ day, beats: { labels }, families, isUnsure }: DayReading): Group[] {
  return families.flatMap((family) => {
    if (family.unsure === 0) return [];
    const groups = new Map<string, Group>();
    for (const beat of family.beats) {
      if (isUnsure[beat] === 0) continue;
      const [label, next] = [String.fromCharCode(labels[beat] as number), day.nextLikely[beat] as string];
      const group = groups.get(label + next) ?? { family, label, next, beats: [] };
      groups.set(label + next, group);
      group.beats.push(beat);
    }
    return [...groups.values()];
  });
}

/** Whether the other class would carry the share of ventricular beats over its limit, or begin or end a tachycardia. */
function isCrossing(
  { beats: { labels, samples }, episodes }: DayReading,
  { label, next, beats }: Group,
): boolean {
  const ventricular = countOf(labels, 'V');
  const after = ventricular + (next === 'V' ? beats.length : label === 'V' ? -beats.length : 0);
  const isOver = (count: number): boolean => count / Math.max(1, labels.length) > BURDEN_LIMIT;
  if (isOver(ventricular) !== isOver(after)) return true;
  const runs = episodes.filter(
    ({ code, state }) => (code === 'VT' || code === 'SVTA') && state !== 'rejected',
  );
  return beats.some((beat) => {
    const sample = samples[beat] as number;
    return runs.some(({ startSample, endSample }) => sample >= startSample && sample <= endSample);
  });
}

function isAsked(episode: ReadEpisode, sampleRateHz: number): boolean {
  if (episode.state !== 'found' || EPISODE_WEIGHT[episode.code] === undefined) return false;
  if (episode.isBest) return true;
  const ms = (1000 * (episode.endSample - episode.startSample)) / sampleRateHz;
  return episode.code === 'PAUSE' && Math.abs(ms - LONG_PAUSE_MS) < NEAR_PAUSE_MS;
}

export function questionsOf(reading: DayReading): Questions {
  const { day, episodes } = reading;
  const groups = groupsOf(reading);
  const ofBeats = groups.flatMap((group): BeatsQuestion[] => {
    const first = day.beats.samples[group.beats[0] as number] as number;
    const crosses = isCrossing(reading, group);
    if (group.beats.length < LEAST_BEATS && !crosses) return [];
    const key = `beats ${first} ${group.label}${group.next}`;
    return [{ kind: 'beats', key, ...group, weight: group.beats.length * (crosses ? CROSSING : 1) }];
  });
  const ofEpisodes = episodes
    .filter((episode) => isAsked(episode, day.sampleRateHz))
    .map(
      (episode): EpisodeQuestion => ({
        kind: 'episode',
        key: `${episode.code} ${episode.startSample}`,
        episode,
        weight: EPISODE_WEIGHT[episode.code] ?? 0,
      }),
    );
  const all: Question[] = [...ofBeats, ...ofEpisodes].sort((a, b) => b.weight - a.weight);
  const questions = all.slice(0, MOST_QUESTIONS);
  const unsure = groups.reduce((sum, { beats }) => sum + beats.length, 0);
  const asked = questions.reduce((sum, each) => sum + (each.kind === 'beats' ? each.beats.length : 0), 0);
  return { questions, leftBeats: unsure - asked };
}
