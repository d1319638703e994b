// The second page of a twelve-lead report: the median beat of each lead with the common marks, what the statements rest on,
// and notes.

import type { StoredMedianBeat } from '../../shared/analysis-result.ts';
import { MARK_NAMES } from '../../shared/review/corrections.ts';
import { USUAL_GAIN_MM_PER_MV } from '../../shared/review/paper-gain.ts';
import { leadName } from '../../shared/signal/lead.ts';
import { type Area, drawGrid, drawPulse, markLeavings, tracePath } from './ecg-paper.ts';
import { drawHeader } from './page-frame.ts';
import { pt } from './paper-size.ts';
import { drawNotes, drawReasons } from './reasons.ts';
import type { Drawing } from './report-input.ts';
import { COLOURS, type TextStyle } from './report-pdf.ts';
import type { Piece } from './strips.ts';

const TITLE: TextStyle = { size: 9.5, weight: 'semiBold', role: 'H2' };
const QUIET: TextStyle = { size: 7.5, colour: COLOURS.second };
const LABEL: TextStyle = { size: 9, weight: 'bold' };
const MARK: TextStyle = { size: 7, weight: 'semiBold', colour: COLOURS.mark };
const SPEED_MM_PER_S = 50;
const PULSE_MM = 14;
/** The least width of one beat; a long QT has more. */
const LEAST_BEAT_MM = 41;
/** Behind the end of T. */
const AFTER_MS = 60;
const PAPER = { xMm: 0, yMm: 19, widthMm: 260 };
const LEAST_PAPER_MM = 70;
const MOST_PAPER_MM = 121;
/** Below this, a table begins on the next page. */
const LAST_TABLE_MM = 160;
/** What stands before P, and behind T. */
const BEFORE_MS = 80;

interface Beat {
  readonly name: string;
  readonly piece: Piece;
}

/** From before P to behind T. */
function shownMs({ marksMs }: StoredMedianBeat): { readonly startMs: number; readonly beatMm: number } {
  const startMs = (marksMs.pOnset ?? marksMs.qrsOnset ?? -200) - BEFORE_MS;
  const neededMs = (marksMs.tEnd ?? 0) + AFTER_MS - startMs;
  return { startMs, beatMm: Math.max(LEAST_BEAT_MM, Math.ceil((neededMs / 1000) * SPEED_MM_PER_S) + 1) };
}

const perRow = (beatMm: number): number =>
  Math.min(6, Math.max(1, Math.floor((PAPER.widthMm - PULSE_MM) / beatMm)));

/** Without a scale only the shape can be shown, within the height of a millivolt. */
function heightsOf(uv: readonly number[], isCalibrated: boolean): Float64Array {
  const most = uv.reduce((each, value) => Math.max(each, Math.abs(value)), 1);
  const mmPerUv = isCalibrated ? USUAL_GAIN_MM_PER_MV / 1000 : USUAL_GAIN_MM_PER_MV / most;
  return Float64Array.from(uv, (value) => value * mmPerUv);
}

/** The stretch from before P for as long as the paper of one beat is. */
function beatsOf(drawing: Drawing): Beat[] {
  const { medianBeat } = drawing.input.result;
  if (medianBeat === undefined) return [];
  const { sampleRateHz, rSample } = medianBeat;
  const { startMs, beatMm } = shownMs(medianBeat);
  const first = Math.max(0, Math.round(rSample + (startMs / 1000) * sampleRateHz));
  const count = Math.floor(((beatMm - 1) / SPEED_MM_PER_S) * sampleRateHz);
  return medianBeat.leads.map(({ lead, uv, isCalibrated = true }) => ({
    name: leadName(lead),
    piece: {
      label: '',
      isCalibrated,
      xMm: 0,
      widthMm: beatMm,
      heightsMm: heightsOf(uv.slice(first, first + count), isCalibrated),
      stepMm: SPEED_MM_PER_S / sampleRateHz,
      gainMmPerMv: USUAL_GAIN_MM_PER_MV,
      isNamed: false,
    },
  }));
}

/** Where a mark lies on the paper of one beat. */
function markPlaces({
  input,
}: Drawing): { readonly name: (typeof MARK_NAMES)[number]; readonly xMm: number }[] {
  const { medianBeat } = input.result;
  if (medianBeat === undefined) return [];
  const { marksMs, rSample, sampleRateHz } = medianBeat;
  const { startMs } = shownMs(medianBeat);
  const firstMs = Math.max((-1000 * rSample) / sampleRateHz, startMs);
  return MARK_NAMES.flatMap((name) => {
    const ms = marksMs[name];
    return ms === undefined ? [] : [{ name, xMm: ((ms - firstMs) / 1000) * SPEED_MM_PER_S }];
  });
}

const reach = (beats: readonly Beat[], sign: 1 | -1): number =>
  beats.reduce(
    (most, { piece }) => piece.heightsMm.reduce((each, value) => Math.max(each, sign * value), most),
    0,
  );

interface BeatRow {
  readonly beats: readonly Beat[];
  readonly upMm: number;
  readonly downMm: number;
}

