// Episodes as somebody reads them: those that were found, accepted, rejected or moved, those that were drawn, and runs that come and go
// with the classes of their beats.

import type { Episode } from '../../../../shared/analysis-result.ts';
import { RUN_BPM } from '../../../../shared/clinical-limits.ts';
import type { SampleRange } from '../../../../shared/long/hour-table.ts';
import { joined } from '../../../../shared/long/known-time.ts';
import { type Correction, JUDGED_CODES, type JudgedCode } from '../../../../shared/review/corrections.ts';
import { firstFrom } from '../../../../shared/signal/first-from.ts';
import { median } from '../../../../shared/signal/statistics.ts';
import type { Day } from './day.ts';

export interface ReadEpisode extends Episode {
  /** `drawn` and `moved` by hand; `run`: its beats were named so. */
  readonly state: 'found' | 'accepted' | 'rejected' | 'moved' | 'drawn' | 'run';
}

type Place = Pick<Episode, 'code' | 'startSample' | 'endSample'>;

const STRIP_SECONDS = 10;
const LEAST_RUN = 3;

const isOn = (
  a: Pick<Place, 'startSample' | 'endSample'>,
  b: Pick<Place, 'startSample' | 'endSample'>,
): boolean => a.startSample < b.endSample && b.startSample < a.endSample;
const isSame = (a: Place, b: Place): boolean =>
  a.code === b.code && a.startSample === b.startSample && a.endSample === b.endSample;
const isJudged = (code: string): code is JudgedCode => (JUDGED_CODES as readonly string[]).includes(code);

/** Runs of one class, as fast as a tachycardia. */
function fastRuns(day: Day, labels: Uint8Array, letter: string, code: 'VT' | 'SVTA'): Place[] {
  const { samples } = day.beats;
  const own = letter.charCodeAt(0);
  const found: Place[] = [];
  let [first, gap] = [0, 0];
  for (let i = 0; i <= labels.length; i++) {
    let goesOn = i < labels.length && labels[i] === own;
    if (goesOn && i > first) {
      const [before, now] = [samples[i - 1] as number, samples[i] as number];
      while (gap < day.unknown.length && (day.unknown[gap] as SampleRange)[1] <= before) gap++;
      goesOn = !(gap < day.unknown.length && (day.unknown[gap] as SampleRange)[0] < now);
    }
    if (goesOn) continue;
    if (i - first >= LEAST_RUN) {
      const intervals = Array.from(
        { length: i - first - 1 },
        (_, k) => (samples[first + k + 1] as number) - (samples[first + k] as number),
      );
      if ((60 * day.sampleRateHz) / (median(intervals) as number) >= RUN_BPM)
        found.push({ code, startSample: samples[first] as number, endSample: samples[i - 1] as number });
    }
    first = i < labels.length && labels[i] === own ? i : i + 1;
  }
  return found;
}

/** Not AF: it goes on around arrests and runs, and does not say that there are none. */
const REPLACES_ALL: ReadonlySet<string> = new Set(['N', 'VT', 'VF', 'ASYS', 'UNK']);

/** Whether what is drawn stands in the place of an episode; a rate and a pause are measured, whatever the rhythm is called. */
function isReplaced(code: Episode['code'], drawn: string): boolean {
  if (code === 'AFIB' || code === 'SVTA') return true;
  return (code === 'VT' || code === 'VF' || code === 'ASYS') && REPLACES_ALL.has(drawn);
}

export class EpisodeReading {
  readonly #day: Day;
  #episodes: ReadEpisode[];

  /** @param labels of the beats as they are read */
  constructor(day: Day, labels: Uint8Array) {
    this.#day = day;
    this.#episodes = day.episodes.map((episode) => ({ ...episode, state: 'found' }));
    // A paced beat looks like a ventricular one.
    if (day.isPaced !== true) this.#followClasses(labels);
  }

