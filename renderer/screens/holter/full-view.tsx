// The whole signal row by row, each beat tinted by its class, and below it the place that is looked at in millimetres (Holter, section 6).

import { useComputedColorScheme } from '@mantine/core';
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { unknownIntervals } from '../../../shared/long/hour-table.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { decimalText } from '../../parts/format-number.ts';
import { Segments } from '../../parts/segments.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { traceColumns } from '../../trace/trace-columns.ts';
import { useMoment } from '../review/moments.ts';
import { useCanvas } from '../review/use-canvas.ts';
import { useWheel } from '../review/use-wheel.ts';
import { clockAt } from './clock.ts';
import classes from './full.module.css';
import { type Holter, useHolter } from './holter.ts';
import { PaperStrip } from './paper-strip.tsx';
import { type Columns, type Span, useRows } from './use-rows.ts';

const ROW_SECONDS = [30, 60, 120, 300] as const;
const ROW_PX = { 30: 38, 60: 26, 120: 22, 300: 20 } as const;
const CLOCK_PX = 62;
const RATE_PX = 34;
const BELOW_SECONDS = 14;
const LEAST_INTERVALS = 3;
const BELOW_PX = 150;
const TINT_MS = { before: 120, after: 420 } as const;
const TINTS: Readonly<Record<string, string>> = {
  V: '--severity-important-bg',
  S: '--severity-low-bg',
  F: '--severity-moderate-bg',
  Q: '--line',
};

interface RowSheet {
  readonly context: CanvasRenderingContext2D;
  readonly ratio: number;
  readonly leftPx: number;
  readonly widthPx: number;
  readonly top: number;
  readonly heightPx: number;
  readonly pxPerMv: number;
  readonly span: Span;
  colour(name: string): string;
}

function drawTints(sheet: RowSheet, { reading }: Holter): void {
  const { context, leftPx, widthPx, top, heightPx, span, colour, ratio } = sheet;
  const { samples, labels } = reading.beats;
  const end = span.startSample + span.sampleCount;
  const xOf = (sample: number): number =>
    leftPx +
    (Math.min(end, Math.max(span.startSample, sample)) - span.startSample) * (widthPx / span.sampleCount);
  context.fillStyle = colour('--severity-important-bg');
  context.globalAlpha = 0.2;
  for (const [from, to] of reading.fibrillation)
    if (from < end && to > span.startSample) context.fillRect(xOf(from), top, xOf(to) - xOf(from), heightPx);
  context.globalAlpha = 1;
  const ms = reading.day.sampleRateHz / 1000;
  for (
    let i = firstFrom(samples, span.startSample);
    i < samples.length && (samples[i] as number) < end;
    i++
  ) {
    const tint = TINTS[String.fromCharCode(labels[i] as number)];
    if (tint === undefined) continue;
    const sample = samples[i] as number;
    const [from, to] = [xOf(sample - TINT_MS.before * ms), xOf(sample + TINT_MS.after * ms)];
    context.fillStyle = colour(tint);
    context.fillRect(from, top + 2 * ratio, Math.max(3 * ratio, to - from), heightPx - 4 * ratio);
  }
}

function drawTrace(
  { context, leftPx, widthPx, top, heightPx, pxPerMv, colour, ratio }: RowSheet,
  columns: Columns,
): void {
  const known = columns.filter(Number.isFinite);
  const level = median(known) ?? 0;
  const zero = top + 0.62 * heightPx;
  context.save();
  context.beginPath();
  context.rect(leftPx, top, widthPx, heightPx);
  context.clip();
  context.strokeStyle = colour('--trace');
  context.lineWidth = ratio;
  traceColumns(context, columns, { leftPx, widthPx, yOf: (mv) => zero - (mv - level) * pxPerMv });
  context.restore();
}

/** The mean rate of a row over what is known of it; undefined with too few beats. */
function rateOf({ reading }: Holter, { startSample, sampleCount }: Span): number | undefined {
  const { samples } = reading.beats;
  const { sampleRateHz } = reading.day;
  const isUnknown = unknownIntervals({ unknown: reading.unknown, pauses: reading.pauses, sampleRateHz });
  const [first, end] = [firstFrom(samples, startSample), firstFrom(samples, startSample + sampleCount)];
  let [sum, count] = [0, 0];
  for (let i = first + 1; i < end; i++) {
    const [before, now] = [samples[i - 1] as number, samples[i] as number];
    if (isUnknown(before, now)) continue;
    sum += now - before;
    count++;
  }
  return count < LEAST_INTERVALS ? undefined : Math.round((60 * count * sampleRateHz) / sum);
}

