// The whole day in one band above every view: rate, ventricular beats, fibrillation, pauses, events and noise by the clock, and a frame
// around what is looked at. A click moves all views.

import { useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCanvas } from '../review/use-canvas.ts';
import { clockAt, clockTicks, dayAt } from './clock.ts';
import classes from './holter.module.css';
import { type Holter, useHolter } from './holter.ts';
import type { DayReading } from './model/read-day.ts';
import { type Trend, trendOf } from './model/trend.ts';

const RATES = { slowest: 35, fastest: 140 } as const;
const LINES_BPM = [60, 120];
const AXIS_PX = 16;
/** The words of the lanes stand there. */
const RIGHT_PX = 34;
const V_LANE_PX = 12;
const LEAST_FRAME_PX = 6;
const PART_SECONDS = 180;
const LEAST_PARTS = 240;
const TICK_PX = 90;
/** From here to here it is night, unless a diary says otherwise. */
const NIGHT = { from: 22 * 60, to: 6 * 60 + 30 } as const;

interface Sheet {
  /** The whole width, with the words at its end. */
  readonly wholePx: number;
  readonly context: CanvasRenderingContext2D;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly ratio: number;
  colour(name: string): string;
  xOf(sample: number): number;
}

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

function drawNight(
  { context, colour, widthPx, heightPx, xOf }: Sheet,
  holter: Holter,
  { start, end }: Stretch,
): void {
  if (holter.startMs === undefined) return;
  const { sampleRateHz } = holter.reading.day;
  context.fillStyle = colour('--surface3');
  const minute = 60 * sampleRateHz;
  let from: number | undefined;
  for (let at = start; at <= end + 10 * minute; at += 10 * minute) {
    const [hours = 0, minutes = 0] = clockAt(holter, at).split(':').map(Number);
    const time = 60 * hours + minutes;
    const isNight = at <= end && (time >= NIGHT.from || time < NIGHT.to);
    if (isNight) from ??= at;
    else if (from !== undefined) {
      context.fillRect(xOf(from), 0, Math.min(widthPx, xOf(at)) - xOf(from), heightPx);
      from = undefined;
    }
  }
}

function drawRate(
  { context, colour, ratio, widthPx, wholePx }: Sheet,
  trend: Trend,
  laneTop: number,
  laneHeight: number,
): void {
  const parts = trend.meanBpm.length;
  const yOf = (bpm: number): number =>
    laneTop +
    (1 -
      (Math.min(RATES.fastest, Math.max(RATES.slowest, bpm)) - RATES.slowest) /
        (RATES.fastest - RATES.slowest)) *
      laneHeight;
  context.fillStyle = colour('--line');
  for (const bpm of LINES_BPM) context.fillRect(0, Math.round(yOf(bpm)), widthPx, ratio);
  context.fillStyle = colour('--accent');
  context.globalAlpha = 0.35;
  const step = widthPx / parts;
  for (let part = 0; part < parts; part++) {
    const [low, high] = [trend.lowBpm[part] as number, trend.highBpm[part] as number];
    if (!Number.isNaN(low))
      context.fillRect(part * step, yOf(high), step + 0.5, Math.max(ratio, yOf(low) - yOf(high)));
  }
  context.globalAlpha = 1;
  context.strokeStyle = colour('--text');
  context.lineWidth = 1.2 * ratio;
  context.beginPath();
  let isDown = false;
  for (let part = 0; part < parts; part++) {
    const mean = trend.meanBpm[part] as number;
    if (Number.isNaN(mean)) isDown = false;
    else {
      if (isDown) context.lineTo((part + 0.5) * step, yOf(mean));
      else context.moveTo((part + 0.5) * step, yOf(mean));
      isDown = true;
    }
  }
  context.stroke();
  context.font = `400 ${Math.round(10.5 * ratio)}px Inter, sans-serif`;
  context.fillStyle = colour('--text2');
  context.textAlign = 'right';
  for (const bpm of LINES_BPM) context.fillText(String(bpm), wholePx, yOf(bpm) + 4 * ratio);
  context.textAlign = 'start';
}

