// What stands still under the traces: the grid in millimetres, a calibration pulse and a name for every lead,
// the word that says that nobody is connected (screens, 2.1).

import type { TraceColours } from './colours.ts';
import { type EcgLayout, pulseWidthMm, type TraceStrip } from './ecg-layout.ts';
import { drawGrid, drawName, drawSimulated } from './sheet.ts';

const PULSE_LINE_MM = 2;

export interface PaperWords {
  /** Names of the leads that are shown. */
  readonly leads: readonly string[];
  /** How long a gap is. */
  missing(seconds: number, isMore: boolean): string;
  /** Absent for a real signal. */
  readonly simulated: string | undefined;
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
  const sheet = { widthPx: layout.widthPx, heightPx, pxPerMm: layout.scale.pxPerMm };
  drawGrid(context, sheet, colours);
  if (words.simulated !== undefined) drawSimulated(context, sheet, words.simulated, colours);
  for (const strip of layout.strips)
    for (const { lead, top, baselineY } of strip.cells) {
      context.strokeStyle = colours.strongLine;
      context.lineWidth = ratio;
      drawPulse(context, strip, baselineY, layout);
      const { pxPerMm, speedMmPerS } = layout.scale;
      const x = strip.left - (pulseWidthMm(speedMmPerS) + 2 * PULSE_LINE_MM) * pxPerMm;
      drawName(
        context,
        words.leads[lead] ?? '',
        { x, y: Math.max(top + 15 * ratio, 15 * ratio) },
        colours,
        ratio,
      );
    }
}
