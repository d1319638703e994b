// ECG paper with its rows: grid, calibration pulses, traces as vectors in true millimetres. The pulse goes through the same
// mapping as the signal. What leaves the paper is marked at its edge, with its value.

import type { Language } from '../../shared/language.ts';
import { DECIMAL_SIGNS } from '../../shared/language.ts';
import { HALF_GAIN_MM_PER_MV } from '../../shared/review/paper-gain.ts';
import { placeRows } from './ecg-rows.ts';
import { pt } from './paper-size.ts';
import { COLOURS, type ReportPdf } from './report-pdf.ts';
import { type Piece, PULSE_AREA_MM, type Row, SPEED_MM_PER_S } from './strips.ts';

/** In mm of the content. */
export interface Area {
  readonly xMm: number;
  readonly yMm: number;
  readonly widthMm: number;
  readonly heightMm: number;
}

export interface EcgWords {
  readonly language: Language;
  readonly notCalibrated: string;
  /** Absent for a real signal. */
  readonly simulated?: string | undefined;
}

const TRACE_MM = 0.3;
/** Around a trace that is drawn over another. */
const EDGE_MM = 1.1;

export function drawGrid(report: ReportPdf, { xMm, yMm, widthMm, heightMm }: Area): void {
  const { pdf } = report;
  for (const [stepMm, colour, lineMm] of [
    [1, COLOURS.fine, 0.1],
    [5, COLOURS.strong, 0.16],
  ] as const) {
    for (let x = 0; x <= widthMm + 1e-6; x += stepMm)
      pdf.moveTo(report.x(xMm + x), report.y(yMm)).lineTo(report.x(xMm + x), report.y(yMm + heightMm));
    for (let y = 0; y <= heightMm + 1e-6; y += stepMm)
      pdf.moveTo(report.x(xMm), report.y(yMm + y)).lineTo(report.x(xMm + widthMm), report.y(yMm + y));
    pdf.lineWidth(pt(lineMm)).lineCap('butt').strokeColor(colour).stroke();
  }
}

function ink(report: ReportPdf, lineMm: number, colour: string = COLOURS.trace): void {
  report.pdf.lineWidth(pt(lineMm)).lineJoin('round').lineCap('butt').strokeColor(colour);
}

/** 1 mV for 200 ms; where two gains stand in a row, half of it in each. */
export function drawPulse(
  report: ReportPdf,
  xMm: number,
  zeroMm: number,
  scale: {
    readonly speedMmPerS: number;
    readonly gainsMmPerMv: readonly number[];
    readonly areaMm: number;
  },
): void {
  const width = 0.2 * scale.speedMmPerS;
  const step = width / scale.gainsMmPerMv.length;
  const foot = (scale.areaMm - width) / 2;
  ink(report, TRACE_MM);
  const { pdf } = report;
  const to = (dx: number, up: number): void => {
    pdf.lineTo(report.x(xMm + dx), report.y(zeroMm - up));
  };
  pdf.lineJoin('miter').moveTo(report.x(xMm), report.y(zeroMm));
  to(foot, 0);
  for (const [i, heightMm] of scale.gainsMmPerMv.entries()) {
    to(foot + i * step, heightMm);
    to(foot + (i + 1) * step, heightMm);
  }
  to(foot + width, 0);
  to(scale.areaMm, 0);
  pdf.stroke();
}

/** A thousandth of a point is 0.4 µm. @returns a number as PDF writes it */
const pathNumber = (points: number): string => String(Math.round(points * 1000) / 1000);

/** Where a value is missing the line is interrupted, never bridged. @param yOf in mm; not finite where it is missing */
export function linePath(
  report: ReportPdf,
  count: number,
  xOf: (i: number) => number,
  yOf: (i: number) => number,
): void {
  let path = '';
  let isDrawing = false;
  for (let i = 0; i < count; i++) {
    const yMm = yOf(i);
    if (!Number.isFinite(yMm)) {
      isDrawing = false;
      continue;
    }
    path += `${pathNumber(report.x(xOf(i)))} ${pathNumber(report.y(yMm))} ${isDrawing ? 'l' : 'm'}\n`;
    isDrawing = true;
  }
  // At once: pdfkit makes an object of each operator, and a report has tens of thousands.
  report.pdf.addContent(path);
}

