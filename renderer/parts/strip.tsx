// The first seconds of one lead, small: enough to see a rhythm by. The same millimetres both ways.

import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '../../shared/bridge/contract.ts';
import { leadName } from '../../shared/signal/lead.ts';
import { median } from '../../shared/signal/statistics.ts';
import { useBridgeQuery } from '../bridge/use-bridge.tsx';
import { errorText } from '../text/text.ts';
import classes from './strip.module.css';

interface StripSize {
  readonly widthPx: number;
  readonly heightPx: number;
  /** How many of the ten seconds are shown. */
  readonly seconds: number;
}

interface StripProps extends StripSize {
  readonly taskId: number;
}

const SPEED_MM_PER_S = 25;
const GAIN_MM_PER_MV = 10;
/** In most leads, R is higher than S is deep. */
const LINE_SHARE = 0.62;

/** Where the level lies: moved as far as it takes for all to be seen, as long as there is room for all. */
function lineOf(known: Float32Array, level: number, pxPerMv: number, heightPx: number): number {
  let [up, down] = [0, 0];
  for (const value of known) {
    up = Math.max(up, (value - level) * pxPerMv);
    down = Math.max(down, (level - value) * pxPerMv);
  }
  const usual = LINE_SHARE * heightPx;
  return up + down > heightPx - 2 ? usual : Math.max(up + 1, Math.min(heightPx - 1 - down, usual));
}

/** Each column from its least to its greatest; interrupted where samples are missing. */
function pathOf(mv: Float32Array, rateHz: number, { widthPx, heightPx, seconds }: StripSize): string {
  const pxPerMm = widthPx / (seconds * SPEED_MM_PER_S);
  const perColumn = (seconds * rateHz) / (2 * widthPx);
  const known = mv.filter(Number.isFinite);
  const level = median(known) ?? 0;
  const pxPerMv = GAIN_MM_PER_MV * pxPerMm;
  const line = lineOf(known, level, pxPerMv, heightPx);
  const yOf = (value: number): string => (line - (value - level) * pxPerMv).toFixed(1);
  let [path, isDown] = ['', false];
  for (let column = 0; column < 2 * widthPx; column++) {
    const part = mv.subarray(Math.floor(column * perColumn), Math.ceil((column + 1) * perColumn));
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of part) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (low > high) {
      isDown = false;
      continue;
    }
    const x = (column / 2).toFixed(1);
    path += `${isDown ? 'L' : 'M'}${x} ${yOf(high)}${low < high ? `L${x} ${yOf(low)}` : ''}`;
    isDown = true;
  }
  return path;
}

type LoadedStrip = CallOutput<'review.strip'>;

/** Without a scale there is no height that it could be drawn in. */
function useStripPath(data: LoadedStrip | undefined, { widthPx, heightPx, seconds }: StripSize): string {
  return useMemo(() => {
    if (data === undefined || !data.isCalibrated) return '';
    const mv = new Float32Array(Uint8Array.from(data.mv).buffer);
    return pathOf(mv, data.sampleRateHz, { widthPx, heightPx, seconds });
  }, [data, widthPx, heightPx, seconds]);
}

/** In the row of a list, whose words say all the rest. */
export function PlainStrip({ taskId, ...size }: StripProps): ReactNode {
  const { data } = useBridgeQuery('review.strip', { taskId });
  return (
    <svg className={classes.plain} width={size.widthPx} height={size.heightPx} aria-hidden="true">
      <path d={useStripPath(data, size)} />
    </svg>
  );
}

export function Strip({ taskId, widthPx, heightPx, seconds }: StripProps): ReactNode {
  const { t } = useTranslation();
  const { data, error } = useBridgeQuery('review.strip', { taskId });
  const path = useStripPath(data, { widthPx, heightPx, seconds });
  const lead = data?.lead ?? '';
  const name = leadName(lead);
  const isUnscaled = data !== undefined && !data.isCalibrated;
  if (error !== null) return <small className="quiet">{errorText(error)}</small>;
  return (
    <svg
      className={classes.strip}
      width={widthPx}
      height={heightPx}
      role="img"
      aria-label={t('review.stripOf', { lead: name, seconds })}
    >
      <path d={path} />
      <text x={4} y={11}>
        {isUnscaled ? t('review.uncalibrated', { lead: name }) : name}
      </text>
    </svg>
  );
}
