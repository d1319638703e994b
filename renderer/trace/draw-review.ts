// A recorded page on ECG paper: grid, pulses, traces. Where samples are missing, the line is
// interrupted.

import { median } from '../../shared/signal/statistics.ts';
import type { TraceColours } from './colours.ts';
import { MARKS_PX, type ReviewCell } from './review-layout.ts';
import { drawGrid, drawName, drawSimulated, type Sheet } from './sheet.ts';

export interface ReviewLead {
  readonly name: string;
  readonly isCalibrated: boolean;
  /** Millivolts; NaN where the sample is missing. */
  readonly mv: Float32Array;
}

export interface ReviewPicture extends Sheet {
  /** Pixels of the display in one of style sheets. */
  readonly ratio: number;
  readonly speedMmPerS: number;
  readonly gainMmPerMv: number;
  readonly sampleRateHz: number;
  readonly cells: readonly ReviewCell[];
  readonly leads: readonly ReviewLead[];
  /** Samples of the page that a finding rests on. */
  readonly marked: readonly (readonly [start: number, end: number])[];
  /** Absent for a real signal. */
  readonly simulated: string | undefined;
}

/** 1 mV for 200 ms, by the mapping of the signal. */
function drawPulse(
  context: CanvasRenderingContext2D,
  { baselineY, left }: ReviewCell,
  picture: ReviewPicture,
): void {
  const { pxPerMm, speedMmPerS, gainMmPerMv } = picture;
  const width = 0.2 * speedMmPerS * pxPerMm;
  const foot = Math.max(pxPerMm / 2, (left - width) / 2);
  const top = baselineY - gainMmPerMv * pxPerMm;
  context.beginPath();
  context.moveTo(0, baselineY);
  context.lineTo(foot, baselineY);
  context.lineTo(foot, top);
  context.lineTo(foot + width, top);
  context.lineTo(foot + width, baselineY);
  context.lineTo(left, baselineY);
  context.stroke();
}

/** With more samples than columns, a column shows its least and its greatest. */
function traceColumns(
  context: CanvasRenderingContext2D,
  mv: Float32Array,
  pxPerSample: number,
  x0: number,
  yOf: (mv: number) => number,
): void {
  const step = Math.max(1, 1 / pxPerSample);
  let isDown = false;
  for (let at = 0; at < mv.length; at += step) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = Math.floor(at); i < Math.min(mv.length, Math.floor(at + step)); i++) {
      const value = mv[i] as number;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (low > high) {
      isDown = false;
      continue;
    }
    const x = x0 + at * pxPerSample;
    if (isDown) context.lineTo(x, yOf(high));
    else context.moveTo(x, yOf(high));
    if (low < high) context.lineTo(x, yOf(low));
    isDown = true;
  }
}

function drawTrace(context: CanvasRenderingContext2D, cell: ReviewCell, picture: ReviewPicture): void {
  const { sampleRateHz, pxPerMm, speedMmPerS, gainMmPerMv, ratio } = picture;
  const lead = picture.leads[cell.lead];
  if (lead === undefined) return;
  const from = Math.round(cell.fromSeconds * sampleRateHz);
  const mv = lead.mv.subarray(from, from + Math.round(cell.seconds * sampleRateHz));
  const known = Array.from(mv).filter(Number.isFinite);
  const level = median(known) ?? 0;
  // Without a scale only the shape can be shown: within one millivolt's height.
  const span = Math.max(...known.map((value) => Math.abs(value - level)), 0);
  const gain = (lead.isCalibrated || span === 0 ? gainMmPerMv : gainMmPerMv / span) * pxPerMm;
  const upPx = cell.isInverted ? -gain : gain;
  const pxPerSample = (speedMmPerS * pxPerMm) / sampleRateHz;
  context.save();
  context.beginPath();
  context.rect(cell.left, 0, cell.seconds * speedMmPerS * pxPerMm, picture.heightPx - MARKS_PX * ratio);
  context.clip();
  context.beginPath();
  traceColumns(context, mv, pxPerSample, cell.left, (value) => cell.baselineY - (value - level) * upPx);
  context.stroke();
  context.restore();
}

/** A short upright line where one lead ends and the next begins. */
function drawBoundary(
  context: CanvasRenderingContext2D,
  { left, baselineY }: ReviewCell,
  ratio: number,
): void {
  context.beginPath();
  context.moveTo(left, baselineY - 8 * ratio);
  context.lineTo(left, baselineY + 8 * ratio);
  context.stroke();
}

function drawMarked(
  context: CanvasRenderingContext2D,
  picture: ReviewPicture,
  left: number,
  colours: TraceColours,
): void {
  const pxPerSample = (picture.speedMmPerS * picture.pxPerMm) / picture.sampleRateHz;
  context.save();
  context.globalAlpha = 0.1;
  context.fillStyle = colours.pace;
  for (const [start, end] of picture.marked)
    context.fillRect(
      left + start * pxPerSample,
      0,
      Math.max(2, (end - start) * pxPerSample),
      picture.heightPx,
    );
  context.restore();
}

export function drawReview(
  context: CanvasRenderingContext2D,
  picture: ReviewPicture,
  colours: TraceColours,
): void {
  const { cells, leads, ratio, simulated } = picture;
  drawGrid(context, picture, colours);
  if (simulated !== undefined) drawSimulated(context, picture, simulated, colours);
  const left = cells[0]?.left ?? 0;
  // Columns of leads show one time each: a mark over all of them would lie about most.
  if (cells.every(({ isFirst }) => isFirst)) drawMarked(context, picture, left, colours);
  context.strokeStyle = colours.trace;
  context.lineWidth = 1.2 * ratio;
  context.lineJoin = 'round';
  for (const cell of cells) {
    if (cell.isFirst) drawPulse(context, cell, picture);
    drawTrace(context, cell, picture);
  }
  for (const cell of cells) if (!cell.isFirst) drawBoundary(context, cell, ratio);
  for (const { left: x, top, isFirst, isInverted, lead } of cells)
    drawName(
      context,
      `${isInverted ? '−' : ''}${leads[lead]?.name ?? ''}`,
      { x: x + (isFirst ? 2 : 6) * ratio, y: top + 16 * ratio },
      colours,
      ratio,
    );
}
