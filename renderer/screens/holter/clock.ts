// The clock along a day: full hours as ticks, midnight as the date.

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

const HOUR_STEPS = [1, 2, 3, 4, 6, 12, 24];

/** @param most so many ticks have room */
export function hourTicks(holter: Clock, start: number, end: number, most: number): Tick[] {
  const { startMs, reading } = holter;
  const { sampleRateHz } = reading.day;
  const hours = (end - start) / sampleRateHz / 3600;
  const step = HOUR_STEPS.find((each) => hours / each <= most) ?? 24;
  const first = clockAt(holter, start).split(':').map(Number);
  const [hour = 0, minute = 0, second = 0] = first.length === 3 ? first : [0, ...first];
  const intoStep = ((startMs === undefined ? 0 : hour) % step) * 3600 + 60 * minute + second;
  const ticks: Tick[] = [];
  for (
    let at = start + (intoStep === 0 ? 0 : step * 3600 - intoStep) * sampleRateHz;
    at < end;
    at += step * 3600 * sampleRateHz
  ) {
    const sample = Math.round(at);
    const words = clockAt(holter, sample).slice(0, 5);
    const isMidnight = startMs !== undefined && words === '00:00';
    ticks.push({ sample, words: isMidnight ? dayAt(holter, sample) : words, isMidnight });
  }
  return ticks;
}

/** The sample at a time of the clock, on the day of a place or behind it; undefined where the text is no time. */
/** The sample at a time of the clock that is nearest to a place; undefined where the text is no time. */
export function sampleNearClock(holter: Clock, text: string, place: number): number | undefined {
  const daySamples = 86_400 * holter.reading.day.sampleRateHz;
  const found = [place - daySamples, place - daySamples / 2, place]
    .map((from) => sampleAtClock(holter, text, from))
    .filter((sample) => sample !== undefined);
  return found.toSorted((a, b) => Math.abs(a - place) - Math.abs(b - place))[0];
}

export function sampleAtClock(holter: Clock, text: string, behind: number): number | undefined {
  const [, h, m, s = '0'] = /^(\d{1,2})[:.h](\d{2})(?:[:.](\d{2}))?$/.exec(text.trim()) ?? [];
  if (h === undefined || m === undefined) return undefined;
  const { sampleRateHz, samples } = holter.reading.day;
  const wanted = 3600 * Number(h) + 60 * Number(m) + Number(s);
  if (holter.startMs === undefined) return Math.min(samples - 1, Math.round(wanted * sampleRateHz));
  const [hour = 0, minute = 0, second = 0] = clockAt(holter, 0).split(':').map(Number);
  const first = (wanted - (3600 * hour + 60 * minute + second) + 2 * 86_400) % 86_400;
  const places: number[] = [];
  for (let at = first; at * sampleRateHz < samples; at += 86_400) places.push(Math.round(at * sampleRateHz));
  return places.find((place) => place > behind) ?? places[0];
}
