// One measurement over the years: a line on its usual range, a point an ECG.

import { useComputedColorScheme } from '@mantine/core';
import {
  Chart,
  type ChartConfiguration,
  LinearScale,
  LineController,
  LineElement,
  type Plugin,
  PointElement,
} from 'chart.js';
import { type ReactNode, useEffect, useRef } from 'react';
import type { UsualRange } from '../../shared/findings/usual-values.ts';
import { numberText } from './format-number.ts';
import classes from './trend-chart.module.css';

Chart.register(LineController, LineElement, LinearScale, PointElement);

export interface TrendPoint {
  readonly atMs: number;
  /** In words. */
  readonly day: string;
  /** Undefined where it was not measured: the line is interrupted. */
  readonly value: number | undefined;
  /** One of the two that are compared. */
  readonly role?: 'now' | 'before' | undefined;
}

interface TrendChartProps {
  /** In the order of time. */
  readonly points: readonly TrendPoint[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly usual: UsualRange;
  readonly hasValues?: boolean;
  readonly label: string;
}

/** At both ends of the line, so that what stands above it can be placed. */
export const TREND_PADDING_PX = 14;
const ROOM_SHARE = 0.25;
const LEAST_ROOM = 8;

interface Colours {
  readonly line: string;
  readonly now: string;
  readonly usual: string;
  readonly text: string;
  readonly surface: string;
}

function coloursOf(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return {
    line: of('--before'),
    now: of('--accent'),
    usual: of('--ok-bg'),
    text: of('--text'),
    surface: of('--surface'),
  };
}

/** What is usual, behind the line. */
const usualBand = ({ from, to }: UsualRange, colour: string): Plugin<'line'> => ({
  id: 'usual',
  beforeDatasetsDraw({ ctx, chartArea, scales: { y } }) {
    if (y === undefined || (from === undefined && to === undefined)) return;
    const top = to === undefined ? chartArea.top : y.getPixelForValue(to);
    const bottom = from === undefined ? chartArea.bottom : y.getPixelForValue(from);
    ctx.fillStyle = colour;
    ctx.fillRect(
      chartArea.left - TREND_PADDING_PX,
      top,
      chartArea.width + 2 * TREND_PADDING_PX,
      bottom - top,
    );
  },
});

/** Each value above its point. */
const values = (points: readonly TrendPoint[], colour: string): Plugin<'line'> => ({
  id: 'values',
  afterDatasetsDraw(chart) {
    const { ctx } = chart;
    ctx.font = '500 12px Inter, sans-serif';
    ctx.fillStyle = colour;
    ctx.textAlign = 'center';
    for (const [i, { x, y }] of chart.getDatasetMeta(0).data.entries()) {
      const value = points[i]?.value;
      if (value !== undefined) ctx.fillText(numberText(value), x, y - 9);
    }
  },
});

function configuration(props: TrendChartProps, colours: Colours): ChartConfiguration<'line'> {
  const { points, fromMs, toMs, usual, hasValues = false } = props;
  const known = [
    ...points.flatMap(({ value }) => value ?? []),
    ...[usual.from, usual.to].flatMap((v) => v ?? []),
  ];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const room = Math.max(LEAST_ROOM, (high - low) * ROOM_SHARE);
  const fillOf = ({ role }: TrendPoint): string =>
    role === 'now' ? colours.now : role === 'before' ? colours.line : colours.surface;
  return {
    type: 'line',
    data: {
      datasets: [
        {
          data: points.map(({ atMs, value }) => ({ x: atMs, y: value ?? Number.NaN })),
          borderColor: colours.line,
          borderWidth: 1.5,
          pointRadius: points.map(({ role }) => (role === undefined ? 3.5 : 5)),
          pointBorderColor: points.map(({ role }) => (role === 'now' ? colours.now : colours.line)),
          pointBackgroundColor: points.map(fillOf),
          pointBorderWidth: 1.8,
        },
      ],
    },
    options: {
      animation: false,
      events: [],
      maintainAspectRatio: false,
      clip: false,
      layout: {
        padding: { left: TREND_PADDING_PX, right: TREND_PADDING_PX, top: hasValues ? 14 : 4, bottom: 4 },
      },
      scales: {
        x: { type: 'linear', display: false, min: fromMs, max: toMs },
        y: { type: 'linear', display: false, min: low - room, max: high + room },
      },
    },
    plugins: [usualBand(usual, colours.usual), ...(hasValues ? [values(points, colours.text)] : [])],
  };
}

export function TrendChart(props: TrendChartProps): ReactNode {
  const ref = useRef<HTMLCanvasElement>(null);
  const colorScheme = useComputedColorScheme('light');
  const { points, fromMs, toMs, usual, label } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the theme are read from the page
  useEffect(() => {
    const canvas = ref.current;
    if (canvas === null) return;
    const chart = new Chart(canvas, configuration(props, coloursOf(canvas)));
    return () => chart.destroy();
  }, [JSON.stringify(points), fromMs, toMs, usual.from, usual.to, colorScheme]);
  return (
    <div className={classes.chart}>
      <canvas ref={ref} role="img" aria-label={label} />
    </div>
  );
}
