// Grid, calibration pulses and traces as vectors in true millimetres. The pulse goes through the same mapping
// as the signal.

import { rateHz, readMillivolts } from '../../shared/signal/recording.ts';
import { median, quantile } from '../../shared/signal/statistics.ts';
import { pt } from './millimetres.ts';
import { type Cell, GAIN_MM_PER_MV, PULSE_AREA_MM, SPEED_MM_PER_S, type StripLayout } from './strips.ts';

type Pdf = PDFKit.PDFDocument;

const FINE = '#f7d5cd';
const STRONG = '#e5a99d';
const INK = '#0d1417';
const TRACE_MM = 0.28;

export interface Area {
  readonly xMm: number;
  readonly yMm: number;
  readonly widthMm: number;
  readonly heightMm: number;
}

export function drawGrid(pdf: Pdf, area: Area): void {
  for (const [stepMm, colour, widthMm] of [
    [1, FINE, 0.08],
    [5, STRONG, 0.14],
  ] as const) {
    for (let x = 0; x <= area.widthMm + 1e-6; x += stepMm)
      pdf.moveTo(pt(area.xMm + x), pt(area.yMm)).lineTo(pt(area.xMm + x), pt(area.yMm + area.heightMm));
    for (let y = 0; y <= area.heightMm + 1e-6; y += stepMm)
      pdf.moveTo(pt(area.xMm), pt(area.yMm + y)).lineTo(pt(area.xMm + area.widthMm), pt(area.yMm + y));
    pdf.lineWidth(pt(widthMm)).strokeColor(colour).stroke();
  }
}

function startTrace(pdf: Pdf): void {
  pdf.lineWidth(pt(TRACE_MM)).lineJoin('round').lineCap('butt').strokeColor(INK);
}

/** 1 mV for 200 ms, 2 mm of base line before and after what is left of the pulse area. */
function drawPulse(pdf: Pdf, xMm: number, baseMm: number): void {
  const widthMm = 0.2 * SPEED_MM_PER_S;
  const heightMm = 1 * GAIN_MM_PER_MV;
  const margin = (PULSE_AREA_MM - widthMm) / 2;
  startTrace(pdf);
  pdf
    .lineJoin('miter')
    .moveTo(pt(xMm), pt(baseMm))
    .lineTo(pt(xMm + margin), pt(baseMm))
    .lineTo(pt(xMm + margin), pt(baseMm - heightMm))
    .lineTo(pt(xMm + margin + widthMm), pt(baseMm - heightMm))
    .lineTo(pt(xMm + margin + widthMm), pt(baseMm))
    .lineTo(pt(xMm + PULSE_AREA_MM), pt(baseMm))
    .stroke();
}

/**
 * Draws one cell; where samples are missing the line is interrupted, never bridged. The base line is the
 * median of the piece.
 */
function drawTrace(pdf: Pdf, cell: Cell, xMm: number, baseMm: number, area: Area): void {
  const fs = rateHz(cell.channel.rate);
  const first = Math.round(cell.startSeconds * fs);
  const mv = readMillivolts(cell.channel, first, Math.round(cell.seconds * fs));
  const valid = mv.filter(Number.isFinite);
  const offset = median(valid) ?? 0;
  // Without a scale only the shape can be shown: most of it within one millivolt's height, and the label says
  // so.
  const span = (quantile(valid, 0.995) ?? 0) - (quantile(valid, 0.005) ?? 0);
  const gain = cell.channel.isCalibrated || span === 0 ? GAIN_MM_PER_MV : GAIN_MM_PER_MV / span;
  const top = area.yMm;
  const bottom = area.yMm + area.heightMm;
  let isDrawing = false;
  for (let i = 0; i < mv.length; i++) {
    const value = mv[i] as number;
    if (!Number.isFinite(value)) {
      isDrawing = false;
      continue;
    }
    const x = pt(xMm + (i / fs) * SPEED_MM_PER_S);
    const y = pt(Math.min(bottom, Math.max(top, baseMm - (value - offset) * gain)));
    if (isDrawing) pdf.lineTo(x, y);
    else pdf.moveTo(x, y);
    isDrawing = true;
  }
  startTrace(pdf);
  pdf.stroke();
}

/** A short upright line between two leads of a row. */
function drawBoundary(pdf: Pdf, xMm: number, baseMm: number): void {
  startTrace(pdf);
  pdf
    .moveTo(pt(xMm), pt(baseMm - 3))
    .lineTo(pt(xMm), pt(baseMm + 3))
    .stroke();
}

function drawLabel(pdf: Pdf, cell: Cell, xMm: number, baseMm: number): void {
  const text = cell.channel.isCalibrated ? cell.label : `${cell.label} (not calibrated)`;
  pdf.font('bold').fontSize(9);
  const width = pdf.widthOfString(text);
  pdf
    .rect(pt(xMm + 0.8), pt(baseMm - 12.6), width + pt(1), pt(3.6))
    .fillColor('#ffffff', 0.75)
    .fill();
  pdf.fillColor(INK, 1).text(text, pt(xMm + 1.3), pt(baseMm - 12.3), { lineBreak: false });
}

const ALARM = '#a3171f';

/** On every strip, so that no part of the page passes for a patient's. */
function drawSimulated(pdf: Pdf, xMm: number, baseMm: number): void {
  pdf.font('bold').fontSize(15).fillColor(ALARM, 0.3);
  for (let x = xMm + 30; x < xMm + 240; x += 60) {
    pdf.save().rotate(-12, { origin: [pt(x), pt(baseMm)] });
    pdf.text('SIMULATED', pt(x), pt(baseMm - 8), { lineBreak: false });
    pdf.restore();
  }
  pdf.fillColor(INK, 1);
}

export function drawStrips(pdf: Pdf, layout: StripLayout, area: Area, isSimulated: boolean): void {
  const pitch = area.heightMm / layout.rows.length;
  // Base lines lie on strong grid lines, so that the feet of the pulses do too.
  const bases = layout.rows.map((_, index) => area.yMm + 5 * Math.round(((index + 0.58) * pitch) / 5));
  // Labels first: whatever meets, the trace stays on top.
  for (const [index, row] of layout.rows.entries()) {
    let x = area.xMm + PULSE_AREA_MM;
    if (isSimulated) drawSimulated(pdf, area.xMm, bases[index] as number);
    for (const cell of row.cells) {
      drawLabel(pdf, cell, x, bases[index] as number);
      x += cell.seconds * SPEED_MM_PER_S;
    }
  }
  for (const [index, row] of layout.rows.entries()) {
    const base = bases[index] as number;
    drawPulse(pdf, area.xMm, base);
    let x = area.xMm + PULSE_AREA_MM;
    for (const [column, cell] of row.cells.entries()) {
      if (column > 0) drawBoundary(pdf, x, base);
      drawTrace(pdf, cell, x, base, area);
      x += cell.seconds * SPEED_MM_PER_S;
    }
  }
}
