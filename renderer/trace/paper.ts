// What stands still under the traces: the grid in millimetres, a calibration pulse and a name for every lead,
// the word that says that nobody is connected (screens, 2.1).

import type { TraceColours } from './colours.ts';
import { type EcgLayout, pulseWidthMm, type TraceStrip } from './ecg-layout.ts';

/** Finer lines would run together. */
const LEAST_FINE_PX = 3;
const WIDE_LINES_FROM_PX = 6;
const SIMULATED_EVERY_MM = 60;
const SIMULATED_OPACITY = 0.12;
const PULSE_LINE_MM = 2;

export interface PaperWords {
  /** Names of the leads that are shown. */
  readonly leads: readonly string[];
  /** How long a gap is. */
  missing(seconds: number, isMore: boolean): string;
  /** Absent for a real signal. */
  readonly simulated: string | undefined;
}

/** The n-th line stands at the rounded n-th millimetre: errors of rounding do not add up. */
function drawGrid(
  context: CanvasRenderingContext2D,
  { widthPx, scale: { pxPerMm } }: EcgLayout,
  heightPx: number,
  colours: TraceColours,
): void {
  for (const [stepMm, colour] of [
    [1, colours.fine],
    [5, colours.strong],
  ] as const) {
    if (stepMm === 1 && pxPerMm < LEAST_FINE_PX) continue;
    const line = stepMm === 5 && pxPerMm > WIDE_LINES_FROM_PX ? 2 : 1;
    context.fillStyle = colour;
    for (let n = 0; n * stepMm * pxPerMm < widthPx; n++)
      context.fillRect(Math.round(n * stepMm * pxPerMm), 0, line, heightPx);
    for (let n = 0; n * stepMm * pxPerMm < heightPx; n++)
      context.fillRect(0, Math.round(n * stepMm * pxPerMm), widthPx, line);
  }
}

/** 1 mV for 200 ms, by the mapping of the signal. */
function drawPulse(
  context: CanvasRenderingContext2D,
  strip: TraceStrip,
  baselineY: number,
  { scale }: EcgLayout,
): void {
  const { pxPerMm, speedMmPerS, gainMmPerMv } = scale;
  const width = pulseWidthMm(speedMmPerS) * pxPerMm;
  const foot = PULSE_LINE_MM * pxPerMm;
  const left = strip.left - width - 2 * foot;
  const top = baselineY - gainMmPerMv * pxPerMm;
  context.beginPath();
  context.moveTo(left, baselineY);
  context.lineTo(left + foot, baselineY);
  context.lineTo(left + foot, top);
  context.lineTo(left + foot + width, top);
  context.lineTo(left + foot + width, baselineY);
  context.lineTo(left + 2 * foot + width, baselineY);
  context.stroke();
}

function drawName(
  context: CanvasRenderingContext2D,
  name: string,
  x: number,
  y: number,
  colours: TraceColours,
  ratio: number,
): void {
  context.font = `600 ${Math.round(14 * ratio)}px Inter, sans-serif`;
  context.lineWidth = 4 * ratio;
  context.lineJoin = 'round';
  context.strokeStyle = colours.screen;
  context.strokeText(name, x, y);
  context.fillStyle = colours.words;
  context.fillText(name, x, y);
}

function drawSimulated(
  context: CanvasRenderingContext2D,
  layout: EcgLayout,
  heightPx: number,
  word: string,
  colours: TraceColours,
): void {
  const step = SIMULATED_EVERY_MM * layout.scale.pxPerMm;
  context.save();
  context.globalAlpha = SIMULATED_OPACITY;
  context.fillStyle = colours.alarm;
  context.font = `700 ${Math.round(7 * layout.scale.pxPerMm)}px Inter, sans-serif`;
  for (let y = step / 2; y < heightPx + step / 2; y += step / 2)
    for (let x = 10; x < layout.widthPx; x += step) {
      context.save();
      context.translate(x, y);
      context.rotate(-0.35);
      context.fillText(word, 0, 0);
      context.restore();
    }
  context.restore();
}

/**
 * @param heightPx of the whole field, with the line of words at the bottom
 * @param ratio pixels of the display in one of style sheets
 */
export function drawPaper(
  context: CanvasRenderingContext2D,
  layout: EcgLayout,
  heightPx: number,
  words: PaperWords,
  colours: TraceColours,
  ratio: number,
): void {
  context.fillStyle = colours.screen;
  context.fillRect(0, 0, layout.widthPx, heightPx);
  drawGrid(context, layout, heightPx, colours);
  if (words.simulated !== undefined) drawSimulated(context, layout, heightPx, words.simulated, colours);
  for (const strip of layout.strips)
    for (const { lead, top, baselineY } of strip.cells) {
      context.strokeStyle = colours.strongLine;
      context.lineWidth = ratio;
      drawPulse(context, strip, baselineY, layout);
      const { pxPerMm, speedMmPerS } = layout.scale;
      const x = strip.left - (pulseWidthMm(speedMmPerS) + 2 * PULSE_LINE_MM) * pxPerMm;
      drawName(context, words.leads[lead] ?? '', x, Math.max(top + 15 * ratio, 15 * ratio), colours, ratio);
    }
}
