// The one-page report: patient, measurements, statements, ECG in true millimetres. The same input gives the
// same bytes.

import PDFDocument from 'pdfkit';
import type { AnalysisResult } from '../../shared/analysis-result.ts';
import { DECIMAL_SIGNS, type Language } from '../../shared/language.ts';
import { withDerivedLeads } from '../../shared/signal/derived-leads.ts';
import { ecgChannels } from '../../shared/signal/ecg-channels.ts';
import type { PatientFacts, Recording } from '../../shared/signal/recording.ts';
import { rateHz } from '../../shared/signal/recording.ts';
import { type Area, drawGrid, drawStrips } from './draw-ecg.ts';
import { BOX, boxOrigin, PAPERS, type Paper, pt } from './millimetres.ts';
import {
  measurementCells,
  notAssessedLine,
  reportedPatient,
  startLine,
  statementLines,
} from './report-text.ts';
import { REPORT_WORDS, type ReportWords } from './report-words.ts';
import { chooseStart, GAIN_MM_PER_MV, layOutStrips, PULSE_AREA_MM, SPEED_MM_PER_S } from './strips.ts';

type Pdf = PDFKit.PDFDocument;

export interface ReportFonts {
  readonly regular: Uint8Array;
  readonly bold: Uint8Array;
}

/** Who stands behind the findings: nobody yet, the program alone by the sender's wish, or a person. */
export type Approval =
  | { readonly kind: 'preliminary' }
  | { readonly kind: 'automatic' }
  | { readonly kind: 'approved'; readonly by: string; readonly atMs: number };

export interface ReportInput {
  readonly recording: Recording;
  readonly result: AnalysisResult;
  readonly patient: PatientFacts;
  readonly timeZone?: string;
  readonly approval: Approval;
  /** Written into the document; decides nothing on the page, but makes the bytes reproducible. */
  readonly createdMs: number;
  readonly paper: Paper;
  /** English where a report of an older version is made again. */
  readonly language?: Language | undefined;
  readonly taskId?: number;
  readonly productVersion: string;
}

const INK = '#10222a';
const QUIET = '#465a63';
const ALARM = '#a3171f';
const HEADER_MM = 45;
const FOOTER_MM = 15;
const STATEMENTS = 6;
/** More than so many stand closer. */
const FEW_STATEMENTS = 4;
const WIDE = { size: 10, pitchMm: 4.7 };
const CLOSE = { size: 9, pitchMm: 3.7 };

interface Page {
  readonly pdf: Pdf;
  readonly words: ReportWords;
  readonly language: Language;
  readonly xMm: number;
  readonly yMm: number;
}

/**
 * Letters that the font lacks become question marks: an empty box or nothing at all could pass for the whole
 * name.
 */
function printable(pdf: Pdf, text: string): string {
  const { font } = (pdf as unknown as PdfInternals)._font;
  return [...text]
    .map((letter) => (font.hasGlyphForCodePoint(letter.codePointAt(0) as number) ? letter : '?'))
    .join('');
}

/** More than any line has room for. */
const MAX_LINE_CHARACTERS = 400;

function write(
  { pdf }: Page,
  text: string,
  xMm: number,
  yMm: number,
  style: { size: number; bold?: boolean; colour?: string; align?: 'left' | 'right'; widthMm?: number },
): void {
  const { size, bold = false, colour = INK, align = 'left', widthMm } = style;
  pdf
    .font(bold ? 'bold' : 'regular')
    .fontSize(size)
    .fillColor(colour);
  // One line each, shortened to its place: what is too long must not push anything else away.
  let shown = printable(pdf, text.slice(0, MAX_LINE_CHARACTERS));
  while (widthMm !== undefined && shown.length > 1 && pdf.widthOfString(shown) > pt(widthMm))
    shown = `${shown.slice(0, -2)}…`;
  const x =
    align === 'right' && widthMm !== undefined ? pt(xMm + widthMm) - pdf.widthOfString(shown) : pt(xMm);
  pdf.text(shown, x, pt(yMm), { lineBreak: false });
}

function drawApproval(page: Page, { approval, timeZone }: ReportInput): void {
  const { words, language, xMm, yMm } = page;
  const right = { align: 'right', widthMm: 90 } as const;
  if (approval.kind === 'preliminary')
    write(page, words.notApproved, xMm + 172, yMm + 5.6, { ...right, size: 22, bold: true, colour: ALARM });
  else if (approval.kind === 'automatic')
    write(page, words.automatic, xMm + 172, yMm + 6.5, { ...right, size: 9, bold: true, colour: ALARM });
  else {
    const when = startLine(new Date(approval.atMs).toISOString(), 0, timeZone, language);
    write(page, `${words.approvedBy} ${approval.by}, ${when}`, xMm + 142, yMm + 6.5, {
      size: 9,
      align: 'right',
      widthMm: 120,
    });
  }
}

