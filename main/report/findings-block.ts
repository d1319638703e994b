// The overall line, who says so, and the statements with what they rest on (report design, honesty).

import { isRetired } from '../../shared/findings/codes.ts';
import { evidenceTexts } from '../../shared/findings/evidence-text.ts';
import { findingText, notAssessedText } from '../../shared/findings/finding-text.ts';
import { constraintsOf } from '../../shared/review/constraints.ts';
import type { Correction } from '../../shared/review/corrections.ts';
import { isCalledNormal, NORMAL_CODE, type ReadStatement } from '../../shared/review/read-findings.ts';
import { severityRank } from '../../shared/severity.ts';
import { warningText } from '../../shared/warnings/warning.ts';
import { pt } from './paper-size.ts';
import type { Drawing } from './report-input.ts';
import { COLOURS, type TextStyle } from './report-pdf.ts';
import { drawSeverityShape, severityFill, severityInk } from './severity-shape.ts';

const OVERALL: TextStyle = { size: 15, weight: 'bold', role: 'H1' };
const WHO: TextStyle = { size: 7.5, colour: COLOURS.second };
const STATEMENT: TextStyle = { size: 9.5, weight: 'semiBold' };
const REASON: TextStyle = { size: 8, colour: COLOURS.second };
const STATEMENT_MM = 4.1;
const REASON_MM = 3.3;
const INDENT_MM = 5;

/** How many episodes were rejected or moved, and nobody has taken that back. */
function countOfJudged(changes: readonly Correction[]): number {
  const judged = new Map<string, boolean>();
  for (const change of changes)
    if (
      change.kind === 'episodeRejected' ||
      change.kind === 'episodeMoved' ||
      change.kind === 'episodeAccepted'
    )
      judged.set(`${change.code} ${change.startSample}`, change.kind !== 'episodeAccepted');
  return [...judged.values()].filter(Boolean).length;
}

/** How many corrections of each kind count, in words. */
function changesText({ words, input, read }: Drawing): string {
  const changes = input.corrections.map(({ change }) => change);
  const { beats = [], noBeats = [], shapes = [], marksMs = {} } = constraintsOf(changes);
  const drawn = constraintsOf(changes.filter(({ kind }) => !kind.startsWith('episode'))).episodes ?? [];
  const inState = (state: ReadStatement['state']): number =>
    read.statements.filter((each) => each.state === state).length;
  const { changed } = words;
  const parts = [
    [beats.length + noBeats.length + shapes.length, changed.beats],
    [Object.keys(marksMs).length, changed.marks],
    [drawn.length, changed.rhythms],
    [countOfJudged(changes), changed.episodes],
    [inState('reworded'), changed.reworded],
    [read.rejected.length, changed.rejected],
    [inState('added'), changed.added],
  ] as const;
  const said = [
    ...parts.flatMap(([count, text]) => (count === 0 ? [] : [text(count)])),
    ...(read.severityReason === undefined ? [] : [changed.severity]),
  ];
  return said.length === 0 ? words.suggestedTheSame : said.join(', ');
}

function whoSaysSo(drawing: Drawing): string {
  const { words, input } = drawing;
  const { approval, result } = input;
  switch (approval.kind) {
    case 'preliminary':
      return words.suggested(result.analysisVersion);
    case 'automatic':
      return words.madeByProgram(result.analysisVersion);
    case 'approved':
      return words.readBy(approval.by, changesText(drawing));
  }
}

/** Normal only where that was stated; nothing abnormal among what was assessed is not normal. */
function overallText({ words, read }: Drawing): string {
  if (isCalledNormal(read)) return words.normal;
  if (read.severity === undefined) return words.tooPoor;
  return read.severity === 'NONE' ? words.incomplete : words.abnormal;
}

/** @returns where it ends */
export function drawOverall(drawing: Drawing, yMm: number, widthMm: number): number {
  const { report, words, read } = drawing;
  const text = overallText(drawing);
  report.text(text, 0, yMm, { ...OVERALL, widthMm });
  const { severity } = read;
  if (severity !== undefined && severity !== 'NONE') {
    const x = report.widthMm(text, OVERALL) + 3;
    const word = words.severities[severity];
    const width = report.widthMm(word, STATEMENT) + 8;
    report.artifact(() => {
      report.pdf
        .roundedRect(report.x(x), report.y(yMm + 0.8), pt(width), pt(5), pt(1))
        .lineWidth(pt(0.25))
        .fillAndStroke(severityFill(severity), severityInk(severity));
      drawSeverityShape(report, severity, x + 1.2, yMm + 1.7, 3.2);
    });
    report.text(word, x + 5.6, yMm + 1.5, {
      ...STATEMENT,
      colour: severityInk(severity),
    });
  }
  report.text(whoSaysSo(drawing), 0, yMm + 6.6, { ...WHO, widthMm });
  return yMm + 10.2;
}