/** How high a millivolt is, so that most beats have room in a row. */
function pxPerMvOf(rows: readonly (Columns | undefined)[], heightPx: number): number {
  const highs: number[] = [];
  for (const row of rows) {
    if (row === undefined) continue;
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < row.length; i += 2) {
      if (Number.isNaN(row[i])) continue;
      low = Math.min(low, row[i] as number);
      high = Math.max(high, row[i + 1] as number);
    }
    if (low < high) highs.push(high - low);
  }
  return (0.8 * heightPx) / Math.max(0.4, median(highs) ?? 1);
}

interface RowsProps {
  readonly rowSeconds: (typeof ROW_SECONDS)[number];
  onPage(rows: number): void;
}

function DisclosureRows({ rowSeconds, onPage }: RowsProps): ReactNode {
  const { t } = useTranslation();
  const holter = useHolter();
  const moment = useMoment();
  const { reading, at, goTo, lead } = holter;
  const { ref, box } = useCanvas();
  const frame = useRef<HTMLDivElement>(null);
  const colorScheme = useComputedColorScheme('light');
  const { sampleRateHz, samples: sampleCount } = reading.day;
  const perRow = rowSeconds * sampleRateHz;
  const rowPx = ROW_PX[rowSeconds];
  const count = box === undefined ? 0 : Math.max(1, Math.floor(box.heightPx / box.ratio / rowPx));
  const lastRow = Math.max(0, Math.ceil(sampleCount / perRow) - count);
  // The page turns only when the place leaves it: whoever goes along a row does not lose it.
  const [topRow, setTopRow] = useState(() => Math.floor(at / perRow));
  const wanted = Math.floor(at / perRow);
  const top = Math.max(
    0,
    Math.min(lastRow, wanted < topRow || wanted >= topRow + Math.max(1, count) ? wanted - 1 : topRow),
  );
  useEffect(() => setTopRow(top), [top]);
  useEffect(() => onPage(count), [count, onPage]);
  const widthPx = box === undefined ? 0 : Math.round(box.widthPx - (CLOCK_PX + RATE_PX) * box.ratio);
  const spans = useMemo(
    () =>
      Array.from({ length: Math.min(count, 60) }, (_, i) => ({
        startSample: Math.round((top + i) * perRow),
        sampleCount: Math.round(perRow),
      })).filter(({ startSample }) => startSample < sampleCount),
    [count, top, perRow, sampleCount],
  );
  const rows = useRows(reading.day, lead, spans, widthPx);
  useWheel(frame, {
    onTurn: (px) => goTo(at + Math.sign(px) * Math.max(1, Math.round(Math.abs(px) / rowPx)) * perRow),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the theme are read from the page
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (canvas === null || context === null || context === undefined || box === undefined) return;
    const style = getComputedStyle(canvas);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const { ratio } = box;
    context.clearRect(0, 0, box.widthPx, box.heightPx);
    const heightPx = rowPx * ratio;
    const pxPerMv = pxPerMvOf(rows, heightPx);
    for (const [i, span] of spans.entries()) {
      const sheet: RowSheet = {
        context,
        ratio,
        leftPx: CLOCK_PX * ratio,
        widthPx,
        top: i * heightPx,
        heightPx,
        pxPerMv,
        span,
        colour,
      };
      drawTints(sheet, holter);
      const row = rows[i];
      if (row !== undefined) drawTrace(sheet, row);
      const isHere = at >= span.startSample && at < span.startSample + span.sampleCount;
      context.font = `${isHere ? 650 : 400} ${Math.round(12 * ratio)}px Inter, sans-serif`;
      context.fillStyle = colour(isHere ? '--accent' : '--text2');
      context.fillText(clockAt(holter, span.startSample), 0, sheet.top + heightPx / 2 + 4 * ratio);
      const rate = rateOf(holter, span);
      context.textAlign = 'right';
      context.fillStyle = colour('--text2');
      context.font = `400 ${Math.round(12 * ratio)}px Inter, sans-serif`;
      context.fillText(
        rate === undefined ? '–' : String(rate),
        box.widthPx,
        sheet.top + heightPx / 2 + 4 * ratio,
      );
      context.textAlign = 'start';
      context.fillStyle = colour('--line');
      context.fillRect(0, sheet.top + heightPx - ratio, box.widthPx, ratio);
      if (isHere) {
        const x = sheet.leftPx + ((at - span.startSample) / span.sampleCount) * widthPx;
        const half = (BELOW_SECONDS / 2 / rowSeconds) * widthPx;
        context.strokeStyle = colour('--accent');
        context.lineWidth = 2 * ratio;
        const from = Math.max(sheet.leftPx, x - half);
        const to = Math.min(sheet.leftPx + widthPx, x + half);
        context.strokeRect(from, sheet.top + ratio, Math.max(6 * ratio, to - from), heightPx - 3 * ratio);
      }
    }
    if (rows.length > 0 && rows.every((row) => row !== undefined)) canvas.dataset.drawn = '';
  }, [ref, box, rows, spans, at, reading, rowSeconds, widthPx, colorScheme]);
  const choose = ({ nativeEvent }: PointerEvent<HTMLCanvasElement>): void => {
    if (box === undefined) return;
    const row = Math.floor(nativeEvent.offsetY / rowPx);
    const share = (nativeEvent.offsetX - CLOCK_PX) / (widthPx / box.ratio);
    const span = spans[row];
    if (span !== undefined && share >= 0 && share <= 1) goTo(span.startSample + share * span.sampleCount);
  };
  const last = spans.at(-1);
  return (
    <div ref={frame} className={classes.rows}>
      <canvas
        ref={ref}
        role="img"
        aria-label={t('holter.rowsOf', {
          lead: leadName(lead),
          from: moment(spans[0]?.startSample ?? 0),
          to: moment((last?.startSample ?? 0) + (last?.sampleCount ?? 0)),
        })}
        onPointerDown={choose}
      />
    </div>
  );
}

