// A line of some seconds, small, in a row of a list: the same millimetres both ways.

import { type ReactNode, useMemo } from 'react';
import { median } from '../../../shared/signal/statistics.ts';
import classes from './parts.module.css';
import type { Columns } from './use-rows.ts';

const MM_PER_S = 25;
const MM_PER_MV = 10;
/** In most leads, R is higher than S is deep. */
const LINE_SHARE = 0.62;

/** @param pxPerMv how high a millivolt is */
function pathOfColumns(columns: Columns, widthPx: number, heightPx: number, pxPerMv: number): string {
  const known = columns.filter(Number.isFinite);
  if (known.length === 0) return '';
  const level = median(known) ?? 0;
  let [low, high] = [level, level];
  for (const mv of known) [low, high] = [Math.min(low, mv), Math.max(high, mv)];
  const [up, down] = [(high - level) * pxPerMv, (level - low) * pxPerMv];
  const usual = LINE_SHARE * heightPx;
  const line = up + down > heightPx - 2 ? usual : Math.max(up + 1, Math.min(heightPx - 1 - down, usual));
  const count = columns.length / 2;
  let [path, isDown] = ['', false];
  for (let column = 0; column < count; column++) {
    const [least, most] = [columns[2 * column] as number, columns[2 * column + 1] as number];
    if (Number.isNaN(least)) {
      isDown = false;
      continue;
    }
    const x = (((column + 0.5) * widthPx) / count).toFixed(1);
    const yOf = (mv: number): string => (line - (mv - level) * pxPerMv).toFixed(1);
    path += `${isDown ? 'L' : 'M'}${x} ${yOf(most)}${least < most ? `L${x} ${yOf(least)}` : ''}`;
    isDown = true;
  }
  return path;
}

export interface ThumbProps {
  readonly columns: Columns | undefined;
  readonly seconds: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** A stretch that is meant, in parts of the width. */
  readonly marked?: readonly [from: number, to: number];
}

/** The words beside it say what it shows. */
export function Thumb({ columns, seconds, widthPx, heightPx, marked }: ThumbProps): ReactNode {
  const pxPerMv = (widthPx / (seconds * MM_PER_S)) * MM_PER_MV;
  const path = useMemo(
    () => (columns === undefined ? '' : pathOfColumns(columns, widthPx, heightPx, pxPerMv)),
    [columns, widthPx, heightPx, pxPerMv],
  );
  return (
    <svg className={classes.thumb} width={widthPx} height={heightPx} aria-hidden="true">
      {marked !== undefined && (
        <rect x={marked[0] * widthPx} y={0} width={(marked[1] - marked[0]) * widthPx} height={heightPx} />
      )}
      <path d={path} />
    </svg>
  );
}
