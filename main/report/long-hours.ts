// The hours of a long recording by the clock, and what the patient felt or did with the rhythm at that time.

import { clockHours, type HourRow, hourTable } from '../../shared/long/hour-table.ts';
import { fibrillationOf, pausesOf } from '../../shared/long/known-time.ts';
import { eventsOf } from '../../shared/review/day-choices.ts';
import { firstFrom } from '../../shared/signal/first-from.ts';
import { durationText } from './duration-text.ts';
import { labelledBeats, unknownRanges } from './long-strips.ts';
import { FOOTER_MM } from './page-frame.ts';
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
/** The hours of a day stand on one page. */
const TOGETHER_ROWS = 26;
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
  const { recording } = result;
  const { sampleRateHz, samples, startTime } = recording;
  const atMs = instantOf(startTime);
  const zone = startTime?.endsWith('Z') === true ? (timeZone ?? 'UTC') : 'UTC';
  const start = atMs === undefined ? undefined : { atMs, timeZone: zone };
  return hourTable(clockHours(samples, sampleRateHz, start), {
    beats: labelledBeats(result),
    sampleRateHz,
    sampleCount: samples,
    unknown: unknownRanges(result),
    fibrillation: fibrillationOf(result),
    pauses: pausesOf(result),
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

/** Where a table stands; where a page is full, it goes on on another. */
export interface TablePlace {
  readonly yMm: number;
  /** Begins another page. @returns where to go on */
  onFull(): number;
}

const isFull = ({ report }: Drawing, yMm: number): boolean => yMm > report.page.heightMm - FOOTER_MM - 1;

/** @returns where it ends; where it should begin for recordings of less than an hour */
export function drawHours(drawing: Drawing, { yMm, onFull }: TablePlace): number {
  const { report, words, input } = drawing;
  const { sampleRateHz, samples, startTime } = input.result.recording;
  if (samples < LEAST_SECONDS * sampleRateHz || input.result.beats.length === 0) return yMm;
  const { rows, whole } = tableOf(drawing);
  const columns = Object.entries(RIGHT_MM) as [Column, number][];
  let y = yMm;
  const draw = (name: string, cells: Readonly<Record<Column, string>>, style: TextStyle): void => {
    report.group('TR', () => {
      report.text(name, 0, y, { ...style, role: 'TH' });
      for (const [column, right] of columns)
        report.text(cells[column], right - 22, y, { ...style, align: 'right', widthMm: 22 });
    });
  };
  const begin = (): void => {
    report.text(words.hours.title, 0, y, TITLE);
    y += TITLE_MM;
    draw(words.hours.hour, words.hours.columns, HEAD);
    y += HEAD_MM;
    report.artifact(() => report.line([0, y - 0.4], [WIDTH_MM, y - 0.4], 0.25));
  };
  if (isFull(drawing, y + TITLE_MM + HEAD_MM + Math.min(rows.length, TOGETHER_ROWS) * ROW_MM)) y = onFull();
  report.group('Table', () => {
    begin();
    for (const row of rows) {
      if (isFull(drawing, y + ROW_MM)) {
        y = onFull();
        begin();
      }
      draw(clockAt(startTime, row.startSample / sampleRateHz, input.timeZone), cellsOf(drawing, row), CELL);
      y += ROW_MM;
      report.artifact(() => report.line([0, y - 0.5], [WIDTH_MM, y - 0.5], 0.1, COLOURS.table));
    }
    if (isFull(drawing, y + ROW_MM)) y = onFull();
    draw(words.hours.all, cellsOf(drawing, whole), { ...CELL, weight: 'semiBold' });
  });
  return y + ROW_MM + 3;
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

/** @returns where they end */
export function drawEvents(drawing: Drawing, { yMm, onFull }: TablePlace): number {
  const { report, words, input } = drawing;
  const events = eventsOf(input.corrections.map(({ change }) => change));
  if (events.length === 0) return yMm;
  const { startTime, sampleRateHz } = input.result.recording;
  let y = yMm;
  if (isFull(drawing, y + TITLE_MM + 3 * ROW_MM)) y = onFull();
  report.text(words.events, 0, y, TITLE);
  y += TITLE_MM;
  report.group('Table', () => {
    for (const { sample, text } of events) {
      const lines = report.lines(text, CELL, 90);
      if (isFull(drawing, y + lines.length * ROW_MM)) y = onFull();
      report.group('TR', () => {
        const when = clockAt(startTime, sample / sampleRateHz, input.timeZone, true);
        report.text(when, 0, y, { ...CELL, role: 'TH', weight: 'semiBold' });
        for (const [i, line] of lines.entries()) report.text(line, 26, y + i * ROW_MM, CELL);
        report.text(rhythmAt(drawing, sample), 120, y, CELL);
      });
      y += lines.length * ROW_MM;
      report.artifact(() => report.line([0, y - 0.5], [WIDTH_MM, y - 0.5], 0.1, COLOURS.table));
    }
  });
  return y + 3;
}