export function tracePath(report: ReportPdf, piece: Piece, xMm: number, zeroMm: number): void {
  const { heightsMm, stepMm } = piece;
  linePath(
    report,
    heightsMm.length,
    (i) => xMm + i * stepMm,
    (i) => zeroMm - (heightsMm[i] as number),
  );
}

const LABEL_X_MM = [1, 3.5, 6.5, 9.5];
const LABEL_MM = 3.4;
const LOWEST_LABEL_MM = 5;
const HIGHEST_LABEL_MM = 12;

/** The first place above a trace that its label has for itself. @returns from the piece's start, and above its zero line */
function labelPlace({ heightsMm, stepMm }: Piece, widthMm: number): { xMm: number; upMm: number } {
  for (const xMm of LABEL_X_MM) {
    const samples = heightsMm.subarray(
      Math.max(0, Math.floor((xMm - 0.5) / stepMm)),
      Math.ceil((xMm + widthMm + 0.5) / stepMm),
    );
    const highest = samples.reduce((most, value) => (value > most ? value : most), 0);
    const upMm = Math.max(LOWEST_LABEL_MM, highest + LABEL_MM + 0.6);
    if (upMm <= HIGHEST_LABEL_MM) return { xMm, upMm };
  }
  return { xMm: LABEL_X_MM[0] as number, upMm: HIGHEST_LABEL_MM };
}

const LABEL = { size: 9, weight: 'bold' } as const;

function drawLabel(
  report: ReportPdf,
  piece: Piece,
  xMm: number,
  zeroMm: number,
  top: number,
  words: EcgWords,
): void {
  const scale = [
    ...(piece.isCalibrated ? [] : [`(${words.notCalibrated})`]),
    ...(piece.isNamed && piece.gainMmPerMv === HALF_GAIN_MM_PER_MV ? ['½'] : []),
  ];
  const text = [piece.label, ...scale].join(' ');
  if (text === '') return;
  const width = report.widthMm(text, LABEL);
  const place = labelPlace(piece, width);
  const [x, y] = [xMm + place.xMm, Math.max(top + 0.4, zeroMm - place.upMm)];
  report.pdf
    .rect(report.x(x - 0.3), report.y(y - 0.2), pt(width + 0.6), pt(3.5))
    .fillOpacity(0.8)
    .fillColor('#ffffff')
    .fill()
    .fillOpacity(1);
  report.draw(text, x, y, { ...LABEL, colour: COLOURS.trace });
}

interface Leaving {
  /** The place of the sample that lies farthest out. */
  readonly index: number;
  readonly isAbove: boolean;
  readonly heightMm: number;
}

/** Each stretch of a trace that lies outside of the paper. */
function leavings({ heightsMm }: Piece, upMm: number, downMm: number): Leaving[] {
  const found: Leaving[] = [];
  let current: Leaving | undefined;
  for (const [index, heightMm] of heightsMm.entries()) {
    const isAbove = heightMm > upMm;
    if (!isAbove && !(heightMm < -downMm)) {
      if (current !== undefined) found.push(current);
      current = undefined;
      continue;
    }
    if (current === undefined || Math.abs(heightMm) > Math.abs(current.heightMm))
      current = { index, isAbove, heightMm };
  }
  return current === undefined ? found : [...found, current];
}

/** ▲ or ▼ at the paper's edge where a trace leaves it, and once a piece how far it goes. */
export function markLeavings(
  report: ReportPdf,
  piece: Piece,
  xMm: number,
  zeroMm: number,
  area: Area,
  language: Language,
): void {
  const all = leavings(piece, zeroMm - area.yMm, area.yMm + area.heightMm - zeroMm);
  const farthest = all.toSorted((a, b) => Math.abs(b.heightMm) - Math.abs(a.heightMm))[0];
  for (const leaving of all) {
    const x = xMm + leaving.index * piece.stepMm;
    const [edge, sign] = leaving.isAbove ? [area.yMm, 1] : [area.yMm + area.heightMm, -1];
    const at = (dx: number, dy: number): [number, number] => [report.x(x + dx), report.y(edge + sign * dy)];
    report.pdf.polygon(at(0, 0.3), at(1, 2), at(-1, 2)).fillColor(COLOURS.mark).fill();
    if (leaving !== farthest || !piece.isCalibrated) continue;
    const mv = (leaving.heightMm / piece.gainMmPerMv).toFixed(1).replace('.', DECIMAL_SIGNS[language]);
    report.draw(`${mv.replace('-', '−')} mV`, x + 1.4, leaving.isAbove ? edge + 0.4 : edge - 3, {
      size: 7,
      weight: 'semiBold',
      colour: COLOURS.mark,
    });
  }
}