function drawHeader(page: Page, input: ReportInput, startSeconds: number): void {
  const { result, patient } = input;
  const { pdf, words, language, xMm, yMm } = page;
  const isSimulated = input.recording.device?.isSimulated === true;
  const line = reportedPatient(patient, result, input.createdMs, language);
  const who = isSimulated ? `${words.simulated} · ${line}` : line;
  write(page, who, xMm, yMm, { size: 13, bold: true, widthMm: 172, ...(isSimulated && { colour: ALARM }) });
  write(
    page,
    startLine(result.recording.startTime, startSeconds, input.timeZone, language),
    xMm + 172,
    yMm + 0.7,
    {
      size: 10,
      align: 'right',
      widthMm: 90,
    },
  );
  pdf.font('bold');
  if (printable(pdf, line) !== line)
    write(page, words.unprintable, xMm, yMm + 5.4, { size: 7.5, colour: ALARM });
  drawApproval(page, input);

  const columnMm = 29;
  for (const [index, [label, value]] of measurementCells(result.measurements, language).entries()) {
    const x = xMm + (index % 3) * columnMm;
    const y = yMm + 9.5 + Math.floor(index / 3) * 10.5;
    write(page, label, x, y, { size: 7.5, colour: QUIET });
    write(page, value, x, y + 3.1, { size: 12, bold: true });
  }
  const listX = xMm + 3 * columnMm + 14;
  const severity =
    result.severity === undefined
      ? words.severityUnknown
      : `${words.severity}: ${words.severities[result.severity]}`;
  const isUrgent = result.severity === 'IMPORTANT' || result.severity === 'CRITICAL';
  const widthMm = 262 - 3 * columnMm - 16;
  write(page, severity, listX, yMm + 9.5, { size: 10, bold: true, colour: isUrgent ? ALARM : INK });
  const lines = statementLines(result, STATEMENTS, language);
  const { size, pitchMm } = lines.length > FEW_STATEMENTS ? CLOSE : WIDE;
  for (const [index, text] of lines.entries())
    write(page, `•  ${text}`, listX, yMm + 15 + index * pitchMm, { size, widthMm });
  drawNotAssessed(page, notAssessedLine(result, language), listX, yMm + 16 + lines.length * pitchMm, widthMm);
}

/** Over two lines where one does not hold it: what was not assessed is never shortened away. */
function drawNotAssessed(page: Page, text: string, xMm: number, yMm: number, widthMm: number): void {
  const { pdf } = page;
  pdf.font('regular').fontSize(8);
  const words = text.split(' ');
  let first = '';
  while (words.length > 0 && pdf.widthOfString(`${first} ${words[0]}`) <= pt(widthMm))
    first = `${first} ${words.shift()}`.trim();
  write(page, first, xMm, yMm, { size: 8, colour: QUIET, widthMm });
  if (words.length > 0) write(page, words.join(' '), xMm, yMm + 3.4, { size: 8, colour: QUIET, widthMm });
}

function drawControlLine({ pdf, xMm }: Page, yMm: number): void {
  pdf.moveTo(pt(xMm), pt(yMm)).lineTo(pt(xMm + 50), pt(yMm));
  for (let tick = 0; tick <= 50; tick += 10)
    pdf.moveTo(pt(xMm + tick), pt(yMm - 1)).lineTo(pt(xMm + tick), pt(yMm + 1));
  pdf.lineWidth(pt(0.2)).strokeColor(INK).stroke();
}