  #described({ code, startSample, endSample }: Place): Episode {
    const { sampleRateHz, samples: sampleCount, beats } = this.#day;
    const inside = firstFrom(beats.samples, endSample + 1) - firstFrom(beats.samples, startSample);
    const length = Math.min(sampleCount, Math.round(STRIP_SECONDS * sampleRateHz));
    const middle = Math.round((startSample + endSample - length) / 2);
    const strip = Math.max(0, Math.min(middle, sampleCount - length));
    const hasRate = inside > 2 && code !== 'VF' && code !== 'ASYS' && code !== 'PAUSE';
    return {
      code,
      startSample,
      endSample,
      ...(inside > 0 && { beats: inside }),
      ...(hasRate && { bpm: Math.round((60 * sampleRateHz * (inside - 1)) / (endSample - startSample)) }),
      strip: [strip, strip + length],
      isBest: false,
    };
  }

  /** What was approved is in the result already, but not that somebody has looked. */
  takeCarried(change: Correction): void {
    const place =
      change.kind === 'episodeMoved'
        ? { code: change.code, startSample: change.toStartSample, endSample: change.toEndSample }
        : change.kind === 'episodeAccepted' || change.kind === 'rhythm'
          ? change
          : undefined;
    if (place === undefined) return;
    this.#episodes = this.#episodes.map((episode) =>
      episode.code === place.code && isOn(episode, place) ? { ...episode, state: 'accepted' } : episode,
    );
  }

  take(change: Correction): void {
    switch (change.kind) {
      case 'episodeAccepted':
      case 'episodeRejected': {
        const state = change.kind === 'episodeAccepted' ? 'accepted' : 'rejected';
        this.#episodes = this.#episodes.map((episode) =>
          isSame(episode, change) ? { ...episode, state } : episode,
        );
        return;
      }
      case 'episodeMoved':
        this.#move(change);
        return;
      case 'rhythm':
        this.#draw(change);
        return;
      case 'rhythmErased':
        this.#episodes = this.#episodes.filter(
          (episode) => episode.state !== 'drawn' || !isOn(episode, change),
        );
    }
  }

  #move(change: Extract<Correction, { kind: 'episodeMoved' }>): void {
    const { code, startSample, endSample, toStartSample, toEndSample } = change;
    const moved = this.#described({ code, startSample: toStartSample, endSample: toEndSample });
    this.#episodes = this.#episodes.map((episode) =>
      isSame(episode, { code, startSample, endSample })
        ? { ...moved, isBest: episode.isBest, state: 'moved' }
        : episode,
    );
  }

  /** What is drawn stands in the place of what was found there, and of nothing beside it. */
  #draw({ code, startSample, endSample }: Extract<Correction, { kind: 'rhythm' }>): void {
    const drawn = { startSample, endSample };
    this.#episodes = this.#episodes.flatMap((episode): ReadEpisode[] => {
      if (episode.state === 'rejected' || !isOn(episode, drawn) || !isReplaced(episode.code, code))
        return [episode];
      return [
        { ...episode, endSample: Math.min(episode.endSample, startSample) },
        { ...episode, startSample: Math.max(episode.startSample, endSample) },
      ]
        .filter((part) => part.endSample > part.startSample)
        .map((part) => ({ ...this.#described(part), isBest: episode.isBest, state: episode.state }))
        .filter((part) => (part.code !== 'VT' && part.code !== 'SVTA') || (part.beats ?? 0) >= LEAST_RUN);
    });
    if (isJudged(code) && startSample < endSample)
      this.#episodes.push({ ...this.#described({ code, startSample, endSample }), state: 'drawn' });
  }

  /** Runs that are none any more go, and new ones come. */
  #followClasses(labels: Uint8Array): void {
    for (const [letter, code] of [
      ['V', 'VT'],
      ['S', 'SVTA'],
    ] as const) {
      const before = fastRuns(this.#day, this.#day.beats.labels, letter, code);
      const now = fastRuns(this.#day, labels, letter, code);
      const gone = before.filter((run) => !now.some((other) => isSame(run, other)));
      const come = now.filter((run) => !before.some((other) => isSame(run, other)));
      this.#episodes = this.#episodes.filter(
        (episode) =>
          episode.code !== code || episode.state !== 'found' || !gone.some((run) => isOn(run, episode)),
      );
      for (const run of come)
        if (!this.#episodes.some((episode) => episode.code === code && isOn(run, episode)))
          this.#episodes.push({ ...this.#described(run), state: 'run' });
    }
  }

  /** In order, none over another. */
  rangesOf(code: Episode['code']): SampleRange[] {
    return this.#ranges((episode) => episode.code === code && episode.state !== 'rejected');
  }

  rejectedOf(...codes: readonly Episode['code'][]): SampleRange[] {
    return this.#ranges((episode) => codes.includes(episode.code) && episode.state === 'rejected');
  }

  #ranges(isIt: (episode: ReadEpisode) => boolean): SampleRange[] {
    return joined(
      this.#episodes.filter(isIt).map(({ startSample, endSample }): SampleRange => [startSample, endSample]),
    );
  }

  /** @returns all of them in the order of their beginning, the rejected ones with them */
  finish(): ReadEpisode[] {
    return this.#episodes.sort((a, b) => a.startSample - b.startSample);
  }
}