/** On every row, so that no part of the page passes for a patient's. */
function drawSimulated(report: ReportPdf, word: string, { xMm, widthMm }: Area, zeroMm: number): void {
  const { pdf } = report;
  for (let x = xMm + 30; x < xMm + widthMm - 20; x += 60) {
    pdf.save().rotate(-12, { origin: [report.x(x), report.y(zeroMm)] });
    pdf.fillOpacity(0.3);
    report.draw(word, x, zeroMm - 8, { size: 15, weight: 'bold', colour: COLOURS.alarm });
    pdf.fillOpacity(1).restore();
  }
}

/** A tick a second at the paper's upper edge. */
function drawSeconds(report: ReportPdf, { xMm, yMm, widthMm }: Area): void {
  for (let x = PULSE_AREA_MM; x <= widthMm + 1e-6; x += SPEED_MM_PER_S)
    report.line([xMm + x, yMm], [xMm + x, yMm + 1.6], 0.3);
}

/** @param below is drawn under each row, on its zero line */
export function drawEcg(
  report: ReportPdf,
  rows: readonly Row[],
  area: Area,
  words: EcgWords,
  below: (row: number, zeroMm: number) => void = () => undefined,
): void {
  const { zeroMm, isCrowded } = placeRows(
    rows.map(({ reach }) => reach),
    area.heightMm,
  );
  const { pdf } = report;
  drawGrid(report, area);
  drawSeconds(report, area);
  pdf.save();
  pdf.rect(report.x(area.xMm), report.y(area.yMm), pt(area.widthMm), pt(area.heightMm)).clip();
  const each = (draw: (piece: Piece, xMm: number, zero: number, column: number) => void): void => {
    for (const [i, { pieces }] of rows.entries())
      for (const [column, piece] of pieces.entries())
        draw(piece, area.xMm + PULSE_AREA_MM + piece.xMm, area.yMm + (zeroMm[i] as number), column);
  };
  if (words.simulated !== undefined)
    for (const zero of zeroMm) drawSimulated(report, words.simulated, area, area.yMm + zero);
  // Labels first: whatever meets, the trace stays on top.
  each((piece, x, zero) => drawLabel(report, piece, x, zero, area.yMm, words));
  for (const [i, { pieces }] of rows.entries())
    drawPulse(report, area.xMm, area.yMm + (zeroMm[i] as number), {
      speedMmPerS: SPEED_MM_PER_S,
      gainsMmPerMv: [...new Set(pieces.map(({ gainMmPerMv }) => gainMmPerMv))],
      areaMm: PULSE_AREA_MM,
    });
  each((piece, x, zero, column) => {
    if (column > 0) report.line([x, zero - 3], [x, zero + 3], 0.25);
    if (isCrowded) {
      tracePath(report, piece, x, zero);
      ink(report, EDGE_MM, '#ffffff');
      pdf.strokeOpacity(0.8).stroke().strokeOpacity(1);
    }
    tracePath(report, piece, x, zero);
    ink(report, TRACE_MM);
    pdf.stroke();
  });
  for (const [i, zero] of zeroMm.entries()) below(i, area.yMm + zero);
  pdf.restore();
  each((piece, x, zero) => markLeavings(report, piece, x, zero, area, words.language));
}

/** A single row on paper of its own. @param zeroMm from the paper's upper edge */
export function drawRowOn(
  report: ReportPdf,
  piece: Piece,
  zeroMm: number,
  area: Area,
  language: Language,
): void {
  const { pdf } = report;
  const [x, zero] = [area.xMm + PULSE_AREA_MM, area.yMm + zeroMm];
  drawGrid(report, area);
  pdf.save();
  pdf.rect(report.x(area.xMm), report.y(area.yMm), pt(area.widthMm), pt(area.heightMm)).clip();
  drawPulse(report, area.xMm, zero, {
    speedMmPerS: SPEED_MM_PER_S,
    gainsMmPerMv: [piece.gainMmPerMv],
    areaMm: PULSE_AREA_MM,
  });
  tracePath(report, piece, x, zero);
  ink(report, TRACE_MM);
  pdf.stroke().restore();
  markLeavings(report, piece, x, zero, area, language);
}