function drawFooter(
  page: Page,
  input: ReportInput,
  facts: { order: keyof ReportWords['orders']; leftOut: number; seconds: number },
): void {
  const { xMm, words, language } = page;
  const yMm = page.yMm + BOX.heightMm - FOOTER_MM + 2.2;
  const right = { colour: QUIET, align: 'right', widthMm: 130 } as const;
  const decimals = (value: number, digits: number): string =>
    value.toFixed(digits).replace('.', DECIMAL_SIGNS[language]);
  const { recording, result } = input;
  const rates = [
    ...new Set(ecgChannels(recording.channels).map((channel) => Math.round(rateHz(channel.rate)))),
  ];
  const lost =
    result.recording.gaps.reduce((sum, [start, end]) => sum + end - start, 0) /
    Math.max(1, result.recording.samples);
  write(page, `${SPEED_MM_PER_S} mm/s · ${GAIN_MM_PER_MV} mm/mV · ${words.unfiltered}`, xMm, yMm, {
    size: 8.5,
    bold: true,
  });
  const device = recording.deviceId ?? `${recording.format} (${words.file})`;
  const source = [
    device,
    `${rates.join('/')} Hz`,
    words.orders[facts.order],
    `${words.lost} ${decimals(100 * lost, 2)} %`,
  ].join(' · ');
  write(page, source, xMm + 132, yMm, { size: 8.5, align: 'right', widthMm: 130 });
  const cut = facts.leftOut > 0 ? ` · ${words.leadsNotShown(facts.leftOut)}` : '';
  const length = words.recorded(decimals(facts.seconds, 1), decimals(recording.durationSeconds, 1));
  write(page, `${length}${cut}`, xMm, yMm + 4, { size: 8, colour: QUIET });
  const task = input.taskId === undefined ? '' : `${words.task} ${input.taskId} · `;
  const made = `Isoline ${input.productVersion} · ${words.analysis} ${result.analysisVersion} · ${words.page} 1/1`;
  write(page, `${task}${made}`, xMm + 132, yMm + 4, { ...right, size: 8 });
  drawControlLine(page, yMm + 10.2);
  write(page, words.controlLine, xMm + 52, yMm + 8.8, { size: 8, colour: QUIET });
  const notes = [
    ...(recording.warnings.some(({ name }) => name === 'gains_contradict') ? [words.gainAssumed] : []),
    ...(recording.device?.class === 'monitoring' ? [words.monitoring] : []),
    ...(input.approval.kind === 'approved' ? [] : [words.suggestion]),
  ];
  write(page, notes.join(' '), xMm + 132, yMm + 8.8, { ...right, size: 8 });
}

/** Parts of pdfkit that have no public form. */
interface PdfInternals {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
  readonly _root: {
    readonly data: { readonly ViewerPreferences: { readonly data: Record<string, unknown> } };
  };
}

function newDocument(input: ReportInput, fonts: ReportFonts): Pdf {
  const { widthMm, heightMm } = PAPERS[input.paper];
  const created = new Date(input.createdMs);
  const pdf = new PDFDocument({
    size: [pt(widthMm), pt(heightMm)],
    margin: 0,
    // No names in the document's metadata: it travels further than the page (SEC34).
    info: {
      Title: REPORT_WORDS[input.language ?? 'en'].title,
      Producer: 'Isoline',
      Creator: 'Isoline',
      CreationDate: created,
      ModDate: created,
    },
    lang: input.language ?? 'en',
    displayTitle: true,
  });
  // Viewers must not scale: millimetres on paper are the point of it. pdfkit has no public way to say so.
  (pdf as unknown as PdfInternals)._root.data.ViewerPreferences.data.PrintScaling = 'None';
  pdf.registerFont('regular', Buffer.from(fonts.regular));
  pdf.registerFont('bold', Buffer.from(fonts.bold));
  return pdf;
}

function collect(pdf: Pdf): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const parts: Buffer[] = [];
  pdf.on('data', (part: Buffer) => parts.push(part));
  pdf.on('end', () => resolve(Buffer.concat(parts)));
  pdf.on('error', reject);
  pdf.end();
  return promise;
}

export function makeReport(given: ReportInput, fonts: ReportFonts): Promise<Uint8Array> {
  const input: ReportInput = { ...given, recording: withDerivedLeads(given.recording) };
  const { recording, result } = input;
  const pdf = newDocument(input, fonts);
  const { xMm, yMm } = boxOrigin(input.paper);
  const language = input.language ?? 'en';
  const page: Page = { pdf, xMm, yMm, language, words: REPORT_WORDS[language] };
  const startSeconds = chooseStart(
    recording,
    result.beats.map((beat) => beat.sample / result.recording.sampleRateHz),
  );
  const layout = layOutStrips(recording, startSeconds);
  const seconds = layout.rows.at(-1)?.cells.reduce((sum, cell) => sum + cell.seconds, 0) ?? 0;
  const heightMm = Math.min(
    5 * Math.floor((BOX.heightMm - HEADER_MM - FOOTER_MM) / 5),
    Math.max(60, 35 * layout.rows.length),
  );
  const area: Area = { xMm, yMm: yMm + HEADER_MM, widthMm: PULSE_AREA_MM + 250 + 2, heightMm };
  drawHeader(page, input, startSeconds);
  drawGrid(pdf, area);
  drawStrips(pdf, layout, area, recording.device?.isSimulated === true);
  drawFooter(page, input, { order: layout.order, leftOut: layout.leftOut, seconds });
  return collect(pdf);
}