/** The first sample behind a place at which something begins. */
function nextOf({ reading, at }: Holter, kind: 'V' | 'AF' | 'gap'): number | undefined {
  if (kind === 'AF') return reading.fibrillation.find(([start]) => start > at)?.[0];
  if (kind === 'gap') return reading.unknown.find(([start]) => start > at)?.[0];
  const { samples, labels } = reading.beats;
  const v = 'V'.charCodeAt(0);
  for (let i = firstFrom(samples, at + 1); i < samples.length; i++) if (labels[i] === v) return samples[i];
  return undefined;
}

export function FullView(): ReactNode {
  const { t } = useTranslation();
  const holter = useHolter();
  const { reading, at, goTo } = holter;
  const [rowSeconds, setRowSeconds] = useState<(typeof ROW_SECONDS)[number]>(30);
  const [shownRows, setShownRows] = useState(1);
  const { sampleRateHz, samples: sampleCount, pictureLeads, leads } = reading.day;
  const perRow = rowSeconds * sampleRateHz;
  const step = (by: number) => (): void => goTo(at + by);
  const toNext = (kind: 'V' | 'AF' | 'gap') => (): void => {
    const next = nextOf(holter, kind);
    if (next !== undefined) goTo(next);
  };
  const lengthen = (by: 1 | -1) => (): void =>
    setRowSeconds(
      ROW_SECONDS[Math.max(0, Math.min(ROW_SECONDS.length - 1, ROW_SECONDS.indexOf(rowSeconds) + by))] ?? 30,
    );
  useCommands('holterFull', {
    rowUp: step(-perRow),
    rowDown: step(perRow),
    tenBack: step(-10 * sampleRateHz),
    tenOn: step(10 * sampleRateHz),
    pageBack: step(-shownRows * perRow),
    pageOn: step(shownRows * perRow),
    nextVentricular: toNext('V'),
    nextFibrillation: toNext('AF'),
    nextGap: toNext('gap'),
    longer: lengthen(1),
    shorter: lengthen(-1),
  });
  const count = Math.round(BELOW_SECONDS * sampleRateHz);
  const start = Math.max(0, Math.min(sampleCount - count, Math.round(at - count / 2)));
  const shownLeads = useMemo(
    () => (pictureLeads.length > 0 ? pictureLeads : leads.slice(0, 2)),
    [pictureLeads, leads],
  );
  const pause = reading.pauses.find(([from, to]) => from < start + count && to > start);
  const measured = useMemo(
    () =>
      pause && {
        start: pause[0],
        end: pause[1],
        words: t('holter.pauseOf', { seconds: decimalText((pause[1] - pause[0]) / sampleRateHz, 2) }),
      },
    [pause, sampleRateHz, t],
  );
  const moment = useMoment();
  return (
    <div className={classes.view}>
      <div className={classes.head}>
        <h2>{moment(at)}</h2>
        <Segments<(typeof ROW_SECONDS)[number]>
          label={t('holter.rowLength')}
          name="row-length"
          value={rowSeconds}
          segments={ROW_SECONDS.map((value) => ({
            value,
            label: value < 60 ? t('holter.aRow', { seconds: value }) : `${value / 60} min`,
          }))}
          onChoose={setRowSeconds}
        />
        <span className="quiet">{t('holter.fullHow')}</span>
      </div>
      <DisclosureRows rowSeconds={rowSeconds} onPage={setShownRows} />
      <PaperStrip
        startSample={start}
        sampleCount={count}
        leads={shownLeads}
        heightPx={BELOW_PX}
        label={t('holter.stripAt', { at: moment(start), seconds: BELOW_SECONDS })}
        measured={measured}
        letters="all"
      />
    </div>
  );
}
