// A sheet of ECG paper, live and recorded alike: its grid in millimetres, names of leads that stay readable on it, and
// the word across a signal of nobody's.

import type { TraceColours } from './colours.ts';

/** In pixels of the display. */
export interface Sheet {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly pxPerMm: number;
}

/** Finer lines would run together. */
const LEAST_FINE_PX = 3;
const WIDE_LINES_FROM_PX = 6;
const SIMULATED_EVERY_MM = 60;
const SIMULATED_OPACITY = 0.12;

/** The n-th line stands at the rounded n-th millimetre: errors of rounding do not add up. */
export function drawGrid(
  context: CanvasRenderingContext2D,
  { widthPx, heightPx, pxPerMm }: Sheet,
  colours: TraceColours,
): void {
  context.fillStyle = colours.screen;
  context.fillRect(0, 0, widthPx, heightPx);
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

/** @param at left end of its line @param ratio pixels of the display in one of style sheets */
export function drawName(
  context: CanvasRenderingContext2D,
  name: string,
  { x, y }: { readonly x: number; readonly y: number },
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

export function drawSimulated(
  context: CanvasRenderingContext2D,
  { widthPx, heightPx, pxPerMm }: Sheet,
  word: string,
  colours: TraceColours,
): void {
  const step = SIMULATED_EVERY_MM * pxPerMm;
  context.save();
  context.globalAlpha = SIMULATED_OPACITY;
  context.fillStyle = colours.alarm;
  context.font = `700 ${Math.round(7 * pxPerMm)}px Inter, sans-serif`;
  for (let y = step / 2; y < heightPx + step / 2; y += step / 2)
    for (let x = 10; x < widthPx; x += step) {
      context.save();
      context.translate(x, y);
      context.rotate(-0.35);
      context.fillText(word, 0, 0);
      context.restore();
    }
  context.restore();
}
