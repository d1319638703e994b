// A few seconds of one channel, as large as its row: only the shape tells, because channels are in many units.

import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { plainText } from '../../../shared/patient-text.ts';
import classes from './channels.module.css';
import type { FileChannel } from './chosen-channels.ts';

const WIDTH = 300;
const HEIGHT = 44;
const MARGIN = 3;

/** Each column from its least to its greatest; interrupted where samples are missing. */
function pathOf(columns: Uint8Array, isTurned: boolean): string {
  const pairs = new Float32Array(Uint8Array.from(columns).buffer);
  const known = pairs.filter(Number.isFinite);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of known) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const range = high - low;
  const yOf = (value: number): string => {
    const share = range > 0 ? (value - low) / range : 0.5;
    const up = isTurned ? 1 - share : share;
    return (HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN)).toFixed(1);
  };
  const count = pairs.length / 2;
  let [path, isDown] = ['', false];
  for (let column = 0; column < count; column++) {
    const [least, greatest] = [pairs[2 * column] as number, pairs[2 * column + 1] as number];
    if (!Number.isFinite(least)) {
      isDown = false;
      continue;
    }
    const x = ((column * WIDTH) / count).toFixed(1);
    path += `${isDown ? 'L' : 'M'}${x} ${yOf(greatest)}L${x} ${yOf(least)}`;
    isDown = true;
  }
  return path;
}

export function ChannelPicture({
  channel: { label, columns },
  isTurned,
}: {
  channel: Pick<FileChannel, 'label' | 'columns'>;
  isTurned: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const path = useMemo(() => pathOf(columns, isTurned), [columns, isTurned]);
  return (
    <svg
      className={classes.picture}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('channels.pictureOf', { label: plainText(label) })}
    >
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
