// A recorded page on ECG paper: grid, pulses, traces. Where samples are missing, the line is
// interrupted.

import { median } from '../../shared/signal/statistics.ts';
import type { TraceColours } from './colours.ts';
import { drawPace } from './pace-mark.ts';
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
  /** Samples of the page at which a pacemaker spikes. */
  readonly spikes: readonly number[];
  /** Absent for a real signal. */
  readonly simulated: string | undefined;
}

/** Where the processor draws, a wider line takes five times as long. */
const TRACE_PX = 1;

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

/** Enough to find the line that a trace keeps coming back to. */
const LEVEL_SAMPLES = 500;

/** The median; of evenly spread samples where there are many: it is asked for with every frame. */
export function levelOf(mv: Float32Array): number {
  const step = Math.max(1, Math.floor(mv.length / LEVEL_SAMPLES));
  const known: number[] = [];
  for (let i = 0; i < mv.length; i += step) if (Number.isFinite(mv[i])) known.push(mv[i] as number);
  return median(known) ?? 0;
}

/** What of a lead stands in a cell. */
export function samplesOf({ mv }: ReviewLead, cell: ReviewCell, sampleRateHz: number): Float32Array {
  const from = Math.round(cell.fromSeconds * sampleRateHz);
  return mv.subarray(from, from + Math.round(cell.seconds * sampleRateHz));
}

/** How far a trace goes from its level. */
const reachOf = (mv: Float32Array, level: number): number =>
  mv.reduce((most, value) => (Math.abs(value - level) > most ? Math.abs(value - level) : most), 0);

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
  const mv = samplesOf(lead, cell, sampleRateHz);
  const level = levelOf(mv);
  // Without a scale only the shape can be shown: within one millivolt's height.
  const span = lead.isCalibrated ? 0 : reachOf(mv, level);
  const gain = (span === 0 ? gainMmPerMv : gainMmPerMv / span) * pxPerMm;
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

function drawSpikes(
  context: CanvasRenderingContext2D,
  { left, baselineY, fromSeconds, seconds }: ReviewCell,
  { spikes, sampleRateHz, speedMmPerS, pxPerMm }: ReviewPicture,
  colours: TraceColours,
): void {
  for (const spike of spikes) {
    const behind = spike / sampleRateHz - fromSeconds;
    if (behind < 0 || behind >= seconds) continue;
    drawPace(context, { x: left + behind * speedMmPerS * pxPerMm, baselineY }, pxPerMm, colours.pace);
  }
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

/** All that stands still while pages are turned: grid, pulses, names; the traces go over it, so that nothing hides them. */
function drawStill(context: CanvasRenderingContext2D, picture: ReviewPicture, colours: TraceColours): void {
  const { cells, leads, ratio, simulated } = picture;
  drawGrid(context, picture, colours);
  if (simulated !== undefined) drawSimulated(context, picture, simulated, colours);
  context.strokeStyle = colours.trace;
  context.lineWidth = TRACE_PX * ratio;
  for (const cell of cells)
    if (cell.isFirst) drawPulse(context, cell, picture);
    else drawBoundary(context, cell, ratio);
  for (const { left: x, top, isFirst, isInverted, lead } of cells)
    drawName(
      context,
      `${isInverted ? '−' : ''}${leads[lead]?.name ?? ''}`,
      { x: x + (isFirst ? 2 : 6) * ratio, y: top + 16 * ratio },
      colours,
      ratio,
    );
}

interface StillPicture {
  readonly cells: readonly ReviewCell[];
  readonly key: string;
  readonly canvas: HTMLCanvasElement;
}

const stillPictures = new WeakMap<HTMLCanvasElement, StillPicture>();

/** Repainting the grid takes longer than drawing every trace, so it is kept until something in it changes. */
function stillOf(
  { canvas: shown }: CanvasRenderingContext2D,
  picture: ReviewPicture,
  colours: TraceColours,
): HTMLCanvasElement {
  const { widthPx, heightPx, pxPerMm, ratio, speedMmPerS, gainMmPerMv, cells, leads, simulated } = picture;
  const names = leads.map(({ name }) => name);
  const key = JSON.stringify([
    widthPx,
    heightPx,
    pxPerMm,
    ratio,
    speedMmPerS,
    gainMmPerMv,
    simulated,
    names,
    colours,
  ]);
  const known = stillPictures.get(shown);
  if (known?.cells === cells && known.key === key) return known.canvas;
  const canvas = known?.canvas ?? shown.ownerDocument.createElement('canvas');
  [canvas.width, canvas.height] = [widthPx, heightPx];
  const context = canvas.getContext('2d', { alpha: false });
  if (context !== null) drawStill(context, picture, colours);
  stillPictures.set(shown, { cells, key, canvas });
  return canvas;
}

export function drawReview(
  context: CanvasRenderingContext2D,
  picture: ReviewPicture,
  colours: TraceColours,
): void {
  const { cells, ratio } = picture;
  context.drawImage(stillOf(context, picture, colours), 0, 0);
  const left = cells[0]?.left ?? 0;
  // Columns of leads show one time each: a mark over all of them would lie about most.
  if (cells.every(({ isFirst }) => isFirst)) drawMarked(context, picture, left, colours);
  context.strokeStyle = colours.trace;
  context.lineWidth = TRACE_PX * ratio;
  context.lineJoin = 'bevel';
  for (const cell of cells) drawTrace(context, cell, picture);
  for (const cell of cells) drawSpikes(context, cell, picture, colours);
}
