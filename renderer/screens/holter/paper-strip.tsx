// Some seconds of a lead, or of two, on ECG paper, with the classes of the beats below it and what is meant tinted.

import { useComputedColorScheme } from '@mantine/core';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { numberText } from '../../parts/format-number.ts';
import { traceColours } from '../../trace/colours.ts';
import { traceColumns } from '../../trace/trace-columns.ts';
import { useCanvas } from '../review/use-canvas.ts';
import { useHolter } from './holter.ts';
import classes from './parts.module.css';
import { type Columns, useRows } from './use-rows.ts';

const MM_PER_S = 25;
const GAINS_MM_PER_MV = [10, 5, 2.5, 1] as const;
const LEAST_GAIN_MM_PER_MV = 0.5;
const LANE_MARGIN_MM = 1;
const LETTERS_PX = 18;

export interface PaperStripProps {
  readonly startSample: number;
  readonly sampleCount: number;
  readonly leads: readonly string[];
  readonly heightPx: number;
  /** What is read aloud. */
  readonly label: string;
  /** Tinted stretches, in samples of the recording. */
  readonly tinted?: readonly (readonly [start: number, end: number])[];
  /** What is tinted: a beat where left out. */
  readonly tint?: 'beat' | 'rhythm';
  /** A measured stretch, with its words. */
  readonly measured?: { readonly start: number; readonly end: number; readonly words: string } | undefined;
  /** Only V and S, or all classes; none where left out. */
  readonly letters?: 'all' | 'ectopic';
}

interface Drawing {
  readonly context: CanvasRenderingContext2D;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly ratio: number;
  readonly pxPerMm: number;
}

function drawGrid(
  { context, widthPx, heightPx, pxPerMm, ratio }: Drawing,
  fine: string,
  strong: string,
): void {
  for (const [step, colour] of [
    [1, fine],
    [5, strong],
  ] as const) {
    // Finer than two pixels it is a grey haze.
    if (step * pxPerMm < 2 * ratio) continue;
    context.fillStyle = colour;
    for (let x = 0; x * pxPerMm < widthPx; x += step)
      context.fillRect(Math.round(x * pxPerMm), 0, ratio, heightPx);
    for (let y = 0; y * pxPerMm < heightPx; y += step)
      context.fillRect(0, Math.round(y * pxPerMm), widthPx, ratio);
  }
}

/** How far a line goes up and down from its level. */
interface Extent {
  readonly level: number;
  readonly up: number;
  readonly down: number;
}

function extentOf(columns: Columns): Extent {
  const known = columns.filter(Number.isFinite);
  const level = median(known) ?? 0;
  let [up, down] = [0, 0];
  for (const mv of known) [up, down] = [Math.max(up, mv - level), Math.max(down, level - mv)];
  return { level, up, down };
}

/** Leads without a known scale are as high as they fit. */
const fittingGain = (extents: readonly Extent[], laneMm: number): number =>
  (laneMm - LANE_MARGIN_MM) / Math.max(Number.MIN_VALUE, ...extents.map(({ up, down }) => up + down));

/** The largest usual gain at which all lines have room, each in its lane. */
function gainOf(extents: readonly Extent[], laneMm: number): number {
  const most = Math.max(0.1, ...extents.map(({ up, down }) => up + down));
  return GAINS_MM_PER_MV.find((gain) => gain * most <= laneMm - LANE_MARGIN_MM) ?? LEAST_GAIN_MM_PER_MV;
}