/** Without those that this version no longer makes. */
export const statementsInOrder = ({ read }: Drawing): readonly ReadStatement[] =>
  read.statements.filter(({ statement }) => !isRetired(statement.code));

/** Lines of what it rests on. */
export const reasonOf = ({ language }: Drawing, { statement, state, by }: ReadStatement): string =>
  [
    ...(state === 'reworded' ? [] : evidenceTexts(statement, language)),
    ...(by === undefined || by === '' || state === 'accepted' ? [] : [by]),
  ].join('; ');

interface Laid {
  readonly read: ReadStatement;
  readonly lines: readonly string[];
  readonly reason: readonly string[];
}

const heightOf = ({ lines, reason }: Laid): number =>
  lines.length * STATEMENT_MM + reason.length * REASON_MM + 0.5;

const MOST_STATEMENT_LINES = 3;
const MOST_REASON_LINES = 2;

/** What is cut says so; the whole stands in the table behind. */
const shortened = (lines: readonly string[], most: number): string[] =>
  lines.length <= most ? [...lines] : [...lines.slice(0, most - 1), `${lines[most - 1]} …`];

/** The last one of the lowest severity. */
function leastSevere(laid: readonly Laid[]): number {
  const ranks = laid.map(({ read }) => severityRank(read.statement.severity));
  return ranks.lastIndexOf(Math.min(...ranks));
}

/** What has no room gives up its reasons first, the least grave before the others (report design, rules for growth). */
function layOut(drawing: Drawing, widthMm: number, heightMm: number): { laid: Laid[]; left: number } {
  const { report, language } = drawing;
  const room = widthMm - INDENT_MM;
  // “Normal ECG” stands in the headline already and is not repeated as a finding.
  const isSaid = isCalledNormal(drawing.read);
  const listed = statementsInOrder(drawing).filter(
    ({ statement, state }) => !(isSaid && statement.code === NORMAL_CODE && state !== 'reworded'),
  );
  let laid = listed.map((read): Laid => {
    const reason = reasonOf(drawing, read);
    return {
      read,
      lines: shortened(
        report.lines(findingText(read.statement, language), STATEMENT, room),
        MOST_STATEMENT_LINES,
      ),
      reason: reason === '' ? [] : shortened(report.lines(reason, REASON, room), MOST_REASON_LINES),
    };
  });
  const total = (): number => laid.reduce((sum, each) => sum + heightOf(each), 0);
  for (let i = laid.length - 1; i >= 0 && total() > heightMm; i--)
    laid = laid.with(i, { ...(laid[i] as Laid), reason: [] });
  const all = laid.length;
  while (laid.length > 1 && total() + (laid.length < all ? STATEMENT_MM : 0) > heightMm) {
    const least = leastSevere(laid);
    laid = laid.filter((_, i) => i !== least);
  }
  return { laid, left: all - laid.length };
}

/** The most that it may take of the room for findings. */
const ABOUT_SHARE = 0.5;

/** What its reader has to know of the recording. */
function aboutRecording(
  { report, words, language, input }: Drawing,
  widthMm: number,
  heightMm: number,
): readonly string[] {
  // What is odd about the signal stands before how it came here: where there is no room for all, that goes.
  const known = input.warnings === undefined ? [] : [...input.result.warnings, ...input.warnings];
  if (known.length === 0) return [];
  const text = `${words.aboutRecording} ${known.map((each) => warningText(each, language)).join(' ')}`;
  return shortened(
    report.lines(text, REASON, widthMm),
    Math.max(2, Math.floor((ABOUT_SHARE * heightMm) / REASON_MM)),
  );
}

/** What has no room stands on the following pages. */
export function drawStatements(drawing: Drawing, yMm: number, widthMm: number, heightMm: number): void {
  const { report, words, language, input } = drawing;
  const note = notAssessedText(input.result.notAssessed, language);
  const noteLines = [
    ...(note === '' ? [] : report.lines(note, REASON, widthMm)),
    ...aboutRecording(drawing, widthMm, heightMm),
  ];
  const noteMm = noteLines.length * REASON_MM;
  const { laid, left } = layOut(drawing, widthMm, heightMm - noteMm);
  let y = yMm;
  report.group('L', () => {
    for (const { read, lines, reason } of laid)
      report.group('LI', () => {
        report.artifact(() => drawSeverityShape(report, read.statement.severity, 0, y + 0.5, 3));
        for (const line of lines) {
          report.text(line, INDENT_MM, y, { ...STATEMENT, role: 'Span' });
          y += STATEMENT_MM;
        }
        for (const line of reason) {
          report.text(line, INDENT_MM, y - 0.2, { ...REASON, role: 'Span' });
          y += REASON_MM;
        }
        y += 0.5;
      });
  });
  if (left > 0) {
    report.text(words.moreBehind(left), INDENT_MM, y, STATEMENT);
    y += STATEMENT_MM;
  }
  // What was not assessed is never shortened away.
  for (const line of noteLines) {
    report.text(line, 0, y, REASON);
    y += REASON_MM;
  }
}
