// The clock along a day: full hours or minutes as ticks, midnight as the date, and where it shows a time that somebody types. Clocks go
// forward and back in the night of some recordings: what the clock shows is always looked up, never counted on.

import { zonedTime } from '../../../shared/civil-time.ts';
import { letterDay } from '../../parts/format-time.ts';
import { timeIn } from '../review/time-in.ts';
import type { Holter } from './holter.ts';

export interface Tick {
  readonly sample: number;
  readonly words: string;
  readonly isMidnight: boolean;
}

type Clock = Pick<Holter, 'startMs' | 'timeZone' | 'reading'>;

/** `0:12:30`: what is typed as a time is hours first. */
const withHours = (time: string): string => (time.split(':').length === 3 ? time : `0:${time}`);

/** `14:20:10`; of a recording without a known start, the time since its beginning. */
export function clockAt({ startMs, timeZone, reading: { day } }: Clock, sample: number): string {
  return startMs === undefined
    ? withHours(timeIn(sample, day.sampleRateHz))
    : zonedTime(startMs + Math.floor(sample / day.sampleRateHz) * 1000, timeZone).clock;
}

/** `Fri 20 Nov`, without the year. */
export function dayAt({ startMs, timeZone, reading: { day } }: Clock, sample: number): string {
  if (startMs === undefined) return '';
  const { isoDay } = zonedTime(startMs + (1000 * sample) / day.sampleRateHz, timeZone);
  return letterDay(isoDay).replace(/ \d{4}$/, '');
}

const DAY_SECONDS = 86_400;
/** The clock goes forward or back by an hour, in few places by half of one. */
const SHIFTS_SECONDS = [-3600, -1800, 0, 1800, 3600];
const STEPS_MINUTES = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440];

/** What the clock shows so many seconds into a recording, as seconds of the day; without a clock, those seconds. */
function shownAt(clock: Clock, second: number): number {
  if (clock.startMs === undefined) return second;
  const [hours = 0, minutes = 0, seconds = 0] = zonedTime(clock.startMs + 1000 * second, clock.timeZone)
    .clock.split(':')
    .map(Number);
  return 3600 * hours + 60 * minutes + seconds;
}

/** @param most so many ticks have room */
export function clockTicks(clock: Clock, start: number, end: number, most: number): Tick[] {
  const { sampleRateHz } = clock.reading.day;
  const minutes = (end - start) / sampleRateHz / 60;
  const step = 60 * (STEPS_MINUTES.find((each) => minutes / each <= most) ?? 1440);
  const isFull = (second: number): boolean => shownAt(clock, second) % step === 0;
  const nearestFull = (second: number): number => {
    const over = shownAt(clock, second) % step;
    return over <= 3600 && isFull(second - over) ? second - over : second + step - over;
  };
  const ticks: Tick[] = [];
  for (
    let second = nearestFull(Math.ceil(start / sampleRateHz));
    second * sampleRateHz < end;
    second = nearestFull(second + step)
  ) {
    const sample = Math.ceil(second * sampleRateHz);
    if (sample < start) continue;
    const words = clockAt(clock, sample).replace(/:\d\d$/, '');
    // An hour that comes twice has one tick.
    if (words === ticks.at(-1)?.words) continue;
    const isMidnight = clock.startMs !== undefined && words === '00:00';
    ticks.push({ sample, words: isMidnight ? dayAt(clock, sample) : words, isMidnight });
  }
  return ticks;
}

/**
 * Where the clock shows a time, in order: once a day, twice where the clocks go back, nowhere where they skip it.
 * @returns undefined where the text is no time
 */
function samplesAtClock(clock: Clock, text: string): number[] | undefined {
  const [, h, m, s = '0'] = /^(\d{1,2})[:.h](\d{2})(?:[:.](\d{2}))?$/.exec(text.trim()) ?? [];
  if (h === undefined || m === undefined) return undefined;
  const { sampleRateHz, samples } = clock.reading.day;
  const wanted = 3600 * Number(h) + 60 * Number(m) + Number(s);
  if (clock.startMs === undefined) return [Math.min(samples - 1, Math.round(wanted * sampleRateHz))];
  const found = new Set<number>();
  const first = wanted - shownAt(clock, 0) - DAY_SECONDS;
  for (let day = first; day * sampleRateHz < samples + DAY_SECONDS * sampleRateHz; day += DAY_SECONDS)
    for (const shift of SHIFTS_SECONDS) {
      const second = day + shift;
      const sample = Math.ceil(second * sampleRateHz);
      if (second >= 0 && sample < samples && shownAt(clock, second) === wanted) found.add(sample);
    }
  return [...found].sort((a, b) => a - b);
}

/** The sample at a time of the clock that is nearest to a place; undefined where there is none. */
export const sampleNearClock = (clock: Clock, text: string, place: number): number | undefined =>
  samplesAtClock(clock, text)?.toSorted((a, b) => Math.abs(a - place) - Math.abs(b - place))[0];

/** The next sample behind a place at a time of the clock, else the first; undefined where there is none. */
export function sampleAtClock(clock: Clock, text: string, place: number): number | undefined {
  const found = samplesAtClock(clock, text) ?? [];
  return found.find((sample) => sample > place) ?? found[0];
}
