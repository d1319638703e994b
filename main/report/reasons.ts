// What the statements rest on, all of them, and notes: on the pages behind the first.

import { NO_NEXT_LIKELY } from '../../shared/analysis-result.ts';
import { findingText } from '../../shared/findings/finding-text.ts';
import { leadName } from '../../shared/signal/lead.ts';
import { isCutOff, isSilent } from '../signal/silent-leads.ts';
import { reasonOf, statementsInOrder } from './findings-block.ts';
import { FOOTER_MM } from './page-frame.ts';
import type { Drawing } from './report-input.ts';
import { COLOURS, type TextStyle } from './report-pdf.ts';

const TITLE: TextStyle = { size: 9.5, weight: 'semiBold', role: 'H2' };
const CELL: TextStyle = { size: 8, role: 'TD' };
const NAME: TextStyle = { ...CELL, weight: 'semiBold' };
const HEAD: TextStyle = { size: 7.5, colour: COLOURS.second, role: 'TH' };
const LINE_MM = 3.4;
const TITLE_MM = 4.6;
const HEAD_MM = 3.8;
/** A title stands over at least one row. */
const ROOM_FOR_HEAD_MM = 20;
/** More leads than this are all of them. */
const MOST_LEADS = 6;

export interface ReasonsPlace {
  readonly yMm: number;
  readonly statementMm: number;
  readonly restsMm: number;
  /** Begins another page. @returns where to go on */
  onFull(): number;
}

function restsOn(drawing: Drawing, read: Parameters<typeof reasonOf>[1]): string {
  const { words } = drawing;
  const leads = (read.statement.evidence?.leads ?? []).map(leadName);
  const named =
    leads.length === 0 || leads.length > MOST_LEADS ? '' : `${words.columns.leads} ${leads.join(', ')}`;
  return [reasonOf(drawing, read), named].filter(Boolean).join('; ');
}

/** Each statement with all that it rests on. */
export function drawReasons(drawing: Drawing, place: ReasonsPlace): void {
  const { report, words, language } = drawing;
  const { statementMm, restsMm } = place;
  const restsX = statementMm + 2;
  const widthMm = restsX + restsMm;
  let y = place.yMm;
  if (y + ROOM_FOR_HEAD_MM > report.page.heightMm - FOOTER_MM) y = place.onFull();
  report.text(words.why, 0, y, TITLE);
  y += TITLE_MM;
  report.group('Table', () => {
    report.group('TR', () => {
      report.text(words.columns.statement, 0, y, HEAD);
      report.text(words.columns.rests, restsX, y, HEAD);
    });
    y += HEAD_MM;
    report.artifact(() => report.line([0, y - 0.3], [widthMm, y - 0.3], 0.25));
    for (const read of statementsInOrder(drawing)) {
      const left = report.lines(findingText(read.statement, language), NAME, statementMm);
      const rests = restsOn(drawing, read);
      const right = rests === '' ? ['–'] : report.lines(rests, CELL, restsMm);
      const height = Math.max(left.length, right.length) * LINE_MM + 0.8;
      if (y + height > report.page.heightMm - FOOTER_MM - 1) y = place.onFull();
      report.group('TR', () => {
        for (const [i, line] of left.entries()) report.text(line, 0, y + i * LINE_MM, NAME);
        for (const [i, line] of right.entries()) report.text(line, restsX, y + i * LINE_MM, CELL);
      });
      y += height;
      report.artifact(() => report.line([0, y - 0.4], [widthMm, y - 0.4], 0.1, COLOURS.table));
    }
  });
}

/** Quality of the signal, what was rejected and why, more values. */
function noteLines({ words, language, input, read }: Drawing): string[] {
  const { quality, measurements: m, families } = input.result;
  const unsure = [...(families?.nextLikely ?? '')].filter((letter) => letter !== NO_NEXT_LIKELY).length;
  const bad = quality.filter(({ grade }) => grade !== 'good');
  const signal =
    bad.length === 0
      ? words.signalOf.good
      : bad
          .map(
            (own) =>
              `${leadName(own.lead)} ${words.signalOf[isSilent(own) ? 'silent' : isCutOff(own) ? 'cutOff' : own.grade]}`,
          )
          .join(', ');
  const values = [
    ...(m.qtcFraminghamMs === undefined ? [] : [`QTc Framingham ${m.qtcFraminghamMs} ms`]),
    ...(m.qtcHodgesMs === undefined ? [] : [`Hodges ${m.qtcHodgesMs} ms`]),
    ...(m.jtMs === undefined ? [] : [`JT ${m.jtMs} ms`]),
  ];
  return [
    `${words.signal}: ${signal}.`,
    ...(unsure === 0 ? [] : [`${words.unsure(unsure)}.`]),
    ...read.rejected.map(
      ({ statement, reason, by }) =>
        `${words.rejectedTitle}: ${findingText(statement, language)} (${[reason, by].filter(Boolean).join(', ')}).`,
    ),
    ...(read.severityReason === undefined ? [] : [`${words.severity}: ${read.severityReason}.`]),
    ...(values.length === 0 ? [] : [`${words.otherValues}: ${values.join(', ')}.`]),
  ];
}

/** @param onFull begins another page and tells where to go on @returns where they end */
export function drawNotes(
  drawing: Drawing,
  place: { readonly xMm: number; readonly yMm: number; readonly widthMm: number; onFull(): number },
): number {
  const { report, words } = drawing;
  const { xMm, widthMm } = place;
  let y = place.yMm;
  if (y + ROOM_FOR_HEAD_MM > report.page.heightMm - FOOTER_MM) y = place.onFull();
  report.text(words.notes, xMm, y, TITLE);
  y += TITLE_MM;
  for (const note of noteLines(drawing))
    for (const line of report.lines(note, CELL, widthMm)) {
      if (y + LINE_MM > report.page.heightMm - FOOTER_MM - 1) y = place.onFull();
      report.text(line, xMm, y, { ...CELL, role: 'P' });
      y += LINE_MM;
    }
  return y;
}
