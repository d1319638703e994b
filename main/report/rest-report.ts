// The report of a recording of up to a minute: one page of ECG with findings and measurements, and for twelve leads a page
// with median beats and reasons.

import { DECIMAL_SIGNS } from '../../shared/language.ts';
import { type LeadCode, STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { type Area, drawEcg } from './ecg-paper.ts';
import { heightFor } from './ecg-rows.ts';
import { drawOverall, drawStatements, statementsInOrder } from './findings-block.ts';
import { drawMedianPage, MEDIAN_SCALE } from './median-page.ts';
import { drawFooter, drawHeader, FOOTER_MM, HEADER_MM, scaleText, spokenScale } from './page-frame.ts';
import type { Drawing } from './report-input.ts';
import { COLOURS, type TextStyle } from './report-pdf.ts';
import { rrSeconds } from './rr-intervals.ts';
import {
  chooseStart,
  inColumns,
  leadsOf,
  nameOf,
  PAGE_SECONDS,
  pieceOf,
  type Row,
  rowOf,
  SPEED_MM_PER_S,
  type Stretch,
  twelveLeadsOf,
  wholeRow,
} from './strips.ts';
import { drawLeadTable, drawMeasurements } from './tables.ts';

const TOP_MM = 55;
const UNDER: TextStyle = { size: 7.5, colour: COLOURS.second };
/** Leads that may stand as rhythm strips below the three rows, the best first. */
const RHYTHM: readonly LeadCode[] = ['MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V1', 'MDC_ECG_LEAD_V5'];
/** A single lead stands in so many lines. */
const MOST_LINES = 6;
/** Rows of several leads share one page. */
const MOST_ROWS = 11;
const COLUMNS = { xMm: 124, nameMm: 22, valueMm: 27, noteMm: 18 };

const paperArea = ({ report }: Drawing): Area => ({
  xMm: 0,
  yMm: TOP_MM,
  widthMm: report.page.widthMm,
  heightMm: report.page.heightMm - TOP_MM - FOOTER_MM - 0.6,
});

/** Six rows of two, or three of four with as many rhythm strips as leave room for what the leads need. */
function twelveLeadRows({ input, gain }: Drawing, stretch: Omit<Stretch, 'gain'>, heightMm: number): Row[] {
  const leads = twelveLeadsOf(input.recording) ?? [];
  const shown: Stretch = { ...stretch, gain };
  if (input.twelveLeads === '6x2') return inColumns(leads, 6, shown);
  const rows = inColumns(leads, 3, shown);
  const rhythm = (input.rhythmLeads ?? RHYTHM).flatMap((code) => {
    const lead = leads[STANDARD_LEADS.indexOf(code)];
    return lead === undefined ? [] : [wholeRow(lead, shown)];
  });
  for (let count = rhythm.length; count > 1; count--) {
    const all = [...rows, ...rhythm.slice(0, count)];
    if (heightFor(all.map(({ reach }) => reach)) <= heightMm) return all;
  }
  return [...rows, ...rhythm.slice(0, 1)];
}

/** A single lead in lines of ten seconds; several leads one above the other. */
function fewLeadRows({ input, gain }: Drawing, stretch: Omit<Stretch, 'gain'>): Row[] {
  const { recording } = input;
  const leads = leadsOf(recording);
  const [only] = leads;
  if (leads.length !== 1 || only === undefined)
    return leads.slice(0, MOST_ROWS).map((lead) => wholeRow(lead, { ...stretch, gain }));
  const lines = Math.min(MOST_LINES, Math.max(1, Math.ceil(recording.durationSeconds / PAGE_SECONDS)));
  return Array.from({ length: lines }, (_, line) => {
    const from = line * PAGE_SECONDS;
    return rowOf([
      pieceOf(only, {
        startSeconds: from,
        seconds: Math.min(PAGE_SECONDS, recording.durationSeconds - from),
        label: line === 0 ? nameOf(only) : `${from} s`,
        gain,
      }),
    ]);
  });
}

/** R-R in milliseconds under a lead that stands in lines, with ticks at its beats. */
function drawRr({ report, input }: Drawing, row: number, zeroMm: number): void {
  const { result } = input;
  const { sampleRateHz } = result.recording;
  const [from, to] = [row * PAGE_SECONDS, (row + 1) * PAGE_SECONDS];
  const places = result.beats.map(({ sample }) => sample / sampleRateHz);
  const intervals = rrSeconds(result);
  for (const [i, at] of places.entries()) {
    if (at < from || at >= to) continue;
    const x = 10 + (at - from) * SPEED_MM_PER_S;
    report.line([x, zeroMm + 7], [x, zeroMm + 8.4], 0.3);
    const [before, rr] = [places[i - 1], intervals[i] as number];
    if (before === undefined || before < from || Number.isNaN(rr)) continue;
    const text = String(Math.round(1000 * rr));
    const middle = 10 + ((at + before) / 2 - from) * SPEED_MM_PER_S;
    if (rr * SPEED_MM_PER_S > 8)
      report.draw(text, middle - report.widthMm(text, UNDER) / 2, zeroMm + 6.4, UNDER);
  }
}

/** Says which part of the recording the page shows, and how many leads have no room on it. */
function shownLine({ words, input, language }: Drawing, seconds: number, hidden: number): string {
  const { durationSeconds } = input.recording;
  const tenths = (value: number): string => value.toFixed(1).replace('.', DECIMAL_SIGNS[language]);
  return [
    durationSeconds - seconds < 0.05 ? '' : words.shown(tenths(seconds), tenths(durationSeconds)),
    hidden > 0 ? words.leadsNotShown(hidden) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

export function drawRestReport(drawing: Drawing): void {
  const { report, words, language, input } = drawing;
  const { recording, result } = input;
  const isTwelveLead = twelveLeadsOf(recording) !== undefined;
  const isOneLead = leadsOf(recording).length === 1;
  const start = isOneLead
    ? 0
    : chooseStart(
        recording,
        result.beats.map(({ sample }) => sample / result.recording.sampleRateHz),
      );
  const seconds = Math.min(PAGE_SECONDS, recording.durationSeconds - start);
  report.addPage('landscape');
  drawHeader(drawing, start, true);
  const statementsTop = drawOverall(drawing, HEADER_MM.first + 0.4, 120);
  drawStatements(drawing, statementsTop, 120, TOP_MM - statementsTop - 0.6);
  drawMeasurements(drawing, COLUMNS, HEADER_MM.first + 0.8);
  if (isTwelveLead) drawLeadTable(drawing, 198, HEADER_MM.first + 0.8);
  const area = paperArea(drawing);
  const stretch = { startSeconds: start, seconds };
  const rows = isTwelveLead ? twelveLeadRows(drawing, stretch, area.heightMm) : fewLeadRows(drawing, stretch);
  const names = [...new Set(rows.flatMap(({ pieces }) => pieces.map(({ label }) => label)))];
  const ecgWords = {
    language,
    notCalibrated: words.notCalibrated,
    simulated: recording.device?.isSimulated === true ? words.simulated : undefined,
  };
  report.figure(words.ecgOf(names.join(', '), seconds.toFixed(0), spokenScale(drawing)), () =>
    drawEcg(report, rows, area, ecgWords, (row, zero) => {
      if (isOneLead) drawRr(drawing, row, zero);
    }),
  );
  const hidden = leadsOf(recording).length - (isTwelveLead ? STANDARD_LEADS.length : rows.length);
  const shown = isOneLead ? words.rrUnder : shownLine(drawing, seconds, hidden);
  const scale = [scaleText(drawing), shown].filter(Boolean).join(' · ');
  const [first] = report.pages;
  const order = isTwelveLead ? 'sequential' : 'simultaneous';
  const hasSecondPage = result.medianBeat !== undefined || statementsInOrder(drawing).length > 0;
  if (hasSecondPage) drawMedianPage(drawing, start);
  for (const page of report.pages) {
    report.turnTo(page);
    drawFooter(drawing, { order, scale: page === first ? scale : MEDIAN_SCALE });
  }
}
