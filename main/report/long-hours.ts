// The hours of a long recording by the clock, and what the patient felt or did with the rhythm at that time.

import { clockHours, type HourRow, hourTable } from '../../shared/long/hour-table.ts';
import { eventsOf } from '../../shared/review/day-choices.ts';
import { firstFrom } from '../../shared/signal/first-from.ts';
import { durationText } from './duration-text.ts';
import { labelledBeats, unknownRanges } from './long-strips.ts';
import type { Drawing } from './report-input.ts';
import { COLOURS, type TextStyle } from './report-pdf.ts';
import { clockAt, instantOf } from './report-text.ts';

const TITLE: TextStyle = { size: 9.5, weight: 'semiBold', role: 'H2' };
const CELL: TextStyle = { size: 8, role: 'TD' };
const HEAD: TextStyle = { size: 7.5, colour: COLOURS.second, role: 'TH' };
const TITLE_MM = 4.8;
const HEAD_MM = 3.9;
const ROW_MM = 4;
const WIDTH_MM = 190;
const NOTHING = '–';
const LEAST_SECONDS = 3600;
/** Hours of more days have no room on a page. */
const MOST_ROWS = 50;
const AROUND_SECONDS = 30;

/** Where each column ends. */
const RIGHT_MM = {
  beats: 40,
  lowest: 58,
  mean: 76,
  highest: 94,
  v: 110,
  s: 126,
  af: 148,
  pause: 168,
  read: 188,
} as const;
type Column = keyof typeof RIGHT_MM;

function tableOf({ input }: Drawing): { rows: readonly HourRow[]; whole: HourRow } {
  const { result, timeZone } = input;
  const { recording, rhythms } = result;
  const { sampleRateHz, samples, startTime } = recording;
  const atMs = instantOf(startTime);
  const ranges = (code: string): (readonly [number, number])[] =>
    rhythms
      .filter((each) => each.code === code)
      .map(({ startSample, endSample }) => [startSample, endSample] as const);
  const zone = startTime?.endsWith('Z') === true ? (timeZone ?? 'UTC') : 'UTC';
  const start = atMs === undefined ? undefined : { atMs, timeZone: zone };
  return hourTable(clockHours(samples, sampleRateHz, start), {
    beats: labelledBeats(result),
    sampleRateHz,
    sampleCount: samples,
    unknown: unknownRanges(result),
    fibrillation: ranges('AFIB'),
    pauses: ranges('PAUSE'),
  });
}

function cellsOf({ language }: Drawing, row: HourRow): Readonly<Record<Column, string>> {
  const rate = (bpm: number | undefined): string => (bpm === undefined ? NOTHING : String(bpm));
  const count = (value: number): string => (value === 0 ? NOTHING : String(value));
  return {
    beats: String(row.beats),
    lowest: rate(row.minBpm),
    mean: rate(row.meanBpm),
    highest: rate(row.maxBpm),
    v: count(row.ventricular),
    s: count(row.supraventricular),
    af: row.fibrillationSeconds === 0 ? NOTHING : durationText(row.fibrillationSeconds, language),
    pause: row.longestPauseMs === undefined ? NOTHING : durationText(row.longestPauseMs / 1000, language),
    read: `${Math.floor(100 * row.readShare)} %`,
  };
}

/** @param top undefined: nothing is drawn @returns how high it is; 0 for recordings of less than an hour */
export function drawHours(drawing: Drawing, top: number | undefined): number {
  const { report, words, input } = drawing;
  const { sampleRateHz, samples, startTime } = input.result.recording;
  if (samples < LEAST_SECONDS * sampleRateHz || input.result.beats.length === 0) return 0;
  const { rows, whole } = tableOf(drawing);
  const shown = rows.slice(0, MOST_ROWS);
  const heightMm = TITLE_MM + HEAD_MM + (shown.length + 1) * ROW_MM + 3;
  if (top === undefined) return heightMm;
  report.text(words.hours.title, 0, top, TITLE);
  let y = top + TITLE_MM;
  const columns = Object.entries(RIGHT_MM) as [Column, number][];
  const draw = (name: string, cells: Readonly<Record<Column, string>>, style: TextStyle): void => {
    report.group('TR', () => {
      report.text(name, 0, y, { ...style, role: 'TH' });
      for (const [column, right] of columns)
        report.text(cells[column], right - 22, y, { ...style, align: 'right', widthMm: 22 });
    });
  };
  report.group('Table', () => {
    draw(words.hours.hour, words.hours.columns, HEAD);
    y += HEAD_MM;
    report.artifact(() => report.line([0, y - 0.4], [WIDTH_MM, y - 0.4], 0.25));
    for (const row of shown) {
      draw(clockAt(startTime, row.startSample / sampleRateHz, input.timeZone), cellsOf(drawing, row), CELL);
      y += ROW_MM;
      report.artifact(() => report.line([0, y - 0.5], [WIDTH_MM, y - 0.5], 0.1, COLOURS.table));
    }
    draw(words.hours.all, cellsOf(drawing, whole), { ...CELL, weight: 'semiBold' });
  });
  return heightMm;
}

/** The rate around an event and what was found there. */
function rhythmAt({ words, input }: Drawing, sample: number): string {
  const { beats, recording, episodes = [] } = input.result;
  const reach = AROUND_SECONDS * recording.sampleRateHz;
  const samples = beats.map((beat) => beat.sample);
  const [first, end] = [firstFrom(samples, sample - reach), firstFrom(samples, sample + reach)];
  const found = episodes
    .filter(({ startSample, endSample }) => startSample < sample + reach && endSample > sample - reach)
    .map(({ code }) => words.episode[code] ?? code);
  const length = (samples[end - 1] ?? 0) - (samples[first] ?? 0);
  const rate =
    end - first < 3 ? [] : [`${Math.round((60 * (end - first - 1) * recording.sampleRateHz) / length)} /min`];
  const said = [...new Set(found), ...rate];
  return said.length === 0 ? words.notAssessed : said.join(', ');
}

/** @param top undefined: nothing is drawn @returns how high it is; 0 without events */
export function drawEvents(drawing: Drawing, top: number | undefined): number {
  const { report, words, input } = drawing;
  const events = eventsOf(input.corrections.map(({ change }) => change));
  if (events.length === 0) return 0;
  const { startTime, sampleRateHz } = input.result.recording;
  const rows = events.map(({ sample, text }) => ({
    when: clockAt(startTime, sample / sampleRateHz, input.timeZone, true),
    lines: report.lines(text, CELL, 90),
    rhythm: rhythmAt(drawing, sample),
  }));
  const heightMm = TITLE_MM + rows.reduce((sum, { lines }) => sum + lines.length * ROW_MM, 0) + 3;
  if (top === undefined) return heightMm;
  report.text(words.events, 0, top, TITLE);
  let y = top + TITLE_MM;
  report.group('Table', () => {
    for (const { when, lines, rhythm } of rows) {
      report.group('TR', () => {
        report.text(when, 0, y, { ...CELL, role: 'TH', weight: 'semiBold' });
        for (const [i, line] of lines.entries()) report.text(line, 26, y + i * ROW_MM, CELL);
        report.text(rhythm, 120, y, CELL);
      });
      y += lines.length * ROW_MM;
      report.artifact(() => report.line([0, y - 0.5], [WIDTH_MM, y - 0.5], 0.1, COLOURS.table));
    }
  });
  return heightMm;
}