function rowsOf(drawing: Drawing): BeatRow[] {
  const beats = beatsOf(drawing);
  const columns = perRow(beats[0]?.piece.widthMm ?? LEAST_BEAT_MM);
  return Array.from({ length: Math.ceil(beats.length / columns) }, (_, row) => {
    const own = beats.slice(row * columns, (row + 1) * columns);
    return {
      beats: own,
      upMm: Math.max(12, reach(own, 1) + 7),
      downMm: Math.max(6, reach(own, -1) + 2),
    };
  });
}

const MARK_ROOM_MM = 4;
const neededMm = (rows: readonly BeatRow[]): number =>
  rows.reduce((sum, { upMm, downMm }) => sum + upMm + downMm, MARK_ROOM_MM);

/** The marks over all rows of a paper, with their names above the first. */
function drawMarks(drawing: Drawing, area: Area, columns: number, beatMm: number): void {
  const { report, words } = drawing;
  for (let column = 0; column < columns; column++)
    for (const { name, xMm } of markPlaces(drawing)) {
      const x = PULSE_MM + column * beatMm + xMm;
      report.pdf.dash(pt(0.8), { space: pt(0.6) });
      report.line([x, area.yMm + 3.6], [x, area.yMm + area.heightMm], 0.15, COLOURS.mark);
      report.pdf.undash();
      const word = words.marks[name];
      report.draw(word, x - report.widthMm(word, MARK) / 2, area.yMm + 0.6, MARK);
    }
}

function drawBeatRow(drawing: Drawing, { beats }: BeatRow, zeroMm: number, area: Area): void {
  const { report, language } = drawing;
  drawPulse(report, 0, zeroMm, {
    speedMmPerS: SPEED_MM_PER_S,
    gainsMmPerMv: [USUAL_GAIN_MM_PER_MV],
    areaMm: PULSE_MM,
  });
  for (const [column, { name, piece }] of beats.entries()) {
    const x = PULSE_MM + column * piece.widthMm;
    report.draw(name, x + 1, Math.max(area.yMm + MARK_ROOM_MM, zeroMm - 9), LABEL);
    report.pdf.save();
    report.pdf.rect(report.x(0), report.y(area.yMm), pt(area.widthMm), pt(area.heightMm)).clip();
    tracePath(report, piece, x, zeroMm);
    report.pdf.lineWidth(pt(0.32)).lineJoin('round').strokeColor(COLOURS.trace).stroke().restore();
    markLeavings(report, piece, x, zeroMm, area, language);
  }
}

/** @returns where the paper ends */
function drawPaper(drawing: Drawing, rows: readonly BeatRow[]): number {
  const { report, words, input } = drawing;
  const needed = neededMm(rows);
  const heightMm = Math.min(MOST_PAPER_MM, Math.max(LEAST_PAPER_MM, Math.ceil(needed)));
  const spare = Math.max(0, heightMm - needed) / Math.max(1, rows.length);
  const area = { ...PAPER, heightMm };
  const names = rows.flatMap(({ beats }) => beats.map(({ name }) => name)).join(', ');
  report.figure(`${words.medianTitle(input.result.medianBeat?.beats ?? 0)}: ${names}`, () => {
    drawGrid(report, area);
    drawMarks(
      drawing,
      area,
      Math.max(...rows.map(({ beats }) => beats.length)),
      rows[0]?.beats[0]?.piece.widthMm ?? LEAST_BEAT_MM,
    );
    let top = area.yMm + MARK_ROOM_MM;
    for (const row of rows) {
      const zero = Math.round(top + row.upMm + spare / 2 - area.yMm) + area.yMm;
      drawBeatRow(drawing, row, Math.min(zero, area.yMm + heightMm - 6), area);
      top += row.upMm + row.downMm + spare;
    }
  });
  return area.yMm + heightMm;
}

export const MEDIAN_SCALE = `${SPEED_MM_PER_S} mm/s · ${USUAL_GAIN_MM_PER_MV} mm/mV`;

export function drawMedianPage(drawing: Drawing, startSeconds: number): void {
  const { report, words, input } = drawing;
  const newPage = (): void => {
    report.addPage('landscape');
    drawHeader(drawing, startSeconds, false);
  };
  newPage();
  const { medianBeat } = input.result;
  const rows = rowsOf(drawing);
  let y = 14;
  if (medianBeat !== undefined && rows.length > 0) {
    // Rows that are too tall for one paper have one each.
    const papers = neededMm(rows) <= MOST_PAPER_MM ? [rows] : rows.map((row) => [row]);
    for (const [i, paper] of papers.entries()) {
      if (i > 0) newPage();
      report.text(`${words.medianTitle(medianBeat.beats)} · ${MEDIAN_SCALE}`, 0, 13.7, TITLE);
      y = drawPaper(drawing, paper);
    }
    report.text(words.medianKey, 0, y + 1, QUIET);
    y += 5.5;
  }
  if (y > LAST_TABLE_MM) {
    newPage();
    y = 14;
  }
  const onFull = (): number => {
    newPage();
    return 14;
  };
  const here = report.page;
  drawReasons(drawing, { yMm: y, statementMm: 66, restsMm: 128, onFull });
  // Beside the beginning of the table, as long as there is room.
  report.turnTo(here);
  drawNotes(drawing, { xMm: 203, yMm: y, widthMm: 57, onFull });
}
