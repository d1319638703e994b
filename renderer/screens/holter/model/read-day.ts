// A day as somebody reads it: what was found, and over it every correction in its order. All of it is worked out on the page, so that an
// edit is seen at once: 130,000 beats take a few milliseconds. The analysis measures the same again, aside, for the report.

import { type Episode, FIRST_REST_FAMILY } from '../../../../shared/analysis-result.ts';
import { PAUSE_MS } from '../../../../shared/clinical-limits.ts';
import type { LabelledBeats, SampleRange } from '../../../../shared/long/hour-table.ts';
import { joined } from '../../../../shared/long/known-time.ts';
import type { ChosenStrip, Correction } from '../../../../shared/review/corrections.ts';
import { chosenStrips, type DayEvent, eventsOf } from '../../../../shared/review/day-choices.ts';
import { firstFrom } from '../../../../shared/signal/first-from.ts';
import type { Day } from './day.ts';
import { FamilyNames } from './family-names.ts';
import { EpisodeReading, type ReadEpisode } from './read-episodes.ts';

export interface ReadFamily {
  readonly id: number;
  /** `Va`; of the rest of a class its letter alone. */
  readonly name: string;
  /** The class that most of its beats have. */
  readonly label: string;
  /** Indices of its beats, in order. */
  readonly beats: Int32Array;
  /** How many of them could as well be of another class, and nobody has said which. */
  readonly unsure: number;
  /** What comes once or twice. */
  readonly isRest: boolean;
  /** The families that the analysis found and that are wholly in it; undefined where a part of one was divided off. */
  readonly whole: readonly number[] | undefined;
}

export interface DayReading {
  readonly day: Day;
  readonly beats: LabelledBeats;
  /** The family that each beat is read in; -1 where it has none. */
  readonly familyOf: Int32Array;
  /** 1 where a beat could as well be of another class, and nobody has said which. */
  readonly isUnsure: Uint8Array;
  readonly families: readonly ReadFamily[];
  readonly episodes: readonly ReadEpisode[];
  readonly fibrillation: readonly SampleRange[];
  readonly pauses: readonly SampleRange[];
  /** Where samples are missing, noise hides the beats, or a pause was none. */
  readonly unknown: readonly SampleRange[];
  readonly events: readonly DayEvent[];
  /** Undefined where nobody has chosen any. */
  readonly strips: readonly ChosenStrip[] | undefined;
}

/** A beat as near as this is the one that was meant: another version may place it otherwise. */
const SAME_BEAT_SECONDS = 0.15;
/** Families that somebody has divided off have numbers from here on. */
const FIRST_DIVIDED = 1000;

const codeOf = (letter: string): number => letter.charCodeAt(0);

/** The episodes, with the pauses that begin or end where beats were added or removed. */
function pausesAround(day: Day, places: readonly number[], samples: Uint32Array): readonly Episode[] {
  const isOver = (from: number, to: number): boolean =>
    day.unknown.some(([start, end]) => start < to && end > from) ||
    day.episodes.some(
      ({ code, startSample, endSample }) =>
        (code === 'VF' || code === 'ASYS') && startSample < to && endSample > from,
    );
  const kept = day.episodes.filter(
    ({ code, startSample, endSample }) =>
      code !== 'PAUSE' || !places.some((place) => place >= startSample && place <= endSample),
  );
  const found = new Map<number, Episode>();
  for (const place of places) {
    const at = firstFrom(samples, place);
    for (const behind of samples[at] === place ? [at, at + 1] : [at]) {
      const [from, to] = [samples[behind - 1], samples[behind]];
      if (from === undefined || to === undefined || isOver(from, to)) continue;
      if ((1000 * (to - from)) / day.sampleRateHz <= PAUSE_MS) continue;
      if (kept.some(({ code, startSample }) => code === 'PAUSE' && startSample === from)) continue;
      found.set(from, { code: 'PAUSE', startSample: from, endSample: to, strip: [from, to], isBest: false });
    }
  }
  return [...kept, ...found.values()];
}