function drawCounts(
  { context, ratio, widthPx }: Sheet,
  counts: Uint16Array,
  bottom: number,
  height: number,
  fill: string,
): void {
  const most = Math.max(4, ...counts);
  const step = widthPx / counts.length;
  context.fillStyle = fill;
  for (const [part, count] of counts.entries()) {
    if (count === 0) continue;
    const high = Math.max(1.5 * ratio, (count / most) * height);
    context.fillRect(part * step, bottom - high, Math.max(ratio, step - ratio / 2), high);
  }
}

/** Where nothing is known: a hatched strip, never too thin to see. */
function drawHatch(
  { context, colour, ratio, xOf, heightPx }: Sheet,
  ranges: readonly (readonly [number, number])[],
): void {
  const bottom = heightPx - AXIS_PX * ratio;
  const step = 5 * ratio;
  context.strokeStyle = colour('--line2');
  context.lineWidth = ratio;
  for (const [from, to] of ranges) {
    const left = xOf(from);
    const width = Math.max(4 * ratio, xOf(to) - left);
    context.save();
    context.beginPath();
    context.rect(left, 0, width, bottom);
    context.clip();
    context.beginPath();
    for (let y = -width; y < bottom; y += step) {
      context.moveTo(left, y + width);
      context.lineTo(left + width, y);
    }
    context.stroke();
    context.restore();
  }
}

function drawMarks(sheet: Sheet, reading: DayReading): void {
  const { context, colour, ratio, xOf, heightPx } = sheet;
  context.fillStyle = colour('--severity-important-bg');
  for (const [from, to] of reading.fibrillation) {
    context.globalAlpha = 0.34;
    context.fillRect(xOf(from), 0, Math.max(ratio, xOf(to) - xOf(from)), heightPx - AXIS_PX * ratio);
    context.globalAlpha = 1;
    context.fillRect(
      xOf(from),
      heightPx - (AXIS_PX + 3) * ratio,
      Math.max(2 * ratio, xOf(to) - xOf(from)),
      3 * ratio,
    );
  }
  drawHatch(sheet, reading.unknown);
  context.fillStyle = colour('--bad');
  for (const [from] of reading.pauses) drawShape(context, xOf(from), 7 * ratio, 5 * ratio, 'triangle');
  context.fillStyle = colour('--accent');
  for (const { sample } of reading.events) drawShape(context, xOf(sample), 7 * ratio, 5 * ratio, 'diamond');
}

function drawShape(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  shape: 'triangle' | 'diamond',
): void {
  context.beginPath();
  if (shape === 'triangle') {
    context.moveTo(x - size, y - 0.8 * size);
    context.lineTo(x + size, y - 0.8 * size);
    context.lineTo(x, y + size);
  } else {
    context.moveTo(x, y - size);
    context.lineTo(x + size, y);
    context.lineTo(x, y + size);
    context.lineTo(x - size, y);
  }
  context.fill();
}

function drawAxis(
  { context, colour, ratio, xOf, widthPx, heightPx }: Sheet,
  holter: Holter,
  { start, end }: Stretch,
): void {
  context.textAlign = 'center';
  for (const { sample, words, isMidnight } of clockTicks(
    holter,
    start,
    end,
    Math.max(2, widthPx / ratio / TICK_PX),
  )) {
    context.font = `${isMidnight ? 650 : 400} ${Math.round(11.5 * ratio)}px Inter, sans-serif`;
    context.fillStyle = colour(isMidnight ? '--text' : '--text2');
    const half = context.measureText(words).width / 2;
    context.fillText(words, Math.min(widthPx - half, Math.max(half, xOf(sample))), heightPx - 3 * ratio);
  }
  context.textAlign = 'start';
}

export interface DayBandProps {
  /** What is drawn of the day. */
  readonly stretch: Stretch;
  /** What is shown below, framed. */
  readonly shown: Stretch;
  /** Supraventricular beats and ST have lanes as well. */
  readonly isTall?: boolean;
}