export function PaperStrip(props: PaperStripProps): ReactNode {
  const { startSample, sampleCount, leads, heightPx, label, tinted, tint, measured, letters } = props;
  const { t } = useTranslation();
  const { reading } = useHolter();
  const { ref, box } = useCanvas();
  const colorScheme = useComputedColorScheme('light');
  const spans = useMemo(() => [{ startSample, sampleCount }], [startSample, sampleCount]);
  const columns = box?.widthPx ?? 0;
  const one = useRows(reading.day, leads[0], spans, columns);
  const two = useRows(reading.day, leads[1], spans, columns);
  const { sampleRateHz } = reading.day;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the theme are read from the page
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (canvas === null || context === null || context === undefined || box === undefined) return;
    const colours = traceColours(canvas);
    const style = getComputedStyle(canvas);
    const accent = style.getPropertyValue('--accent').trim();
    const { widthPx, ratio } = box;
    const paperPx = box.heightPx - (letters === undefined ? 0 : LETTERS_PX * ratio);
    const pxPerMm = widthPx / ((sampleCount / sampleRateHz) * MM_PER_S);
    const drawing: Drawing = { context, widthPx, heightPx: paperPx, ratio, pxPerMm };
    const xOf = (sample: number): number => ((sample - startSample) / sampleCount) * widthPx;
    context.clearRect(0, 0, widthPx, box.heightPx);
    drawGrid(drawing, colours.fine, colours.strong);
    context.fillStyle = style
      .getPropertyValue(tint === 'rhythm' ? '--severity-important-bg' : '--accent')
      .trim();
    context.globalAlpha = tint === 'rhythm' ? 0.25 : 0.12;
    for (const [start, end] of tinted ?? [])
      context.fillRect(xOf(start), 0, Math.max(2 * ratio, xOf(end) - xOf(start)), paperPx);
    context.globalAlpha = 1;
    const shown = [one[0], two[0]].slice(0, leads.length);
    const extents = shown.map((row) => (row === undefined ? undefined : extentOf(row)));
    const lanePx = paperPx / shown.length;
    const known = extents.filter((extent) => extent !== undefined);
    const isScaled = !leads.some((lead) => reading.day.uncalibrated.has(lead));
    const gain = isScaled ? gainOf(known, lanePx / pxPerMm) : fittingGain(known, lanePx / pxPerMm);
    context.strokeStyle = colours.trace;
    context.fillStyle = colours.words;
    context.font = `600 ${Math.round(11 * ratio)}px Inter, sans-serif`;
    for (const [i, row] of shown.entries()) {
      const extent = extents[i];
      if (row !== undefined && extent !== undefined) {
        const spare = lanePx - (extent.up + extent.down) * gain * pxPerMm;
        const zeroPx = i * lanePx + spare / 2 + extent.up * gain * pxPerMm;
        context.lineWidth = 1.1 * ratio;
        traceColumns(context, row, {
          leftPx: 0,
          widthPx,
          yOf: (mv) => zeroPx - (mv - extent.level) * gain * pxPerMm,
        });
      }
      context.fillText(leadName(leads[i] as string), 5 * ratio, (i * paperPx) / shown.length + 13 * ratio);
    }
    if (extents.some((extent) => extent !== undefined)) {
      context.textAlign = 'right';
      context.font = `400 ${Math.round(10.5 * ratio)}px Inter, sans-serif`;
      const scale = isScaled
        ? `${numberText(gain)} mm/mV`
        : t('review.uncalibrated', { lead: leads.map(leadName).join(', ') });
      // A trace below it would make it unreadable.
      context.fillStyle = style.getPropertyValue('--screen').trim();
      const scalePx = context.measureText(scale).width + 6 * ratio;
      context.fillRect(widthPx - scalePx - ratio, paperPx - 15 * ratio, scalePx, 14 * ratio);
      context.fillStyle = colours.strongLine;
      context.fillText(scale, widthPx - 4 * ratio, paperPx - 4 * ratio);
      context.textAlign = 'start';
    }
    if (measured !== undefined)
      drawMeasure(drawing, measured, xOf, accent, style.getPropertyValue('--on-accent').trim());
    if (letters !== undefined) {
      const { samples, labels } = reading.beats;
      context.textAlign = 'center';
      for (let i = firstFrom(samples, startSample); i < samples.length; i++) {
        const sample = samples[i] as number;
        if (sample >= startSample + sampleCount) break;
        const letter = String.fromCharCode(labels[i] as number);
        if (letters === 'ectopic' && letter === 'N') continue;
        context.fillStyle = letter === 'N' ? colours.strongLine : colours.words;
        context.font = `${letter === 'N' ? 400 : 700} ${Math.round(11 * ratio)}px Inter, sans-serif`;
        context.fillText(letter === 'Q' ? '?' : letter, xOf(sample), box.heightPx - 5 * ratio);
      }
      context.textAlign = 'start';
    }
    if (shown.every((row) => row !== undefined)) canvas.dataset.drawn = '';
  }, [
    ref,
    box,
    one,
    two,
    startSample,
    sampleCount,
    sampleRateHz,
    tinted,
    tint,
    measured,
    letters,
    leads,
    reading,
    colorScheme,
    t,
  ]);
  return (
    <span className={classes.strip} style={{ height: heightPx }}>
      <canvas ref={ref} role="img" aria-label={label} />
    </span>
  );
}

function drawMeasure(
  { context, heightPx, ratio }: Drawing,
  { start, end, words }: NonNullable<PaperStripProps['measured']>,
  xOf: (sample: number) => number,
  accent: string,
  onAccent: string,
): void {
  const [from, to] = [xOf(start), xOf(end)];
  const y = 18 * ratio;
  context.fillStyle = accent;
  context.fillRect(from, 6 * ratio, 1.5 * ratio, heightPx - 12 * ratio);
  context.fillRect(to, 6 * ratio, 1.5 * ratio, heightPx - 12 * ratio);
  context.fillRect(from, y, to - from, 1.5 * ratio);
  context.font = `650 ${Math.round(12 * ratio)}px Inter, sans-serif`;
  const width = context.measureText(words).width + 14 * ratio;
  context.beginPath();
  context.roundRect((from + to - width) / 2, y - 9 * ratio, width, 18 * ratio, 5 * ratio);
  context.fill();
  context.fillStyle = onAccent;
  context.textAlign = 'center';
  context.fillText(words, (from + to) / 2, y + 4 * ratio);
  context.textAlign = 'start';
}