/** With beats that were added or removed. */
function withBeatsPut(day: Day, changes: readonly Correction[]): Day {
  const put = new Map<number, string | undefined>();
  for (const change of changes)
    if (change.kind === 'beatAdded') put.set(change.sample, change.label);
    else if (change.kind === 'beatRemoved') put.set(change.sample, undefined);
  if (put.size === 0) return day;
  const { samples, labels } = day.beats;
  const kept = [...samples.keys()].filter((beat) => !put.has(samples[beat] as number));
  const rows = [
    ...kept.map((beat) => ({
      sample: samples[beat] as number,
      label: labels[beat] as number,
      family: day.familyOf[beat] as number,
      next: day.nextLikely[beat] as string,
      likeness: day.likeness[beat] as number,
    })),
    ...[...put].flatMap(([sample, label]) =>
      label === undefined ? [] : [{ sample, label: codeOf(label), family: -1, next: '-', likeness: 255 }],
    ),
  ].sort((a, b) => a.sample - b.sample);
  const samplesNow = Uint32Array.from(rows, ({ sample }) => sample);
  return {
    ...day,
    episodes: pausesAround(day, [...put.keys()], samplesNow),
    beats: {
      samples: samplesNow,
      labels: Uint8Array.from(rows, ({ label }) => label),
    },
    familyOf: Int32Array.from(rows, ({ family }) => family),
    nextLikely: rows.map(({ next }) => next).join(''),
    likeness: Uint8Array.from(rows, ({ likeness }) => likeness),
  };
}

/** Classes and families under corrections, one after the other. */
class BeatReading {
  /** As it was found: what names a family names a place in it. */
  readonly #found: Day;
  readonly #day: Day;
  readonly familyOf: Int32Array;
  readonly names: FamilyNames;
  /** What was said of a beat alone; 0 where nothing was. */
  readonly #own: Uint8Array;
  /** What was said of a family that the analysis found. */
  readonly #ofFamily = new Map<number, number>();
  /** Which family a merged one belongs to. */
  readonly #parent = new Map<number, number>();
  /** Families of which a part was divided off. */
  readonly #parted = new Set<number>();
  #divided = 0;
  /** Families that the analysis found. */
  readonly #families: ReadonlySet<number>;

  /** @param day with beats that were added or removed */
  constructor(found: Day, day: Day) {
    this.#found = found;
    this.#day = day;
    this.familyOf = day.familyOf.slice();
    this.#own = new Uint8Array(day.familyOf.length);
    this.names = new FamilyNames(day);
    this.#families = new Set(found.familyOf);
  }