export function DayBand({ stretch, shown, isTall = false }: DayBandProps): ReactNode {
  const { t } = useTranslation();
  const holter = useHolter();
  const { ref, box } = useCanvas();
  const colorScheme = useComputedColorScheme('light');
  const { reading, at, goTo } = holter;
  const { start, end } = stretch;
  const parts = Math.max(LEAST_PARTS, Math.round((end - start) / reading.day.sampleRateHz / PART_SECONDS));
  const trend = useMemo(() => trendOf(reading, start, end, parts), [reading, start, end, parts]);
  const tick = holter.startMs ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the theme are read from the page
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (canvas === null || context === null || context === undefined || box === undefined) return;
    const style = getComputedStyle(canvas);
    const { heightPx, ratio } = box;
    const widthPx = box.widthPx - RIGHT_PX * ratio;
    const sheet: Sheet = {
      wholePx: box.widthPx,
      context,
      widthPx,
      heightPx,
      ratio,
      colour: (name) => style.getPropertyValue(name).trim(),
      xOf: (sample) => ((sample - start) / (end - start)) * widthPx,
    };
    context.clearRect(0, 0, box.widthPx, heightPx);
    drawNight(sheet, holter, stretch);
    drawMarks(sheet, reading);
    const lanes = (isTall ? 2 : 1) * (V_LANE_PX + 4) * ratio;
    const rateTop = 14 * ratio;
    drawRate(sheet, trend, rateTop, heightPx - AXIS_PX * ratio - lanes - rateTop - 4 * ratio);
    const bottom = heightPx - AXIS_PX * ratio;
    const vBottom = isTall ? bottom - (V_LANE_PX + 4) * ratio : bottom;
    drawCounts(sheet, trend.ventricular, vBottom, V_LANE_PX * ratio, sheet.colour('--warn-line'));
    if (isTall)
      drawCounts(sheet, trend.supraventricular, bottom, V_LANE_PX * ratio, sheet.colour('--severity-low'));
    context.textAlign = 'right';
    context.font = `650 ${Math.round(11 * ratio)}px Inter, sans-serif`;
    context.fillStyle = sheet.colour('--warn');
    context.fillText('V', box.widthPx, vBottom - 2 * ratio);
    context.fillStyle = sheet.colour('--severity-low');
    if (isTall) context.fillText('S', box.widthPx, bottom - 2 * ratio);
    context.textAlign = 'start';
    drawAxis(sheet, holter, stretch);
    canvas.dataset.drawn = '';
  }, [ref, box, reading, trend, start, end, isTall, tick, holter.timeZone, colorScheme]);

  const go = ({ nativeEvent, currentTarget }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (nativeEvent.clientX - left) / (width - RIGHT_PX)));
    goTo(start + share * (end - start));
  };
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageDown: 60, PageUp: -60 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    goTo(at + step * 60 * reading.day.sampleRateHz);
  };
  const left = (100 * (shown.start - start)) / (end - start);
  const width = (100 * (shown.end - shown.start)) / (end - start);
  return (
    <div
      className={classes.band}
      data-tall={isTall || undefined}
      role="slider"
      tabIndex={0}
      aria-label={t('holter.band')}
      aria-valuemin={0}
      aria-valuemax={Math.floor(reading.day.samples / reading.day.sampleRateHz)}
      aria-valuenow={Math.floor(at / reading.day.sampleRateHz)}
      aria-valuetext={`${dayAt(holter, at)} ${clockAt(holter, at)}`.trim()}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) go(event);
      }}
    >
      <canvas ref={ref} />
      {width < 100 && left < 100 && left + width > 0 && (
        <i
          style={{
            left: `calc((100% - ${RIGHT_PX}px) * ${Math.max(0, left) / 100} - ${LEAST_FRAME_PX / 2}px)`,
            width: `max(${LEAST_FRAME_PX}px, (100% - ${RIGHT_PX}px) * ${Math.min(100, width) / 100})`,
          }}
        />
      )}
    </div>
  );
}