  #beatAt(sample: number, { beats: { samples } } = this.#day): number {
    const reach = SAME_BEAT_SECONDS * this.#day.sampleRateHz;
    const at = firstFrom(samples, sample);
    const [behind, before] = [samples[at], samples[at - 1]];
    const toBehind = behind === undefined ? Number.POSITIVE_INFINITY : behind - sample;
    const toBefore = before === undefined ? Number.POSITIVE_INFINITY : sample - before;
    const best = toBehind <= toBefore ? at : at - 1;
    return Math.min(toBehind, toBefore) <= reach ? best : -1;
  }

  #rootOf(family: number): number {
    let root = family;
    for (let up = this.#parent.get(root); up !== undefined; up = this.#parent.get(root)) root = up;
    return root;
  }

  take(change: Correction): void {
    switch (change.kind) {
      case 'beat':
        this.#state([change.sample], change.label);
        return;
      case 'beats':
        this.#state(change.samples, change.label);
        return;
      case 'family':
      case 'shape':
        this.#stateFamilies([change.sample], change.label, true);
        return;
      case 'families':
        this.#stateFamilies(change.samples, change.label, false);
        return;
      case 'familiesMerged':
        this.#merge(change.samples);
        return;
      case 'familyDivided':
        this.#divide(change.samples, change.label);
    }
  }

  #state(samples: readonly number[], label: string): void {
    const found = samples.map((sample) => this.#beatAt(sample)).filter((beat) => beat >= 0);
    for (const beat of found) this.#own[beat] = codeOf(label);
    const first = found[0];
    if (first === undefined) return;
    const family = this.#rootOf(this.familyOf[first] as number);
    // All of a family that somebody has divided off: it has a name of its class.
    if (family >= FIRST_DIVIDED && found.length >= this.#sizeOf(family)) this.names.say(family, label);
  }

  #sizeOf(family: number): number {
    let size = 0;
    for (const each of this.familyOf) if (each === family) size++;
    return size;
  }

  #stateFamilies(samples: readonly number[], label: string, isAnchorGivenUp: boolean): void {
    for (const sample of samples) {
      const beat = this.#beatAt(sample);
      const seen = this.#beatAt(sample, this.#found);
      const family = seen < 0 ? -1 : (this.#found.familyOf[seen] as number);
      if (family < 0 || family >= FIRST_REST_FAMILY) {
        if (beat >= 0) this.#own[beat] = codeOf(label);
        continue;
      }
      if (isAnchorGivenUp && beat >= 0) this.#own[beat] = 0;
      this.#ofFamily.set(family, codeOf(label));
      this.names.say(this.#rootOf(family), label);
    }
  }

  #merge(samples: readonly number[]): void {
    const families = samples
      .map((sample) => this.#beatAt(sample))
      .filter((beat) => beat >= 0)
      .map((beat) => this.#rootOf(this.familyOf[beat] as number))
      .filter((family) => family >= 0);
    const [into, ...others] = new Set(families);
    if (into !== undefined) for (const other of others) this.#parent.set(other, into);
  }

  #divide(samples: readonly number[], label: string): void {
    const found = samples.map((sample) => this.#beatAt(sample)).filter((beat) => beat >= 0);
    if (found.length === 0) return;
    const family = FIRST_DIVIDED + this.#divided++;
    for (const beat of found) {
      this.#parted.add(this.familyOf[beat] as number);
      // A beat that has a class alone keeps it.
      if (this.#own[beat] === 0) this.#own[beat] = codeOf(label);
      this.familyOf[beat] = family;
    }
    this.names.begin(family, label);
  }

  /** @returns the class of each beat, and whether somebody has said it */
  classes(): { labels: Uint8Array; isStated: Uint8Array } {
    const labels = this.#day.beats.labels.slice();
    const isStated = new Uint8Array(labels.length);
    for (let beat = 0; beat < labels.length; beat++) {
      const said = this.#own[beat] || (this.#ofFamily.get(this.#day.familyOf[beat] as number) ?? 0);
      if (said === 0) continue;
      labels[beat] = said;
      isStated[beat] = 1;
    }
    return { labels, isStated };
  }

  /** Merged families have one number from here on. */
  settle(): void {
    if (this.#parent.size === 0) return;
    const roots = new Map<number, number>();
    for (let beat = 0; beat < this.familyOf.length; beat++) {
      const family = this.familyOf[beat] as number;
      if (family < 0) continue;
      let root = roots.get(family);
      if (root === undefined) {
        root = this.#rootOf(family);
        roots.set(family, root);
      }
      this.familyOf[beat] = root;
    }
  }

  /** The families that the analysis found and that are wholly in one; undefined where one of them was parted. */
  wholeIn(family: number): readonly number[] | undefined {
    const own = [...this.#families].filter((each) => this.#rootOf(each) === family);
    const hasDivided = Array.from({ length: this.#divided }, (_, i) => FIRST_DIVIDED + i).some(
      (each) => this.#rootOf(each) === family,
    );
    return hasDivided || own.some((each) => this.#parted.has(each) || each >= FIRST_REST_FAMILY)
      ? undefined
      : own;
  }
}

const LETTERS = ['N', 'S', 'V', 'F', 'Q'] as const;

/** Which class most beats have. */
function mostOf(beats: Int32Array, labels: Uint8Array): string {
  const counts = new Uint32Array(128);
  for (const beat of beats) counts[labels[beat] as number] = (counts[labels[beat] as number] ?? 0) + 1;
  return LETTERS.reduce((best, letter) =>
    (counts[codeOf(letter)] as number) > (counts[codeOf(best)] as number) ? letter : best,
  );
}

/** Whether another class is nearly as likely, where an early beat can be told from a normal one at all. */
function unsureBeats(
  day: Day,
  labels: Uint8Array,
  isStated: Uint8Array,
  fibrillation: readonly SampleRange[],
): Uint8Array {
  const unsure = new Uint8Array(labels.length);
  let next = 0;
  for (let beat = 0; beat < unsure.length; beat++) {
    const other = day.nextLikely.charCodeAt(beat);
    if (other === codeOf('-') || isStated[beat] === 1 || other === labels[beat]) continue;
    const sample = day.beats.samples[beat] as number;
    while (next < fibrillation.length && (fibrillation[next] as SampleRange)[1] <= sample) next++;
    const isInFibrillation = next < fibrillation.length && (fibrillation[next] as SampleRange)[0] <= sample;
    if (!isInFibrillation || other === codeOf('V') || labels[beat] === codeOf('V')) unsure[beat] = 1;
  }
  return unsure;
}

function familiesOf(reading: BeatReading, labels: Uint8Array, unsure: Uint8Array): ReadFamily[] {
  const { familyOf, names } = reading;
  const counts = new Map<number, number>();
  for (const family of familyOf) if (family >= 0) counts.set(family, (counts.get(family) ?? 0) + 1);
  const members = new Map([...counts].map(([family, count]) => [family, new Int32Array(count)]));
  const filled = new Map<number, number>();
  for (let beat = 0; beat < familyOf.length; beat++) {
    const family = familyOf[beat] as number;
    if (family < 0) continue;
    const at = filled.get(family) ?? 0;
    (members.get(family) as Int32Array)[at] = beat;
    filled.set(family, at + 1);
  }
  return [...members].map(([id, beats]): ReadFamily => {
    const isRest = id >= FIRST_REST_FAMILY && id < FIRST_DIVIDED;
    const label = mostOf(beats, labels);
    let count = 0;
    for (const beat of beats) count += unsure[beat] as number;
    return {
      id,
      name: isRest ? label : names.of(id),
      label,
      beats,
      unsure: count,
      isRest,
      whole: reading.wholeIn(id),
    };
  });
}

const NAMES_FAMILY: ReadonlySet<Correction['kind']> = new Set(['family', 'families', 'shape']);

/** @param corrections all of them; those that the findings were approved with are in the day already */
export function readDay(found: Day, corrections: readonly Correction[]): DayReading {
  const since = corrections.slice(found.carried);
  const day = withBeatsPut(found, since);
  const carried = corrections.slice(0, found.carried);
  const reading = new BeatReading(found, day);
  // The result that was approved has the classes of families; that a beat has one alone, and what was merged or divided, it does not tell.
  for (const change of carried) if (!NAMES_FAMILY.has(change.kind)) reading.take(change);
  for (const change of since) reading.take(change);
  reading.settle();
  const { labels, isStated } = reading.classes();
  const episodes = new EpisodeReading(day, labels);
  for (const change of carried) episodes.takeCarried(change);
  for (const change of since) episodes.take(change);
  const beats: LabelledBeats = { samples: day.beats.samples, labels };
  const fibrillation = episodes.rangesOf('AFIB');
  const unsure = unsureBeats(day, labels, isStated, fibrillation);
  return {
    day,
    beats,
    familyOf: reading.familyOf,
    isUnsure: unsure,
    families: familiesOf(reading, labels, unsure),
    episodes: episodes.finish(),
    fibrillation,
    pauses: episodes.rangesOf('PAUSE'),
    unknown: joined([...day.unknown, ...episodes.rejectedOf('PAUSE', 'ASYS', 'VF')]),
    events: eventsOf(corrections),
    strips: chosenStrips(corrections),
  };
}
